"""Plan -> one line for posix, zsh, bash or fish: the same argv in its shell, whatever the bytes.

Each character of the line is seen, it can be pasted and stands in history. What is plain stands bare or
in single quotes. In bash and zsh a folder's name with anything else is written in the shell's own
escapes, so that no history expansion, option (rc_quotes, csh_junkie_quotes) or reloaded history
file changes it, and nothing in it runs even where bash puts the line inside an open quote.
"""

from . import text

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from .plan import Plan

# How a line that changes the folder begins: what the integration of each shell looks for before it
# runs one. In zsh a quoted word is one that `correct_all` does not take for another.
BEGINNINGS = {
    "posix": "command cd -- ",
    "zsh": "builtin \\cd -- ",
    "bash": "builtin cd -- ",
    "fish": "builtin cd -- ",
}

SHELLS = tuple(BEGINNINGS)

_BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-")
# Means nothing to a shell inside of quotes, and outside of them no more than a word's end.
_CALM = _BARE | frozenset("+@%=:,~ ")
_OURS = _CALM | frozenset('"[]')  # stands in words of ours: effort="high", opus[1m]
_ESCAPES = {0x0A: "\\n", 0x09: "\\t"}


class Unprintable(Exception):
    """A word holds bytes that the plain POSIX line cannot."""


def line(plan: "Plan", shell: str) -> str:
    """The line that carries out `plan` in `shell`; raises Unprintable for posix alone."""
    steps = [change(plan.cwd, shell), *(plan.arrivals if shell == "bash" else ())]
    words = [
        f"{name}={quote(value, shell, bare=False) if value else ''}"
        for name, value in plan.env.items()
    ]
    program, *rest = plan.argv
    words.append(quote(program, shell))  # bare where it can be: an alias of the person's applies
    words += [quote(word, shell, bare=shell != "zsh" or word.startswith("-")) for word in rest]
    return " && ".join([*steps, " ".join(words)])


def change(folder: str, shell: str) -> str:
    """The line that only changes to `folder`; raises Unprintable for posix alone."""
    return BEGINNINGS[shell] + quote(folder, shell, bare=False)


def quote(word: str, shell: str, bare: bool = True) -> str:
    """One word for `shell`, quoted even when plain if not `bare`. Surrogates stand for odd bytes."""
    if bare and word and _BARE.issuperset(word):
        return word
    if shell == "fish":
        return _fish(word)
    if shell == "posix":
        if not text.is_clean(word):
            raise Unprintable(word)
        return "'" + word.replace("'", "'\\''") + "'"
    calm = _OURS if bare else _CALM
    if all(char in calm or (char > "\x7f" and text.is_clean(char)) for char in word):
        return f"'{word}'"
    return "$'" + "".join(map(_hex, word.encode("utf-8", "surrogateescape"))) + "'"


def _hex(byte: int) -> str:
    """A byte inside `$'…'`: also `!` and quotes, which history expansion reads on its own terms."""
    char = chr(byte)
    return char if char in _CALM else _ESCAPES.get(byte, f"\\x{byte:02x}")


def _fish(word: str) -> str:
    """Single quotes know two escapes in fish; what is not printable stands between them."""
    pieces, plain = [], ""
    for char in word:
        if text.is_clean(char):
            plain += {"\\": "\\\\", "'": "\\'"}.get(char, char)
            continue
        if plain:
            pieces.append(f"'{plain}'")
            plain = ""
        raw = char.encode("utf-8", "surrogateescape")
        pieces += [_ESCAPES.get(byte, f"\\X{byte:02x}") for byte in raw]
    if plain or not pieces:
        pieces.append(f"'{plain}'")
    return "".join(pieces)
