"""What CREATE TABLE and CREATE INDEX say of the order, kind and default of stored values.

Read as far as that needs: column by column, words and what stands in parentheses. SQLite keeps each
statement as it was typed, less what stood before the name.
"""

from . import Torn

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from . import Value

    Group = list["str | Group"]  # words, and the groups in parentheses between them

LONGEST = 1 << 16  # characters of a statement
# What ends the name of a column's type.
_CONSTRAINTS = {
    *("CONSTRAINT", "DEFAULT", "NULL", "NOT", "PRIMARY", "UNIQUE", "CHECK"),
    *("REFERENCES", "COLLATE", "GENERATED", "AS"),
}
_OF_TABLE = {"CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"}
_QUOTES = {'"': '"', "'": "'", "`": "`", "[": "]"}
_TEXTS = ("CHAR", "CLOB", "TEXT")
_NO_REAL = ("INT", *_TEXTS, "BLOB")
_REAL = ("REAL", "FLOA", "DOUB")
_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.")


class Quoted(str):
    """A name or text that stood in quotes: never a keyword."""

    __slots__ = ()


class Table:
    """The columns of a table, by name in lower case, as its statement tells them."""

    def __init__(self, sql: str) -> None:
        self.places: dict[str, int] = {}  # in a row as it is stored
        self.defaults: dict[str, Value] = {}  # of columns that came after the row
        self.real: set[str] = set()  # where a whole number stands for a float
        self.collated: set[str] = set()  # ordered in another way than by their bytes
        self.alias: str | None = None  # the one that is the rowid
        self.unique: list[list[str | None]] = []  # of each index that SQLite made by itself
        self._kinds: dict[str, str] = {}
        self._key: list[str | None] = []
        statement = parse(sql)
        group = next((part for part in statement if isinstance(part, list)), None)
        if _upper(statement)[:2] != ["CREATE", "TABLE"] or group is None:
            raise Torn("no table")
        self.rowless = "WITHOUT" in _upper(statement[statement.index(group) :])
        for definition in _split(group):
            if _upper(definition)[0] in _OF_TABLE:
                self._constraint(definition)
            else:
                self._column(definition)
        if self.rowless:
            self._order_by_key()

    def _column(self, definition: "Group") -> None:
        words, name = _upper(definition), str(definition[0]).lower()
        if "AS" in words and "STORED" not in words:
            return  # it is made anew at each reading
        self.places[name] = len(self.places)
        end = next((i for i, word in enumerate(words) if word in _CONSTRAINTS), len(words))
        kind = self._kinds[name] = " ".join(str(word).upper() for word in definition[1:end])
        if any(word in kind for word in _REAL) and not any(word in kind for word in _NO_REAL):
            self.real.add(name)
        for word, after, later in zip(words, [*words[1:], ""], [*words[2:], "", ""], strict=False):
            if word == "COLLATE" and after != "BINARY":
                self.collated.add(name)
            elif word == "PRIMARY":
                self._primary([name], later == "DESC")
            elif word == "UNIQUE":
                self._unique([name])
        if "DEFAULT" in words:
            self.defaults[name] = _default(definition[words.index("DEFAULT") + 1 :], kind)

    def _constraint(self, definition: "Group") -> None:
        words = _upper(definition)
        for before, word, group in zip(["", *words], words, definition[1:], strict=False):
            if isinstance(group, list) and (before, word) == ("PRIMARY", "KEY"):
                self._primary(members(group), False)
            elif isinstance(group, list) and word == "UNIQUE":
                self._unique(members(group))

    def _primary(self, names: "list[str | None]", descending: bool) -> None:
        self._key = names
        if len(names) == 1 and self._kinds.get(str(names[0])) == "INTEGER" and not descending:
            self.alias = names[0]
        else:
            self._unique([None] if descending else names)

    def _unique(self, names: "list[str | None]") -> None:
        if names not in self.unique:
            self.unique.append(names)

    def _order_by_key(self) -> None:
        """A table WITHOUT ROWID is the index of its key, the other columns behind that."""
        if None in self._key:
            raise Torn("its key is not understood")
        names = dict.fromkeys([*map(str, self._key), *self.places])
        self.places = {name: place for place, name in enumerate(names)}
        self.alias = None


def index(sql: str) -> "list[str | None]":
    """The columns of an index, None for what is no column in binary order; [] for a partial one."""
    statement = parse(sql)
    group = next((part for part in statement if isinstance(part, list)), [])
    return [] if "WHERE" in _upper(statement) else members(group)


def members(group: "Group") -> "list[str | None]":
    """The columns named in parentheses; None for an expression, another order or collation."""
    return [
        part[0].lower() if isinstance(part[0], str) and _upper(part[1:]) in ([], ["ASC"]) else None
        for part in _split(group)
    ]


def _default(words: "Group", kind: str) -> "Value":
    """The value that a DEFAULT names, as a column of this kind holds it; None for an expression."""
    sign = words[0] if words[0] in ("+", "-") else ""
    word = words[1] if sign else words[0]
    if isinstance(word, list) or (word in ("x", "X") and len(words) > 1):
        return None
    number = None if isinstance(word, Quoted) else _number(f"{sign}{word}")
    if number is None and not isinstance(word, Quoted):
        return {"NULL": None, "TRUE": 1, "FALSE": 0}.get(word.upper(), word)
    is_text = any(part in kind for part in _TEXTS) and "INT" not in kind
    if number is not None:
        return f"{sign}{word}" if is_text else number
    is_number = kind and not is_text and ("INT" in kind or "BLOB" not in kind)
    return _number(word) if is_number and _number(word) is not None else str(word)


def _number(word: str) -> int | float | None:
    for read in (int, float):
        try:
            return read(word) if word.isascii() and word[-1:].isdigit() else None
        except ValueError:
            continue
    return None


def _split(group: "Group") -> "list[Group]":
    """What stands between commas."""
    parts: list[Group] = [[]]
    for word in group:
        if word == "," and not isinstance(word, Quoted):
            parts.append([])
        else:
            parts[-1].append(word)
    if [] in parts:
        raise Torn("malformed")
    return parts


def _upper(words: "Group") -> list[str]:
    """Keywords in capitals; "" for what is none."""
    return ["" if isinstance(word, Quoted | list) else word.upper() for word in words]


def parse(sql: str) -> "Group":
    """The words of a statement; what stands in parentheses is a list of its own."""
    if len(sql) > LONGEST:
        raise Torn("a statement is too long")
    top: Group = []
    levels, at = [top], 0
    while at < len(sql):
        char, start = sql[at], at
        at += 1
        if char in _QUOTES:
            text, at = _quoted(sql, at, _QUOTES[char])
            levels[-1].append(text)
        elif char in _WORD or char > "\x7f":
            while at < len(sql) and (sql[at] in _WORD or sql[at] > "\x7f"):
                at += 1
            levels[-1].append(sql[start:at])
        elif char == "(":
            inner: Group = []
            levels[-1].append(inner)
            levels.append(inner)
        elif char == ")":
            levels.pop()
        elif sql.startswith(("--", "/*"), start):
            end = sql.find("\n" if char == "-" else "*/", at)
            at = len(sql) if end < 0 else end + (char == "/") + 1
        elif not char.isspace():
            levels[-1].append(char)
    return top


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
