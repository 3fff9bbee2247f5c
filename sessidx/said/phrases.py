"""What is sought in what was said, and how it is compared.  (pure)

Any case, composed and decomposed letters alike, accents count, white space of any kind is one blank.
Must not know any app, nor how a record is written but for this: JSON may escape a character, and no
writer of it escapes the letters and digits of ASCII.
"""

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

BLANKS = "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B)))
BLANKS += "\u2028\u2029\u202f\u205f\u3000"
# What no writer of JSON escapes; some write `/`, `<`, `>`, `&`, `'`, `+`, "`" and `=` as `\u…`. Nor `!`,
# which is put before a command for the shell.
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-.,:()[]{}?#@%^*|$~")
_TELLING = 3  # characters that few lines hold by chance
# Of all that is not ASCII only these two become plain letters: they count as letters of their own.
_KELVIN, _DOTTED, _APART = "\u212a", "\u0130", "\ufffd"


def composed(text: str) -> str:
    """`text` letter by letter as `lowered` takes it."""
    if text.isascii():
        return text
    from unicodedata import normalize

    return normalize("NFC", text.replace(_KELVIN, _APART)).replace(_DOTTED, _APART)


def spaced(text: str) -> str:
    """`text` composed and on one line, with one blank for white space of any kind."""
    text = composed(text)
    # Of a message of megabytes the words, each by itself, would take ten times its size.
    for blank in BLANKS[:9] if text.isascii() else BLANKS:
        if blank in text:
            text = text.replace(blank, " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text.strip(" ")


def lowered(text: str) -> str:
    """`text`, composed, without regard to case: of the same length."""
    return text.lower().replace("\u03c2", "\u03c3")  # a last sigma is any sigma


def folded(text: str) -> str:
    """`text` as it is compared."""
    return lowered(spaced(text))


def split(typed: str) -> list[str]:
    """The words of what is typed in one line; what stands between double quotes stays together."""
    found: list[str] = []
    for number, part in enumerate(typed.split('"')):
        found += [part] if number % 2 else part.split()
    return found


class Sought:
    """Phrases that are all to be found in one message."""

    def __init__(self, words: "Iterable[str]") -> None:
        """`words`: each a phrase, compared as it is said; blank ones count for nothing."""
        phrases = {phrase for word in words if (phrase := folded(word))}
        self.phrases = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
        runs = {run for phrase in phrases for run in _runs(phrase)}
        self._plain = sorted((run.encode() for run in runs), key=len, reverse=True)
        self._others = [
            test
            for phrase in self.phrases
            if max(map(len, _runs(phrase)), default=0) < _TELLING and (test := _wide_test(phrase))
        ]

    def beyond(self, row: str) -> "Sought":
        """What of it a row does not show by itself; all, where it shows all."""
        hay = folded(row)
        left = [phrase for phrase in self.phrases if phrase not in hay]
        return self if len(left) in (0, len(self.phrases)) else Sought(left)

    def likely(self, line: bytes) -> bool:
        """Whether a message recorded in `line` could hold it all; never wrong about one that does."""
        low = line.lower()
        for run in self._plain:
            if run not in low:
                return False
        return all(test(low) for test in self._others)

    def said_in(self, text: str) -> bool:
        """Whether `text`, a message, holds it all."""
        told = folded(text)
        return all(phrase in told for phrase in self.phrases)


def _runs(phrase: str) -> list[str]:
    return "".join(char if char in _PLAIN else " " for char in phrase).split()


def _wide_test(phrase: str) -> "Callable[[bytes], bool] | None":
    """A test by the longest part that is not ASCII: it stands as it is, or escaped."""
    parts = "".join(char if _is_steady(char) else " " for char in phrase).split()
    wide = max((part for part in parts if not part.isascii()), key=len, default="")
    if not wide:
        return None
    return lambda low: b"\\u" in low or wide in folded(low.decode("utf-8", "replace"))


def _is_steady(char: str) -> bool:
    """Whether a character is composed in one way only, and never escaped but as `\\u…`."""
    from unicodedata import normalize

    if char.isascii():
        return char in _PLAIN
    return char != _APART and char.isprintable() and normalize("NFD", char) == char
