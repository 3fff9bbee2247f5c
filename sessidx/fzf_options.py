"""The options that fzf runs with: the person's own, what we would like before, what we rely on behind.

What the person's options may do to a list of ours was tried with fzf 0.38, 0.48, 0.53, 0.60, 0.66 and
0.74. What cannot be undone on the command line is named when fzf has answered without a row.
"""

import os

from . import files, output, paths, text

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_STYLE = (
    "--height=90% --min-height=12 --layout=reverse --info=inline --tiebreak=index --exact "
    "--bind=ctrl-z:ignore --bind=ctrl-/:toggle-preview "
    "--bind=alt-up:preview-page-up --bind=alt-down:preview-page-down "
    "--preview-label=' Alt-Up Alt-Down scroll, Ctrl-/ hides ' "
)
_PLACES = ("center", "top", "bottom", "left", "right", "up", "down")
_HIGH, _WIDE = 30, 120  # lines from which on a preview has room below, columns for it beside
_FIXED = (
    "--no-multi",
    "--print-query",
    "--no-print0",
    "--no-read0",
    "--no-select-1",
    "--no-exit-0",
    "--no-tac",
    "--no-header-lines",
    "--no-listen",
    "--enabled",
    "--clear",
    "--ansi",
    "--delimiter=\t",
    "--nth=..",
    "--bind=enter:accept,double-click:accept",
    "--no-expect",
)
# An fzf ends at an option that it does not know: one that the person names it does (of 0.51, 0.53, 0.60).
_NEWER = (
    ("--with-shell", "--with-shell=/bin/sh -c"),
    ("--tail", "--no-tail"),
    ("--accept-nth", "--accept-nth=1.."),
)

# What happens by itself, and what takes our rows, the choice or the keys away when bound to it.
_EVENTS = (
    *("start", "load", "change", "focus", "result", "one", "zero", "resize", "multi"),
    *("backward-eof", "jump", "jump-cancel"),
)
_DEEDS = (
    *("reload", "become", "abort", "accept", "print", "unbind", "search", "jump", "exclude"),
    *("change-nth", "change-with-nth", "change-multi"),
)
_WITHOUT_LIST = (
    "--filter",
    "-f",
    "--version",
    "--help",
    "-h",
    "--man",
    "--bash",
    "--zsh",
    "--fish",
)
_FAR = 200  # characters of a binding that are looked at
_LIMIT = 64 * 1024
_SHOWN = 40


def size() -> tuple[int, int]:
    """The columns and lines that fzf has: the terminal's, or those of a popup that is asked for.

    A popup's share is one of all that tmux has, so in a part of it there is more room than told here.
    """
    whole = output.size()
    if not paths.setting("TMUX"):
        return whole
    popup = None
    words = [word for told in _theirs().values() for word in _words(told)]
    for word, following in zip(words, [*words[1:], ""], strict=True):
        name, _, value = word.partition("=")
        if name in ("--tmux", "--popup"):
            popup = value or ("" if following.startswith("-") else following)
        elif name in ("--no-tmux", "--no-popup", "--height", "--no-height"):
            popup = None
    return whole if popup is None else _popup(popup, *whole)


def _popup(told: str, columns: int, lines: int) -> tuple[int, int]:
    """What a popup such as `right,60%,80%` leaves within its border of so many columns and lines."""
    parts = told.split(",")
    place = parts.pop(0) if parts[0] in _PLACES else "center"
    sizes = [part for part in parts if part.rstrip("%").isdecimal()] or ["50%"]
    first, second = sizes[0], sizes[1] if len(sizes) > 1 else None
    flat = place in ("top", "up", "bottom", "down")
    if second:
        wide, high = first, second
    elif place == "center":
        wide = high = first
    else:
        wide, high = ("100%", first) if flat else (first, "100%")
    return _share(wide, columns), _share(high, lines)


def _share(told: str, whole: int) -> int:
    number = int(told.rstrip("%")[:6])
    return max(1, min(whole, whole * number // 100 if told.endswith("%") else number) - 2)


def is_beside() -> bool:
    """Whether the preview stands beside the rows: where the room is wide and low."""
    columns, lines = size()
    return lines < _HIGH and columns >= _WIDE


def _style() -> str:
    side = "right" if is_beside() else "down"
    return f"{_STYLE}--preview-window={side},50%,wrap"


def fixed(shown: str, keys: "Iterable[str]") -> "Iterator[str]":
    """What stands last on the command line.

    `shown`: which field of a row, and behind; `keys`: those that choose besides Enter.
    """
    yield from _FIXED
    yield f"--with-nth={shown}"
    yield f"--expect={','.join(keys)}"
    told = "\n".join(_theirs().values())
    yield from (option for name, option in _NEWER if name in told)
    yield from (f"--bind={event}:ignore" for event in _EVENTS if _takes_away(event, told))


def environment() -> dict[str, str]:
    """The environment of fzf: SHELL is sh, for older ones quote for that alone."""
    told = dict(os.environ)
    theirs = _theirs()
    if "FZF_DEFAULT_OPTS_FILE" in theirs:  # what we would like stands before what is in it, too
        told["FZF_DEFAULT_OPTS_FILE"] = ""
    told["FZF_DEFAULT_OPTS"] = "\n".join([_style(), *theirs.values()])
    told["SHELL"] = "/bin/sh"
    return told


def in_the_way() -> str:
    """Which option of the person's it may be that left us without an answer."""
    theirs = _theirs()
    for variable, told in theirs.items():
        for word in _words(told):
            _, bound, deed = word.partition(":")
            if word.partition("=")[0] in _WITHOUT_LIST or (
                bound and any(name in deed for name in _DEEDS)
            ):
                shown = word if len(word) <= _SHOWN else word[:_SHOWN] + "…"
                return f"{text.path(shown)} in {variable}"
    return f"an option in {' or '.join(_theirs() or ['SESSIDX_FZF_OPTS'])}"


def sources() -> str:
    """Where the person's options stand, in brackets; "" when they have none."""
    theirs = _theirs()
    return f" (its options: {', '.join(theirs)})" if theirs else ""


def _theirs() -> dict[str, str]:
    """The person's options by the variable that holds them, in fzf's order, ours of that kind last."""
    found = {}
    if file := paths.setting("FZF_DEFAULT_OPTS_FILE"):
        try:
            read = files.small(os.path.realpath(file), _LIMIT)
            found["FZF_DEFAULT_OPTS_FILE"] = read.decode("utf-8", "surrogateescape")
        except (OSError, ValueError):
            pass  # fzf says so itself
    for variable in ("FZF_DEFAULT_OPTS", "SESSIDX_FZF_OPTS"):
        if value := paths.setting(variable):
            found[variable] = value
    return found


def _takes_away(event: str, told: str) -> bool:
    """Whether something in `told` that is bound to `event` may do one of the deeds."""
    at = told.find(event + ":")
    while at >= 0:
        bound = told[at : at + _FAR]
        alone = at == 0 or told[at - 1] in "=, '\"\t\n"
        if alone and any(deed in bound for deed in _DEEDS):
            return True
        at = told.find(event + ":", at + 1)
    return False


def _words(told: str) -> list[str]:
    import shlex

    try:
        return shlex.split(told, comments=True)
    except ValueError:
        return told.split()
