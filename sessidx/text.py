"""What may reach a terminal, a row or the index: one printable line, and nothing else.  (pure)

Every string that comes out of a store goes through here before a person sees it. Must not read
files or the environment, and must not know any app.
"""

TITLE_LIMIT = 200
_LONGEST_PATH = 1 << 16  # sixteen times what any system takes

_HEX = frozenset("0123456789abcdefABCDEF")

_BLANKS = "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u2028\u2029"
# Letters, marks and symbols by their category that a screen shows as nothing at all; of the variation
# selectors only the two that choose how an emoji looks are kept.
_INVISIBLE = frozenset(
    (
        *"\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159",
        *map(chr, range(0xFE00, 0xFE0E)),
        *map(chr, range(0xE0100, 0xE01F0)),
    )
)
_UNASSIGNED_INVISIBLE = (range(0x2065, 0x2066), range(0xFFF0, 0xFFF9), range(0xE0000, 0xE1000))


def one_line(value: object, limit: int = TITLE_LIMIT) -> str | None:
    """The printable words of `value` on one line of at most `limit` characters ("…" when cut).

    Terminal sequences go whole; white space of any kind becomes one space; control, bidi and
    zero-width characters vanish; half a surrogate pair becomes U+FFFD. Anything that is not text,
    or holds none, is None.
    """
    if not isinstance(value, str):
        return None
    if not is_clean(value):
        value = _scrub(value[: 64 * limit])
    line = " ".join(value.split())
    if len(line) > limit:
        line = line[: limit - 1].rstrip() + "…"
    return line or None


def clean(value: str) -> str:
    """`value` with all that could act on a terminal removed; blanks become spaces, none is folded."""
    return value if is_clean(value) else _scrub(value)


def path(value: str) -> str:
    """A folder or file name as shown: itself, or with what is not printable as `\\n`, `\\x1b`…"""
    return value if is_clean(value) else "".join(map(_escape, value))


def fold(value: str) -> str:
    """`value` as it is compared: without regard to case, and to how its letters are composed."""
    if value.isascii():
        return value.lower()
    from unicodedata import normalize

    return normalize("NFC", normalize("NFC", value).casefold())


def is_uuid(word: str) -> bool:
    """Whether `word` has the form of a UUID."""
    groups = word.split("-")
    return [len(group) for group in groups] == [8, 4, 4, 4, 12] and _HEX.issuperset("".join(groups))


def folder(value: object) -> str | None:
    """A recorded folder as a session holds it: raw, less a trailing `/`; None when it can be none."""
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_PATH:
        return None
    return value.rstrip("/") or "/"


def branch(value: object) -> str | None:
    """A recorded branch, clean; `HEAD` (detached) and `.invalid` (reftable) count as none."""
    return None if value in ("HEAD", ".invalid") else one_line(value)


def _escape(char: str) -> str:
    if char == "\\":
        return "\\\\"
    if char.isprintable() and char not in _INVISIBLE:
        return char
    if "\udc80" <= char <= "\udcff":  # a byte that is not UTF-8, as os.fsdecode hands it over
        return f"\\x{ord(char) - 0xDC00:02x}"
    return "\ufffd" if "\ud800" <= char <= "\udfff" else ascii(char)[1:-1]


def is_clean(value: str) -> bool:
    """Whether a screen shows every character of `value`, and none acts on it."""
    return value.isprintable() and (value.isascii() or _INVISIBLE.isdisjoint(value))


def _scrub(value: str) -> str:
    if "\x1b" in value or any("\x90" <= char <= "\x9f" for char in value):
        value = _without_sequences(value)
    if is_clean(value):
        return value
    kept = {char: _kept(char) for char in set(value)}  # each looked up once: there may be many
    return "".join(map(kept.__getitem__, value))


def _kept(char: str) -> str:
    """What of `char` a screen may show."""
    if char.isprintable():
        return "" if char in _INVISIBLE else char
    if char in _BLANKS:
        return " "
    from unicodedata import category

    kind = category(char)
    # Unassigned (Cn) is mostly a character newer than this Python; Co is private use.
    if kind == "Cn" and any(ord(char) in unseen for unseen in _UNASSIGNED_INVISIBLE):
        return ""
    return {"Cs": "\ufffd", "Zs": " ", "Co": char, "Cn": char}.get(kind, "")


def _without_sequences(value: str) -> str:
    """Whole terminal sequences (CSI, OSC, DCS…) go with their bodies, so no `[31m` is left over."""
    import re

    return re.sub(
        r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
        r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"
        r"|\x1b[ -/]*[0-Z\\^-~]",
        "",
        value,
    )
