# What fisher installs: the integration of the sf that is installed, and its completion.

if status is-interactive
    if command -q sessidx
        command sessidx init fish | source
    else
        echo "sf: the plugin is here, the program is not: pipx install 'sessidx[fzf]'" >&2
    end
end
