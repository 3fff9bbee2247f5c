# What zsh's plugin managers source: the integration and the completion of the sf that is installed.

if (( ! ${+commands[sessidx]} )); then
  \builtin print -ru2 -- "sf: the plugin is here, the program is not: pipx install 'sessidx[fzf]'"
elif [[ -r ${commands[sessidx]:A:h:h}/share/sf/sf.zsh ]]; then
  fpath+=("${commands[sessidx]:A:h:h}/share/zsh/site-functions")
  \builtin source "${commands[sessidx]:A:h:h}/share/sf/sf.zsh"
  if (( ${+functions[compdef]} )); then
    \builtin autoload -Uz _sf _sf_sessions _sf_agents
    compdef _sf sf sessidx
    compdef -p _sf_agents '(|*/)(claude|codex)'
  fi
else
  \builtin eval "$(\builtin command sessidx init zsh)"
fi
