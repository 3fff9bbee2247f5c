# Completion of sf for fish, autoloaded or sourced.
# A test holds commands, options and their values in step with the program.

# Whether the line is one of these commands; without a command it is `find`.
function __sf_is
    set -l words (commandline -opc)
    if contains -- "$words[2]" find pick resume show build apps doctor init demo
        contains -- $words[2] $argv
    else
        contains -- find $argv
    end
end

function __sf_is_first
    test (count (commandline -opc)) -eq 1
end

# Whether the command's one argument is still to come.
function __sf_wants_argument
    set -l last
    for word in (commandline -opc)[3..]
        switch $word
            case '-*'
            case '*'
                contains -- "$last" --app --shell
                or return 1
        end
        set last $word
    end
    return 0
end

# The program that this file came with; the integration knows its own.
set -g __sf_beside (string replace -r '/share/fish/[^/]*/[^/]*$' /bin/sf -- (status filename))
test -x $__sf_beside
or set __sf_beside (string replace -r '/completions/[^/]*$' /.venv/bin/sf -- (status filename))

# The ids, newest first, with a description. Nothing that the program says may reach the terminal.
function __sf_sessions
    set -l program $__sf_program $__sf_beside
    test -x "$program[1]"
    and $program[1] @ids $argv </dev/null 2>/dev/null
end

# Whether an agent's own command asks for a session: claude behind an option, codex behind its verb.
function __sf_resumes
    if set -q SESSIDX_COMPLETE_AGENTS; and test -z "$SESSIDX_COMPLETE_AGENTS"
        return 1
    end
    set -l words (commandline -opc)
    switch $argv[1]
        case claude
            contains -- $words[-1] --resume -r
        case codex
            test (count $words) -eq 2
            and contains -- $words[2] resume fork
    end
end

function __sf_columns
    set -l token (commandline -ct)
    set -l done (string replace -r '^--columns=' '' -- "$token" | string replace -r '[^,]*$' '')
    string join -- \n $done{id,app,updated,cwd,branch,title,model,effort,mode,approval,sandbox,origin,archived,live,size,path,home,fork_of,interrupted,said}
end

complete -c sf -e
complete -c sf -f
complete -c sf -s h -l help -d 'Show help'
complete -c sf -s V -l version -d 'Show the version'

complete -c sf -n __sf_is_first -a find -d 'List the sessions that contain every word'
complete -c sf -n __sf_is_first -a pick -d 'Choose a session in fzf and print the line that resumes it'
complete -c sf -n __sf_is_first -a resume -d 'Print the vetted line that resumes a session'
complete -c sf -n __sf_is_first -a show -d 'Show everything known of a session and its last exchange'
complete -c sf -n __sf_is_first -a build -d 'Bring the index up to date and say what was found'
complete -c sf -n __sf_is_first -a apps -d 'List the supported apps'
complete -c sf -n __sf_is_first -a doctor -d 'Say what is wrong or unusual, and the command that mends it'
complete -c sf -n __sf_is_first -a init -d 'Print the lines that load the integration for a shell'
complete -c sf -n __sf_is_first -a demo -d 'Try everything on a throw-away home'

complete -c sf -n '__sf_is find pick resume' -l app -x -a 'claude-code codex gemini opencode kilo copilot qwen kimi pi grok vibe cline hermes droid cursor goose' -d 'Only this app'
complete -c sf -n '__sf_is find pick resume' -l here -d 'Only in this repository or folder, its worktrees included'
complete -c sf -n '__sf_is find pick' -l dir -x -a '(__fish_complete_directories (commandline -ct))' -d 'Only in this folder or below'
complete -c sf -n '__sf_is find pick' -l branch -x -d 'Only where the branch holds this text'
complete -c sf -n '__sf_is find pick' -l since -x -d 'Not older: 2d, 3h, 2026-11-01'
complete -c sf -n '__sf_is find pick' -l until -x -d 'Not newer: 2d, 3h, 2026-11-01'
complete -c sf -n '__sf_is find pick' -l interrupted -d 'Only what was open when its process ended'
complete -c sf -n '__sf_is find pick' -l all -d 'Scripted and archived sessions, too'
complete -c sf -n '__sf_is find pick' -l limit -x -d 'At most so many sessions'
complete -c sf -n '__sf_is find pick show' -l said -d 'Look for the words in what was said, all in one message'
complete -c sf -n '__sf_is find pick' -l columns -x -a '(__sf_columns)' -d 'The columns of each row'

complete -c sf -n '__sf_is pick resume show' -l shell -x -a 'posix zsh bash fish' -d 'How to quote the line'
complete -c sf -n '__sf_is pick resume' -l fork -d 'Go on in a copy of the session'
complete -c sf -n '__sf_is pick resume' -l permissive -d 'Carry a recorded mode that is looser than the default, this once'
complete -c sf -n '__sf_is pick resume' -s y -l yes -d 'Answer every question with yes'
complete -c sf -n '__sf_is pick resume' -l no-model -d 'Leave the model to the app'
complete -c sf -n '__sf_is resume' -l last -d 'The newest session'
complete -c sf -n '__sf_is resume' -l in -x -a '(__fish_complete_directories (commandline -ct))' -d 'Resume in this folder'
complete -c sf -n '__sf_is resume' -l run -d 'Run it here instead of printing the line'
complete -c sf -n '__sf_is resume' -l json -d 'Print the plan'

complete -c sf -n '__sf_is find' -l format -x -a 'tsv table json jsonl' -d 'How to print it'
complete -c sf -n '__sf_is apps' -l format -x -a 'table json' -d 'How to print it'
complete -c sf -n '__sf_is show build doctor' -l format -x -a 'text json' -d 'How to print it'
complete -c sf -n '__sf_is find apps show build doctor' -l json -d 'Short for --format json'

complete -c sf -n '__sf_is resume show; and __sf_wants_argument' -k -a '(__sf_sessions)'
complete -c sf -n '__sf_is init; and __sf_wants_argument' -a 'zsh bash fish'

# Beside whatever else completes them.
complete -c claude -n '__sf_resumes claude' -f -k -a '(__sf_sessions claude-code)'
complete -c codex -n '__sf_resumes codex' -f -k -a '(__sf_sessions codex)'

complete -c sessidx -w sf
