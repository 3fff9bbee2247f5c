# shellcheck shell=bash
# sf for bash, to be sourced: Ctrl-G (or SESSIDX_KEY) picks a session and resumes it in this shell, and so does typing
# `sf resume ...` or `sf pick ...`. All judgement is in the program; here a line is only put into the editor and run.
# The key needs bash 4.3, the function does not.

# A person's aliases must not change what is defined below: they expand when a function is read. (In $(...) they would
# expand at each call, so only functions are called there.)
if \builtin shopt -q expand_aliases; then __sf_aliases=-s; else __sf_aliases=-u; fi
\builtin shopt -u expand_aliases

# The program that is called: the one whose `sf init` loads this, else the one that this file came with. Never just any
# `sf` of PATH: another vendor's has that name, too.
__sf_program=${__sf_init-}
if [[ ! $__sf_program ]]; then
  __sf_program=${BASH_SOURCE[0]-}
  if [[ -L $__sf_program ]]; then __sf_program=$(\command readlink -f -- "$__sf_program"); fi
  if [[ $__sf_program != /* ]]; then __sf_program=$PWD/${__sf_program#./}; fi
  __sf_program=${__sf_program%/*}
  case $__sf_program in
    */share/sf) __sf_program=${__sf_program%/share/sf}/bin/sf ;;
    *) __sf_program=${__sf_program%/*}/.venv/bin/sf ;;
  esac
fi
\builtin unset -v __sf_init

# What the agents' words mean in this shell, for sf to know which installation a line will start. A test holds the words
# in step with the program.
__sf_words() {
  local name
  for name in claude codex gemini opencode kilo copilot qwen kimi pi grok vibe cline hermes droid cursor-agent goose; do
    if builtin alias "$name" >/dev/null 2>&1; then
      SESSIDX_AGENTS+="$name=alias ${BASH_ALIASES[$name]-}"$'\n'
    fi
    if declare -F "$name" >/dev/null; then
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
    printf '%s\n' "sf: the program is gone from $__sf_program; install it again, then open a new shell" >&2
    return 127
  fi
}

# The one form of line that is ever run.
__sf_runnable() {
  [[ $1 == 'builtin cd -- '* && $1 != *[[:cntrl:]]* ]]
}

# Asks the program for a line. It is told which tools set a project's variables at the next prompt: that is too late for
# an agent started by the line itself, so the line calls them.
__sf_ask() { # resume|pick ARG...
  local hooks=
  if declare -F _direnv_hook >/dev/null; then hooks+='direnv '; fi
  if declare -F _mise_hook >/dev/null; then hooks+='mise '; fi
  SESSIDX_HOOKS=$hooks __sf_run "$1" --shell bash "${@:2}"
}

# A key bound with `bind -x` cannot accept a line, so the key is a macro of three keys that nobody types. The first runs
# this, which binds the second to accept-line, or to nothing. What is left of a macro survives accept-line: the third
# comes when the agent has ended and gives back the half-typed line.
__sf_widget() { # KEYMAP
  local line second='\C-x\C-_s2'${1: -1}
  builtin bind -m "$1" "\"$second\": \"\""
  if line=$(__sf_ask pick) && __sf_runnable "$line"; then
    __sf_half=$READLINE_LINE __sf_point=$READLINE_POINT
    READLINE_LINE=$line READLINE_POINT=0
    builtin bind -m "$1" "\"$second\": accept-line"
  elif [[ $line ]]; then
    printf '%s\n' "$line"
  fi
}

__sf_restore() {
  if [[ ${__sf_half+set} ]]; then
    READLINE_LINE=$__sf_half READLINE_POINT=$__sf_point
    unset -v __sf_half __sf_point
  fi
}

# Whether these words ask for a line to run: `resume` or `pick` at a terminal, none of them asking for more.
__sf_acts() {
  [[ (${1-} == resume || ${1-} == pick) && -t 0 && -t 1 ]] || return 1
  local word
  for word; do
    case $word in
      --) return 0 ;;
      -h | --help | --json | --run | --shell | --shell=*) return 1 ;;
    esac
  done
}

# What the key does in the keymap in use, and the longer keys that begin with it.
__sf_bound() {
  local key map=emacs line commands
  key=$(__sf_key) || return 0
  if [[ -o vi ]]; then map=vi-insert; fi
  commands=$(builtin bind -m "$map" -X)
  while IFS= read -r line; do
    case $line in
      "\"$key\": \"\\C-x\\C-_s1"* | "\"$key\\000\": \"\\C-x\\C-_s1"*)
        # The macro says nothing; what its first key runs does. (\000 where the key begins a longer one.)
        if [[ $commands == *"__sf_widget $map"* ]]; then line="\"$key\": __sf_widget"; fi
        ;;
      "\"$key"*) ;;
      *) continue ;;
    esac
    printf '%s\n' "$line"
  done < <(builtin bind -m "$map" -s -p && printf '%s\n' "$commands")
}

# Answers the call in full, but for a line to run: that is left in the caller's __sf_line.
__sf_call() {
  if [[ ${1-} == doctor ]]; then
    # Only the shell knows these.
    local bound
    bound=$(__sf_bound 2>/dev/null)
    SESSIDX_LOADED=bash SESSIDX_KEY=${SESSIDX_KEY-ctrl-g} SESSIDX_BOUND=$bound __sf_run "$@"
    return
  fi
  if ! __sf_acts "$@"; then
    __sf_run "$@"
    return
  fi
  local line
  line=$(__sf_ask "$@") || return
  if __sf_runnable "$line"; then
    if [[ -o history ]]; then builtin history -s "$line"; fi
    __sf_line=$line
  elif [[ $line ]]; then
    printf '%s\n' "$line"
  fi
}

# The line runs with the person's own aliases, as if typed.
__sf_main() {
  local __sf_line=
  __sf_call "$@" || return
  [[ ! $__sf_line ]] || eval "$__sf_line"
}
sf() { __sf_main "$@"; }
sessidx() { __sf_main "$@"; }

# Binds the macro in each keymap. Up to bash 5.0 all keymaps share one table of commands: there each needs its own keys.
__sf_bind() { # KEY
  local map first second third='\C-x\C-_s3'
  for map in emacs vi-insert vi-command; do
    first='\C-x\C-_s1'${map: -1} second='\C-x\C-_s2'${map: -1}
    # bash 5.1 loses other commands when a key that has one gets another.
    builtin bind -m "$map" -r "$first"
    builtin bind -m "$map" -r "$third"
    builtin bind -m "$map" -x "\"$first\": __sf_widget $map"
    builtin bind -m "$map" "\"$second\": \"\""
    builtin bind -m "$map" -x "\"$third\": __sf_restore"
    builtin bind -m "$map" "\"$1\": \"$first$second$third\""
  done
}

# Prints the key: ctrl-x and alt-x in readline's notation; what begins with \ is in it already.
__sf_key() {
  local key=${SESSIDX_KEY-ctrl-g}
  case $key in
    ctrl-?) key="\\C-${key#ctrl-}" ;;
    alt-?) key="\\e${key#alt-}" ;;
    \\?*) ;;
    *) return 1 ;;
  esac
  printf '%s\n' "$key"
}

__sf_load() {
  local key
  key=$(__sf_key) || return 0
  __sf_bind "$key"
  # A key that is a macro would be put into the text of a search: there it ends the search.
  if [[ $key == '\C-'? && $(builtin bind -v) != *'set isearch-terminators'* ]]; then
    builtin bind "set isearch-terminators \"\\C-[\\C-J$key\""
  fi
}

if [[ $- == *i* && ${TERM-dumb} != dumb && (-o emacs || -o vi) ]] &&
  ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 403)); then
  __sf_load
fi

\builtin shopt "$__sf_aliases" expand_aliases
\builtin unset -v __sf_aliases
