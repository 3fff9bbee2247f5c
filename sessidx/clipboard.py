"""Copy a word, where a clipboard program is to be had; looked for in absolute PATH entries only."""

from . import paths

_PROGRAMS = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("TMUX", ("tmux", "load-buffer", "-w", "-")),
    ("PATH", ("pbcopy",)),
)


def copy(word: str) -> None:
    """Hand `word` to the first program whose surroundings are there; in vain without one."""
    import subprocess

    for variable, (name, *words) in _PROGRAMS:
        program, _ = paths.program(name)
        if program is None or paths.setting(variable) is None:
            continue
        try:
            subprocess.run(
                [program, *words],
                input=word.encode(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=2,
                check=False,
            )
        except (OSError, subprocess.SubprocessError):
            continue
        return
