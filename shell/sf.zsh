# sf for zsh, to be sourced: Ctrl-G (or SESSIDX_KEY) picks a session and resumes it in this shell, and so does typing
# `sf resume ...` or `sf pick ...`. All judgement is in the program; here a line is only put into the editor and run.

# A person's aliases and options must not change what is defined below. Aliases expand when a function is read, so the
# guard stands outside of the block and its words are quoted.
'zmodload' 'zsh/parameter'
__sf_options="options=(${(j: :)${(kv)options[@]}})"
'builtin' 'emulate' 'zsh'
'builtin' 'setopt' 'no_aliases'
{

# The program that is called: the one whose `sf init` loads this, else the one that this file came with. Never just any
# `sf` of PATH: another vendor's has that name, too.
__sf_program=${${(%):-%x}:A:h}
case $__sf_program in
  (*/share/sf) __sf_program=${__sf_program:h:h}/bin/sf ;;
  (*) __sf_program=${__sf_program:h}/.venv/bin/sf ;;
esac
[[ -z ${__sf_init-} ]] || __sf_program=$__sf_init
unset __sf_init

# What the agents' words mean in this shell, for sf to know which installation a line will start. A test holds the words
# in step with the program.
__sf_words() {
  local name
  for name in claude codex gemini opencode kilo copilot qwen kimi pi grok vibe cline hermes droid cursor-agent goose; do
    if (( $+aliases[$name] )); then
      SESSIDX_AGENTS+="$name=alias $aliases[$name]"$'\n'
    fi
    if (( $+functions[$name] )); then
      SESSIDX_AGENTS+="$name=function"$'\n'
    fi
  done
}

__sf_run() {
  local -x SESSIDX_AGENTS=
  __sf_words
  if [[ -x $__sf_program ]]; then
    "$__sf_program" "$@"
  else
    print -ru2 -- "sf: the program is gone from $__sf_program; install it again, then open a new shell"
    return 127
  fi
}

# The one form of line that is ever run.
__sf_runnable() {
  [[ $1 == 'builtin \cd -- '* && $1 != *[[:cntrl:]]* ]]
}

__sf_widget() {
  emulate -L zsh
  setopt no_aliases # what stands in $(...) is read anew at each call
  local line note code=0
  if [[ $CONTEXT != start ]]; then
    # At a continuation prompt the command would become part of what is open.
    zle -M 'sf: finish or cancel the open command first'
    return 0
  fi
  # What sf says is held back until the prompt is drawn again, or it would be drawn over; the line comes last. No
  # temporary file: =(...) ends the shell where TMPPREFIX cannot be used.
  note=$(__sf_run pick --shell zsh 2>&1 </dev/tty) || code=$?
  if (( ! code )); then
    line=${note##*$'\n'}
    note=${${note%"$line"}%$'\n'}
  fi
  zle reset-prompt
  if (( code )) || ! __sf_runnable $line; then
    zle -R
    [[ -z $note || -z $line ]] || note+=$'\n'
    [[ -z $note$line ]] || zle -M -- $note$line
    return 0
  fi
  if [[ -n $note ]]; then
    zle -R
    zle -I
    print -ru2 -- $note
  fi
  # What was typed comes back at the next prompt.
  [[ -z $BUFFER ]] || zle push-line
  BUFFER=$line
  zle accept-line
}

# Whether these words ask for a line to run: `resume` or `pick` at a terminal, none of them asking for more.
__sf_acts() {
  [[ $1 == (resume|pick) && -t 0 && -t 1 ]] || return 1
  local word
  for word; do
    case $word in
      (--) return 0 ;;
      (-h | --help | --json | --run | --shell | --shell=*) return 1 ;;
    esac
  done
  return 0
}

# What the key does in the keymap in use, then the longer keys that begin with it.
__sf_bound() {
  local REPLY
  __sf_key || return 0
  builtin bindkey -M main -- $REPLY
  builtin bindkey -M main -p -- $REPLY
}

# Answers the call in full, but for a line to run: that is left in REPLY.
__sf_call() {
  emulate -L zsh
  setopt no_aliases
  if [[ ${1-} == doctor ]]; then
    # Only the shell knows these.
    local bound=$(__sf_bound 2>/dev/null)
    SESSIDX_LOADED=zsh SESSIDX_KEY=${SESSIDX_KEY-ctrl-g} SESSIDX_BOUND=$bound __sf_run "$@"
    return
  fi
  if ! __sf_acts "$@"; then
    __sf_run "$@"
    return
  fi
  local line verb=$1
  shift
  line=$(__sf_run $verb --shell zsh "$@") || return
  if __sf_runnable $line; then
    print -rs -- $line
    REPLY=$line
  elif [[ -n $line ]]; then
    print -r -- $line
  fi
}

# The line runs under the person's own options and aliases, as if typed.
__sf_main() {
  local REPLY=
  __sf_call "$@" || return
  [[ -z $REPLY ]] || eval "$REPLY"
}
sf() { __sf_main "$@" }
sessidx() { __sf_main "$@" }

# Leaves the key in REPLY: ctrl-x and alt-x in zsh's notation; what begins with ^ or \ is in it already.
__sf_key() {
  REPLY=${SESSIDX_KEY-ctrl-g}
  case $REPLY in
    (ctrl-?) REPLY="^${REPLY#ctrl-}" ;;
    (alt-?) REPLY="^[${REPLY#alt-}" ;;
    ([\\^]?*) ;;
    (*) return 1 ;;
  esac
}

__sf_bind() {
  local REPLY keymap
  __sf_key || return 0
  for keymap in emacs viins vicmd; do
    bindkey -M $keymap -- $REPLY sf-pick
  done
  # In a search the key only leaves the search.
  bindkey -M isearch -- $REPLY send-break
}

if [[ -o interactive && -o zle && ${TERM-dumb} != dumb ]]; then
  zle -N sf-pick __sf_widget
  __sf_bind
fi

} always {
  # Not every option can be set in a running shell; those did not change.
  'builtin' 'eval' "$__sf_options" 2>'/dev/null'
  'builtin' 'unset' '__sf_options'
}
