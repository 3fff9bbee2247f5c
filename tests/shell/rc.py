"""The start-up files that the shells under test read: a prompt that tells its number and the last status.

Each prompt is also noted in the journal (`prompt TAB number TAB status TAB folder`), which is where a test learns the
folder: on the screen a hostile name could not be told from what it does.
"""

from __future__ import annotations

import os

from .world import REPOSITORY, World

ZSH = r"""
N=0
PS1='[${N}:%?]> ' PS2='more> '
setopt prompt_subst
HISTFILE=$HOME/.history HISTSIZE=100 SAVEHIST=100
setopt inc_append_history
precmd() { local code=$?; (( ++N )); printf 'prompt\t%s\t%s\t%s\0' $N $code "$PWD" >>$JOURNAL }
"""
ZSH_VI = r"""
bindkey -v
zle-keymap-select() { printf 'mode\t%s\0' $KEYMAP >>$JOURNAL }
zle -N zle-keymap-select
"""

BASH = r"""
N=0 CODE=0
PS1='[${N}:${CODE}]> ' PS2='more> '
HISTFILE=$HOME/.history
PROMPT_COMMAND='CODE=$?; (( ++N )); \printf "prompt\t%s\t%s\t%s\0" "$N" "$CODE" "$PWD" >>"$JOURNAL"; \history -a'
"""
BASH_VI = "set -o vi\n"
INPUTRC = """
set show-mode-in-prompt on
set vi-cmd-mode-string "(command)"
set vi-ins-mode-string "(insert)"
"""

FISH = r"""
set -g fish_greeting
set -g fish_autosuggestion_enabled 0
set -g N 0
function __count --on-event fish_prompt
    set -l code $status
    set -g N (math $N + 1)
    printf 'prompt\t%s\t%s\t%s\0' $N $code "$PWD" >>$JOURNAL
end
function fish_prompt
    set -l code $status
    printf '[%s:%s]> ' $N $code
end
function fish_right_prompt
end
"""
FISH_VI = r"""
fish_vi_key_bindings
function fish_mode_prompt
    printf '(%s)' $fish_bind_mode
end
"""


def program(shell: str) -> str:
    """The shell to drive: SF_TEST_BASH=/path/to/bash (and so on) tries another release by hand."""
    return os.environ.get(f"SF_TEST_{shell.upper()}", shell)


def integration(world: World) -> str:
    """The lines that load the integration, as `sf init` prints them but for the completion."""
    program = f"'{world.bin}/sf'"
    told = f"set -g __sf_init {program}" if world.shell == "fish" else f"__sf_init={program}"
    return f"{told}\n{source(world.shell)}"


def source(shell: str) -> str:
    """The line that sources the shell's file by its path."""
    return f"source '{REPOSITORY}/shell/sf.{shell}'\n"


def write(
    world: World, vi: bool, before: str = "", after: str = "", load: str | None = None
) -> list[str]:
    """Write the start-up files of the world's shell and return the command that starts it with them."""
    load = integration(world) if load is None else load
    if world.shell == "zsh":
        (world.home / ".zshrc").write_text(ZSH + ZSH_VI * vi + before + load + after)
        return [program("zsh"), "-d", "-i"]
    if world.shell == "bash":
        (world.home / ".inputrc").write_text(INPUTRC * vi)
        (world.home / ".bashrc").write_text(BASH + BASH_VI * vi + before + load + after)
        return [program("bash"), "--noprofile", "-i"]
    config = world.home / ".config" / "fish"
    config.mkdir(parents=True, exist_ok=True)
    # Without this folder fish reads every manual page in the background at its first start.
    (world.home / ".local/share/fish/generated_completions").mkdir(parents=True, exist_ok=True)
    (config / "config.fish").write_text(FISH + FISH_VI * vi + before + load + after)
    return [program("fish"), "-i"]
