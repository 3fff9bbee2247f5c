"""What CREATE TABLE and CREATE INDEX say of where values stand in a row, and in which order rows do.

SQLite keeps each statement as it was typed, from the name on; it is read as far as that needs.
"""

from . import Torn

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from . import Value

    Words = list["str | Words"]  # with what stands in parentheses as a list of its own

LONGEST = 1 << 16  # characters of a statement
# What follows the name of a column's type.
_AFTER_TYPE = {
    *("CONSTRAINT", "DEFAULT", "NULL", "NOT", "PRIMARY", "UNIQUE", "CHECK"),
    *("REFERENCES", "COLLATE", "GENERATED", "AS"),
}
_OF_TABLE = {"CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"}
_TEXTS, _REALS = ("CHAR", "CLOB", "TEXT"), ("REAL", "FLOA", "DOUB")
_CONSTANTS = {"NULL": None, "TRUE": 1, "FALSE": 0}
_PLAIN: "tuple[list[str], ...]" = (
    [],
    ["ASC"],
    ["AUTOINCREMENT"],
)  # after the name of a column in a key
_QUOTES = {'"': '"', "'": "'", "`": "`", "[": "]"}
_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.")


class Quoted(str):
    """A name or a text that stood in quotes: never a keyword."""

    __slots__ = ()


class Table:
    """The columns of a table, by name in lower case, and the keys that make an index."""

    def __init__(self, sql: str) -> None:
        self.places: dict[str, int] = {}  # in a row as it is stored
        self.defaults: dict[str, Value] = {}  # for rows older than the column
        self.real: set[str] = set()  # where a whole number stands for a float
        self.alias: str | None = None  # the one that is the rowid
        self.keys: list[list[str | None]] = []  # each has an index that SQLite made by itself
        self.collated: set[str] = set()  # not in the order of their bytes
        self._kinds: dict[str, str] = {}
        self._order: list[str | None] = []
        statement = parse(sql)
        columns = next((part for part in statement if isinstance(part, list)), None)
        if _keywords(statement)[:2] != ["CREATE", "TABLE"] or columns is None:
            raise Torn("no table")
        self.rowless = "WITHOUT" in _keywords(statement)
        for definition in _split(columns):
            if _keywords(definition)[0] in _OF_TABLE:
                self._constraint(definition)
            else:
                self._column(definition)
        if self.rowless:  # it is itself the index of its key, the other columns behind that
            if None in self._order:
                raise Torn("its key is not understood")
            names = dict.fromkeys([*map(str, self._order), *self.places])
            self.places = {name: place for place, name in enumerate(names)}

    def _column(self, definition: "Words") -> None:
        words, name = _keywords(definition), str(definition[0]).lower()
        if "AS" in words and "STORED" not in words:
            return  # it is made anew at each reading
        self.places[name] = len(self.places)
        end = next((at for at, word in enumerate(words) if word in _AFTER_TYPE), len(words))
        kind = self._kinds[name] = " ".join(str(word).upper() for word in definition[1:end])
        if _has(kind, _REALS) and not _has(kind, ("INT", "BLOB", *_TEXTS)):
            self.real.add(name)
        for at, word in enumerate(words):
            if word == "DEFAULT":
                self.defaults[name] = _default(definition[at + 1 :], kind)
            elif word == "COLLATE":
                self.collated.add(name)
            elif word == "UNIQUE":
                self._key([name])
            elif word == "PRIMARY":
                descends = words[at + 2 : at + 3] == ["DESC"]
                self._primary([None if descends else name], "" if descends else name)

    def _constraint(self, definition: "Words") -> None:
        words = ["", *_keywords(definition)]
        for at, group in enumerate(definition):
            if isinstance(group, list) and words[at - 1 : at + 1] == ["PRIMARY", "KEY"]:
                self._primary(members(group), "" if "," in group else str(group[0]).lower())
            elif isinstance(group, list) and words[at] == "UNIQUE":
                self._key(members(group))

    def _primary(self, names: "list[str | None]", alone: str) -> None:
        if self.rowless:
            self._order = names
        elif self._kinds.get(alone) == "INTEGER":
            self.alias = alone
        else:
            self._key(names)

    def _key(self, names: "list[str | None]") -> None:
        if names not in self.keys:
            self.keys.append(names)


def members(group: "Words") -> "list[str | None]":
    """The columns in parentheses; None for an expression and for another order than by the bytes."""
    return [
        part[0].lower() if isinstance(part[0], str) and _keywords(part[1:]) in _PLAIN else None
        for part in _split(group)
    ]


def index(sql: str) -> "list[str | None]":
    """The columns of an index as `members` has them; none for one that lacks some of the rows."""
    statement = parse(sql)
    group = next((part for part in statement if isinstance(part, list)), [])
    return [] if "WHERE" in _keywords(statement) else members(group)


def _default(words: "Words", kind: str) -> "Value":
    """The literal after DEFAULT, as a column of this kind holds it; None for an expression."""
    sign = "-" if words[0] == "-" else ""
    word = words[1] if words[0] in ("+", "-") else words[0]
    if isinstance(word, list) or [*map(type, words[:2])] == [str, Quoted]:  # x'00ff'
        return None
    if not isinstance(word, Quoted) and word.upper() in _CONSTANTS:
        return _CONSTANTS[word.upper()]
    is_text = _has(kind, _TEXTS) and "INT" not in kind
    if is_text or (isinstance(word, Quoted) and (not kind or "BLOB" in kind)):
        return sign + word
    for number in (int, float):
        try:
            return number(sign + word)
        except ValueError:
            continue
    return sign + word


def _has(kind: str, parts: tuple[str, ...]) -> bool:
    return any(part in kind for part in parts)


def _split(group: "Words") -> "list[Words]":
    """What stands between commas."""
    parts: list[Words] = [[]]
    for word in group:
        if word == "," and not isinstance(word, Quoted):
            parts.append([])
        else:
            parts[-1].append(word)
    if [] in parts:
        raise Torn("malformed")
    return parts


def _keywords(words: "Words") -> list[str]:
    """The words in capitals; "" for what is no keyword."""
    return ["" if isinstance(word, Quoted | list) else word.upper() for word in words]


def parse(sql: str) -> "Words":
    """The words of a statement, without comments."""
    levels: list[Words] = [[]]
    at = 0
    while at < len(sql):
        char, start = sql[at], at
        at += 1
        if char in _WORD or char > "\x7f":
            while at < len(sql) and (sql[at] in _WORD or sql[at] > "\x7f"):
                at += 1
            levels[-1].append(sql[start:at])
        elif char in _QUOTES:
            text, at = _quoted(sql, at, _QUOTES[char])
            levels[-1].append(text)
        elif char == "(":
            levels.append([])
            levels[-2].append(levels[-1])
        elif char == ")":
            levels.pop()
        elif sql.startswith(("--", "/*"), start):
            end = "\n" if char == "-" else "*/"
            stop = sql.find(end, at + 1)
            at = stop + len(end) if stop >= 0 else len(sql)
        elif not char.isspace():
            levels[-1].append(char)
    return levels[0]


def _quoted(sql: str, at: int, end: str) -> tuple[Quoted, int]:
    """The name or text that begins at `at`, and where it ends; a doubled quote stands for one."""
    text = ""
    while True:
        stop = sql.index(end, at)
        text += sql[at:stop]
        at = stop + 1
        if end == "]" or not sql.startswith(end, at):
            return Quoted(text), at
        text, at = text + end, at + 1
