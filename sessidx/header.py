"""The picker's header: how many there are, the keys that end it, and those that change the list.  (pure)"""

from .rows import width

_ENDING = (("Enter", "resume"), ("Alt-F", "fork"), ("Alt-O", "folder"), ("Alt-Y", "id"))
_LOOSE = ("Alt-P", "resume loosely")  # the last of them, or it is taken for a switch
_BETWEEN = " │ "


def header(
    count: str, columns: int, here: bool = False, everything: bool = False, said: bool = False
) -> str:
    """One line or two, the longest form that fits `columns`; Enter is in each.

    `count` as `counted` gives it. The rest says how the list is now: of this repository, with all
    that is hidden, by what was said.
    """
    changing = (
        ("Alt-S", "titles" if said else "said"),
        ("Alt-H", "everywhere" if here else "here"),
        ("Alt-A", "fewer" if everything else "all"),
        ("Alt-R", "again"),
    )
    ending = (*_ENDING, _LOOSE)
    forms = [
        [_spelled(ending) + _BETWEEN + _beside(count, _spelled(changing))],
        [_spelled(ending), _beside(count, _spelled(changing))],
        [_shortened(ending), _beside(count, _shortened(changing))],
        [_shortened(ending), _shortened(changing)],
        [_shortened(ending[:2]), _shortened(changing)],
    ]
    fitting = (form for form in forms if max(map(width, form)) <= columns)
    return "\n".join(next(fitting, ["Enter resume"]))


def counted(found: int, hidden: int, here: bool = False) -> str:
    """How many sessions there are, in this repository alone or all, and how many more Alt-A shows."""
    if here and not found:
        return "none here (Alt-H: everywhere)"
    told = f"{found} session" + ("" if found == 1 else "s")
    return told + (f", {hidden} hidden (Alt-A)" if hidden else "")


def _beside(count: str, keys: str) -> str:
    return f"{count}{_BETWEEN}{keys}" if count else keys


def _spelled(keys: "tuple[tuple[str, str], ...]") -> str:
    return "  ".join(f"{key} {does}" for key, does in keys)


def _shortened(keys: "tuple[tuple[str, str], ...]") -> str:
    """The same with `Alt-` before the first of a row alone, and the first word of what each does."""
    told, seen = [], False
    for key, does in keys:
        told.append(f"{key.removeprefix('Alt-') if seen else key} {does.split()[-1]}")
        seen = seen or key.startswith("Alt-")
    return "  ".join(told)
