"""Standing wishes: words of the person's own that are added to each line of an app, and what they set.

A mode among them is the person's own, as if typed; they are quoted for the shell like any other word.
"""

from . import paths, text
from .output import Failure

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_LONGEST = 4096


def words(variable: str | None) -> tuple[str, ...]:
    """The words in a variable, told apart as a shell does; Failure where it could not."""
    told = paths.setting(variable) if variable else None
    if not told:
        return ()
    if len(told) > _LONGEST or not text.is_clean(told):
        raise Failure(f"{variable} is too long, or holds what cannot be shown", 2)
    from shlex import split

    try:
        return tuple(split(told))
    except ValueError as error:
        raise Failure(f"{variable}: {str(error).lower()}", 2) from None


def sets(theirs: "Iterable[str]", flags: "Mapping[str, tuple[str, ...]]") -> frozenset[str]:
    """Of the settings that `flags` name by their options those that `theirs` give: ours give way."""
    found: set[str] = set()
    for word in theirs:
        if word == "--":
            break
        option = word.partition("=")[0]
        short = word[:2] if word[:1] == "-" and word[:2] != "--" else option
        found.update(flags.get(option) or flags.get(short) or ())
    return frozenset(found)
