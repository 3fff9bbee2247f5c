# sf for fish, to be sourced: Ctrl-G (or SESSIDX_KEY) picks a session and resumes it in this shell, and so does typing
# `sf resume ...` or `sf pick ...`. All judgement is in the program; here a line is only put into the editor and run.

# The program that is called: the one whose `sf init` loads this, else the one that this file came with. Never just any
# `sf` of PATH: another vendor's has that name, too.
set -g __sf_program $__sf_init
if not set -q __sf_init
    set __sf_program (builtin realpath -- (status filename))
    set __sf_program (string replace -rf '/share/sf/[^/]*$' /bin/sf -- $__sf_program
        or string replace -r '/[^/]*/[^/]*$' /.venv/bin/sf -- $__sf_program)
end
set -e __sf_init

# What the agents' words mean in this shell, for sf to know which installation a line will start: an alias is a function
# here, and its description what it stands for. A test holds the words in step with the program.
function __sf_words
    for name in claude codex gemini opencode kilo copilot qwen kimi pi grok vibe cline hermes droid cursor-agent goose
        if functions -q $name
            set -l about (functions -D -v $name)[5]
            set about (string match -r "^'?alias '?$name(?:=| )(.*)" -- $about)
            and echo "$name=alias $about[2]"
            or echo "$name=function"
        end
    end
end

function __sf_run
    set -lx SESSIDX_AGENTS (__sf_words | string collect)
    if test -x "$__sf_program"
        $__sf_program $argv
    else
        echo "sf: the program is gone from $__sf_program; install it again, then open a new shell" >&2
        return 127
    end
end

# The one form of line that is ever run.
function __sf_runnable
    test (count $argv) -eq 1
    and string match -q 'builtin cd -- *' -- $argv
    and not string match -qr '[[:cntrl:]]' -- $argv
end

# Puts a message where the line being typed stands. The line is drawn again below it: fish will go up from there by the
# rows that it believes to be above the cursor.
function __sf_say
    printf '\r\e[J'
    string join -- \n $argv
    string repeat -N -n (math (count (fish_prompt)) + (commandline -L) - 2) \n
end

# With such a line, be it out of the history, two things are done on arriving in the folder. `cd -` and prevd get to know
# the one that was left, as the function `cd` would have told them. And direnv and mise, which set a project's variables
# at the next prompt, are called: that is too late for an agent that the line itself starts.
function __sf_leave --on-event fish_preexec
    __sf_runnable $argv
    or return
    set -g __sf_left $PWD
    function __sf_arrive --on-variable PWD
        functions -e __sf_arrive
        __sf_remember $__sf_left
        for hook in __direnv_export_eval __mise_env_eval
            functions -q $hook
            and $hook
        end
    end
    function __sf_settle --on-event fish_postexec
        functions -e __sf_settle __sf_arrive
        set -e __sf_left
    end
end

# What fish's own `cd` does: at most 25 folders, each variable in the scope that it has.
function __sf_remember
    test "$argv" != "$PWD"
    or return
    set -q dirprev
    or set -g dirprev
    set -q dirprev[25]
    and set -e dirprev[1]
    set -a dirprev $argv
    set -e dirnext
    set -q __fish_cd_direction
    or set -g __fish_cd_direction
    set __fish_cd_direction prev
end

function __sf_widget
    # What sf says is held back, or it would be written into the line being typed.
    set -l line
    set -l note
    set -l code
    set line (__sf_run pick --shell fish 2>| read -z note; set code $pipestatus[1])
    set note (string trim -c \n -- $note)
    if test $code -ne 0; or not __sf_runnable $line
        test -z "$note$line"
        or __sf_say $note $line
        commandline -f repaint
        return
    end
    test -z "$note"
    or __sf_say $note
    set -g __sf_half (commandline | string collect)
    set -g __sf_point (commandline -C)
    # The reader empties its line before fish_prompt; after this event it does not (fish 3.4 does: there it is lost).
    function __sf_restore --on-event fish_postexec
        functions -e __sf_restore
        commandline -r -- $__sf_half
        commandline -C -- $__sf_point
        set -e __sf_half __sf_point
    end
    commandline -r -- $line
    commandline -f repaint execute
end

# Whether these words ask for a line to run: `resume` or `pick` at a terminal, none of them asking for more.
function __sf_acts
    contains -- "$argv[1]" resume pick
    and test -t 0
    and test -t 1
    or return 1
    for word in $argv
        switch $word
            case --
                return 0
            case -h --help --json --run --shell '--shell=*'
                return 1
        end
    end
    return 0
end

# What the key does in the mode in use, and the longer keys that begin with it.
function __sf_bound
    set -l mode default
    test "$fish_key_bindings" != fish_vi_key_bindings
    or set mode insert
    set -l native (__sf_notation)
    or return 0
    # fish 3 shows a key escaped, \cg or \x1d, fish 4 by its name: ctrl-g, ctrl-\].
    set -l shown "\Q$native\E" '\Q'(string escape -- (__sf_key))'\E'
    set -l name (string match -r '^\\\\([ce])(.)$' -- $native)
    and set -a shown (string replace c ctrl (string replace e alt $name[2]))"-\\\\?\Q$name[3]\E[ ,]"
    set -l seen
    # What the person binds comes before what fish has by itself for the same key.
    for line in (bind --user -M $mode) (bind --preset -M $mode)
        set line (string replace -r '^bind (--preset )?(-M \S+ )?(-m \S+ )?' '' -- $line)
        set -l word (string split -f 1 ' ' -- $line)
        contains -- "$word" $seen
        or string match -r -- '^(?:'(string join '|' $shown)').*' $line
        set -a seen $word
    end
end

function __sf_main
    if test "$argv[1]" = doctor
        # Only the shell knows these.
        set -l bound (__sf_bound 2>/dev/null | string collect)
        set -l key ctrl-g
        set -q SESSIDX_KEY
        and set key "$SESSIDX_KEY"
        SESSIDX_LOADED=fish SESSIDX_KEY=$key SESSIDX_BOUND=$bound __sf_run $argv
        return
    end
    if not __sf_acts $argv
        __sf_run $argv
        return
    end
    set -l line (__sf_run $argv[1] --shell fish $argv[2..])
    or return
    if __sf_runnable $line
        # fish 3 has no way to put a line into the history from here.
        history append -- $line 2>/dev/null
        __sf_leave $line
        eval $line
        set -l code $status
        functions -q __sf_settle
        and __sf_settle
        return $code
    else if set -q line[1]
        printf '%s\n' $line
    end
end

function sf --description 'Find and resume sessions of coding agents'
    __sf_main $argv
end

function sessidx --wraps sf --description 'Find and resume sessions of coding agents'
    __sf_main $argv
end

# Prints the key in fish's own notation: ctrl-x and alt-x, or what begins with \ as it is.
function __sf_notation
    set -l key ctrl-g
    set -q SESSIDX_KEY
    and set key "$SESSIDX_KEY"
    # No `?`: from fish 4 on it stands for itself alone.
    set -l name (string match -r '^(ctrl|alt)-(.)$' -- $key)
    switch "$name[2]"
        case ctrl
            echo '\c'$name[3]
        case alt
            echo '\e'$name[3]
        case '*'
            string match -r '^\\\\..*' -- $key
    end
end

function __sf_key
    set -l native (__sf_notation)
    and string unescape -- $native
end

function __sf_bind
    set -l key (__sf_key)
    or return 0
    for mode in default insert
        bind -M $mode $key __sf_widget
    end
end

if status is-interactive; and test "$TERM" != dumb
    __sf_bind
end
