# shellcheck shell=bash
# Completion of sf for bash, found by bash-completion or sourced. bash-completion is not needed.
# A test holds commands, options and their values in step with the program.

# A person's aliases must not change what is defined below: they expand when a function is read, and in $(...) anew at
# each call, hence the backslash there.
if \builtin shopt -q expand_aliases; then __sf_aliases=-s; else __sf_aliases=-u; fi
\builtin shopt -u expand_aliases

# The program that this file came with; the integration knows its own.
__sf_beside=${BASH_SOURCE[0]-}
if [[ $__sf_beside != /* ]]; then __sf_beside=$PWD/${__sf_beside#./}; fi
__sf_beside=${__sf_beside%/*}
case $__sf_beside in
  */share/bash-completion/completions) __sf_beside=${__sf_beside%/share/*}/bin/sf ;;
  *) __sf_beside=${__sf_beside%/*}/.venv/bin/sf ;;
esac

# In every function: __sf_cur is the word being completed, a variable of _sf.

# Offers those of the words that begin with it.
__sf_offer() { # WORD...
  local word
  for word; do
    [[ $word != "$__sf_cur"* ]] || COMPREPLY+=("$word")
  done
}

# Offers the session ids, newest first. Where they are only listed (the second TAB) their titles stand beside them.
# Nothing that the program says may reach the terminal.
__sf_sessions() { # [APP]
  local id title row half=$((${COLUMNS:-80} / 2 + 1))
  local -a rows=() ids=()
  while IFS=$'\t' read -r id title; do
    printf -v id '%q' "$id" # a name may have blanks
    [[ $title && $id == "$__sf_cur"* ]] || continue
    ids+=("$id")
    printf -v row '%-*s' "$half" "$id  $title" # too wide for two in a row
    rows+=("$row")
  done <<<"$("${__sf_program:-$__sf_beside}" @ids "$@" </dev/null 2>/dev/null)"
  if ((${COMP_TYPE:-9} == 63 && ${#rows[@]} > 1)); then
    ids=("${rows[@]}")
  fi
  COMPREPLY+=(${ids[@]+"${ids[@]}"})
}

__sf_options() { # COMMAND
  local limits='--app --dir --here --branch --since --until --interrupted --all --limit'
  local wishes='--shell --fork --permissive -y --yes --no-model'
  case $1 in
    find) printf '%s ' "$limits --said --columns --format --json" ;;
    pick) printf '%s ' "$limits --said --columns $wishes" ;;
    resume) printf '%s ' "$wishes --last --here --app --in --run --json" ;;
    show) printf '%s ' '--shell --format --json --said' ;;
    build | apps | doctor) printf '%s ' '--format --json' ;;
  esac
  printf '%s' '-h --help -V --version'
}

# Offers the values of an option; fails when it takes none.
__sf_values() { # COMMAND OPTION
  local column done=
  case $2 in
    --app) __sf_offer claude-code codex gemini opencode kilo copilot qwen kimi pi grok vibe cline hermes droid cursor goose ;;
    --shell) __sf_offer posix zsh bash fish ;;
    --dir | --in) compopt -o dirnames 2>/dev/null || true ;;
    --columns)
      [[ $__sf_cur != *,* ]] || done=${__sf_cur%,*},
      for column in id app updated cwd branch title model effort mode approval sandbox origin archived live size path home fork_of interrupted said; do
        __sf_offer "$done$column"
      done
      compopt -o nospace 2>/dev/null || true
      ;;
    --format)
      case $1 in
        find) __sf_offer tsv table json jsonl ;;
        apps) __sf_offer table json ;;
        *) __sf_offer text json ;;
      esac
      ;;
    --branch | --since | --until | --limit) ;;
    *) return 1 ;;
  esac
}

# Offers what may stand where neither an option nor its value is typed.
__sf_arguments() { # COMMAND WORD_BEFORE...
  local command=$1 word last=''
  for word in "${@:2}"; do
    case $last in
      --app | --shell) ;;
      *) [[ $word == -* ]] || return 0 ;; # the argument is there already
    esac
    last=$word
  done
  case $command in
    resume | show) __sf_sessions ;;
    init) __sf_offer zsh bash fish ;;
  esac
}

_sf() {
  local IFS=$' \t\n' line=${COMP_LINE:0:COMP_POINT} command=find commands option word __sf_cur
  local -a words
  local -i last
  # COMP_WORDS is cut at ':' and '='; the line itself says what was typed.
  read -r -a words <<<"$line"
  [[ $line != *[[:space:]] ]] || words+=('')
  last=$((${#words[@]} - 1))
  word=${words[last]} option=${words[last - 1]} __sf_cur=$word
  commands='find pick resume show build apps doctor init demo'
  if ((last > 1)) && [[ " $commands " == *" ${words[1]} "* ]]; then command=${words[1]}; fi

  COMPREPLY=()
  if [[ $word == --*=* ]]; then
    option=${word%%=*} __sf_cur=${word#*=}
    __sf_values "$command" "$option" || true
    COMPREPLY=(${COMPREPLY[@]+"${COMPREPLY[@]/#/$option=}"})
  elif __sf_values "$command" "$option"; then
    :
  elif [[ $word == -* ]]; then
    # shellcheck disable=SC2046
    __sf_offer $(__sf_options "$command")
  elif ((last == 1)); then
    # shellcheck disable=SC2086
    __sf_offer $commands
  else
    __sf_arguments "$command" "${words[@]:2:last-2}"
  fi
  # Where ':' and '=' break words only the last piece is replaced.
  COMPREPLY=(${COMPREPLY[@]+"${COMPREPLY[@]#"${word%"$2"}"}"})
}

# Beside what completes the agents' own commands: their sessions, where one is asked for.
__sf_agent() { # COMMAND WORD BEFORE
  local name=${1##*/} theirs __sf_cur=$2
  theirs=__sf_theirs_$name
  if [[ ${!theirs-} == lazily ]]; then # bash-completion loads what it has when it is needed
    printf -v "$theirs" ''
    if declare -F __load_completion >/dev/null && __load_completion "$name" 2>/dev/null; then
      __sf_beside_theirs "$name"
    fi
  fi
  COMPREPLY=()
  [[ ! ${!theirs-} ]] || "${!theirs}" "$@"
  case $name:${COMP_CWORD-}:$3 in
    claude:*:--resume | claude:*:-r) __sf_sessions claude-code ;;
    codex:2:resume | codex:2:fork) __sf_sessions codex ;;
  esac
}

# Takes the place of the function that completes a command, and calls it.
__sf_beside_theirs() { # COMMAND
  local spec function=lazily
  if spec=$(complete -p "$1" 2>/dev/null); then
    [[ $spec == *' -F '* && $spec != *' -F __sf_agent '* ]] || return 0
    function=${spec#* -F } function=${function%% *}
    \builtin eval "${spec/ -F $function / -F __sf_agent }"
  else
    complete -o bashdefault -o default -F __sf_agent "$1"
  fi
  printf -v "__sf_theirs_$1" %s "$function"
}

if [[ ${SESSIDX_COMPLETE_AGENTS-on} ]]; then
  __sf_beside_theirs claude
  __sf_beside_theirs codex
fi

# -o nosort came with bash 4.4; before, the ids are sorted.
complete -o nosort -F _sf sf sessidx 2>/dev/null || complete -F _sf sf sessidx

\builtin shopt "$__sf_aliases" expand_aliases
\builtin unset -v __sf_aliases
