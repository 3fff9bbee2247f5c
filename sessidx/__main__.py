"""main(): the plain calls, answered without click; everything else goes to cli.

Start-up is the product: click alone costs more than a plain call may take. Only exact forms are
answered here, by the same functions that cli calls, so both give the same bytes.
"""

import sys

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

COMMANDS = ("find", "pick", "resume", "show", "build", "apps", "doctor", "init", "demo")
_SHELLS = ("zsh", "bash", "fish")


def main() -> "NoReturn":
    """Run `sf` on sys.argv and end the process with its exit code."""
    from .output import answer

    answer(plain(sys.argv[1:]) or _run)


def _run() -> int:
    from .cli import run

    return run()


def plain(args: list[str]) -> "Callable[[], int] | None":
    """The answer to a plain call, or None: click's."""
    first = args[0] if args else ""
    if args in (["-V"], ["--version"]):
        return _version
    said = args[args[:1] == ["find"] :]
    if said[:1] == ["--said"] and said[1:] and not any(w.startswith("-") for w in said[1:]):
        return lambda: _said(said[1:])
    if first not in COMMANDS and first not in ("@ids", "@glance", "@said", "@heard"):
        if any(word.startswith("-") or not word for word in args):
            return None
        return lambda: _find(args)
    if first == "@ids" and len(args) <= 2 and not args[-1].startswith("-"):
        return lambda: _ids(*args[1:])
    if first == "init" and len(args) == 2 and args[1] in _SHELLS:
        return lambda: _init(args[1])
    if first == "show" and len(args) == 2 and not args[1].startswith("-"):
        return lambda: _show(args[1])
    if first == "@glance" and len(args) in (3, 4) and args[1] in (*_SHELLS, "posix"):
        return lambda: _glance(*args[1:])
    if (first, len(args)) in (("@said", 5), ("@heard", 5), ("@heard", 6)):
        return lambda: _picking(first, args[1:])
    if first == "pick" and len(args) == 3 and args[1] == "--shell" and args[2] in _SHELLS:
        return lambda: _pick(args[2])
    return None


def _version() -> int:
    from . import __version__
    from .output import lines

    lines([f"sf {__version__}"])
    return 0


def _find(words: list[str]) -> int:
    from .find import find
    from .query import Query

    return find(Query(words))


def _said(words: list[str]) -> int:
    from .query import Query
    from .said.find import find

    return find(Query(), words)


def _ids(app: str | None = None) -> int:
    from .find import ids

    return ids(app)


def _init(shell: str) -> int:
    from .integration import init

    return init(shell)


def _show(wanted: str) -> int:
    from .preview import show

    return show(wanted)


def _glance(shell: str, wanted: str, typed: str = "") -> int:
    from .glance import glance

    return glance(wanted, shell, typed)


def _picking(what: str, words: list[str]) -> int:
    from .said import picking

    return (picking.said if what == "@said" else picking.heard)(*words)


def _pick(shell: str) -> int:
    from .picker import pick

    return pick(shell=shell)


if __name__ == "__main__":
    main()
