# sf for fish, to be sourced: Ctrl-G (or SESSIDX_KEY) picks a session and resumes it in this shell, and so does typing
# `sf resume ...` or `sf pick ...`. All judgement is in the program; here a line is only put into the editor and run.

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

# direnv and mise set a project's variables at the next prompt: too late for an agent that the line itself starts. So
# with such a line, be it out of the history, their hooks are called on arriving in the folder.
function __sf_leave --on-event fish_preexec
    __sf_runnable $argv
    or return
    function __sf_arrive --on-variable PWD
        functions -e __sf_arrive
        for hook in __direnv_export_eval __mise_env_eval
            functions -q $hook
            and $hook
        end
    end
end

function __sf_widget
    # What sf says is held back, or it would be written into the line being typed.
    set -l line
    set -l note
    set -l code
    set line (command sf pick --shell fish 2>| read -z note; set code $pipestatus[1])
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
    set -l key (__sf_key)
    or return 0
    # fish 3 shows a key escaped, fish 4 by its name.
    set -l shown (string escape -- $key)
    set -a shown (string replace -r '^\\\\c(.)$' 'ctrl-$1' -- $shown | string replace -r '^\\\\e(.)$' 'alt-$1')
    set -l seen
    # What the person binds comes before what fish has by itself for the same key.
    for line in (bind --user -M $mode) (bind --preset -M $mode)
        set line (string replace -r '^bind (--preset )?(-M \S+ )?(-m \S+ )?' '' -- $line)
        set -l word (string split -f 1 ' ' -- $line)
        contains -- "$word" $seen
        or string match -r -- "^(?:\Q$shown[1]\E|\Q$shown[2]\E[ ,]).*" $line
        set -a seen $word
    end
end

function sf --description 'Find and resume sessions of coding agents'
    if test "$argv[1]" = doctor
        # Only the shell knows these.
        set -l bound (__sf_bound 2>/dev/null | string collect)
        set -l key ctrl-g
        set -q SESSIDX_KEY
        and set key "$SESSIDX_KEY"
        SESSIDX_LOADED=fish SESSIDX_KEY=$key SESSIDX_BOUND=$bound command sf $argv
        return
    end
    if not __sf_acts $argv
        command sf $argv
        return
    end
    set -l line (command sf $argv[1] --shell fish $argv[2..])
    or return
    if __sf_runnable $line
        # fish 3 has no way to put a line into the history from here.
        history append -- $line 2>/dev/null
        __sf_leave $line
        eval $line
    else if set -q line[1]
        printf '%s\n' $line
    end
end

# Prints the key: ctrl-x and alt-x in fish's notation; what begins with \ is in it already.
function __sf_key
    set -l key ctrl-g
    set -q SESSIDX_KEY
    and set key "$SESSIDX_KEY"
    switch $key
        case 'ctrl-?'
            string unescape -- '\\c'(string sub -s 6 -- $key)
        case 'alt-?'
            string unescape -- '\\e'(string sub -s 5 -- $key)
        case '*'
            string match -qr '^\\\\.' -- $key
            and string unescape -- $key
    end
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
