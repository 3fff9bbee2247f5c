"""The two ways out: rows to standard output, and one line `sf: …` to standard error.

Bytes are written as UTF-8 whatever the locale says; a closed pipe ends the program quietly with 0.
"""

import os
import sys

from . import text

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import NoReturn


class Failure(Exception):
    """Nothing found, refused, or wrong use: a message of one line, and the exit code."""

    def __init__(self, message: str, code: int = 1, rows: "tuple[str, ...]" = ()) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.rows = rows  # shown below the message


def lines(told: "Iterable[str]") -> None:
    """Write each row and a line end, in large pieces, as they come."""
    piece: list[str] = []
    count = 0
    for row in told:
        piece.append(row)
        count += 1
        if count == 500:
            _write(1, piece)
            piece, count = [], 0
    if piece:
        _write(1, piece)


def rows(told: "list[bytes]") -> bool:
    """Write each row of the index and a line end, unless something in one could act."""
    data = b"\n".join(told)
    shown = str(data, "utf-8", "replace").replace("\n", "").replace("\t", "")
    if not shown.isprintable():
        return False
    if told:
        _put(1, data + b"\n")
    return True


def note(message: str) -> None:
    """One line `sf: …` for the person, cleaned of whatever it quotes."""
    try:
        _write(2, ["sf: " + text.clean(message.replace("\n", " "))])
    except OSError:
        pass


def failed(failure: Failure) -> None:
    """Say why nothing came of it."""
    if failure.message:
        note(failure.message)
    if failure.rows:
        _write(2, ["  " + text.clean(row) for row in failure.rows])


def must_be_read() -> None:
    """BrokenPipeError when nobody reads standard output any more, though nothing was written."""
    from select import POLLERR, POLLHUP, poll

    reader = poll()
    reader.register(1, 0)
    if any(what & (POLLERR | POLLHUP) for _, what in reader.poll(0)):
        raise BrokenPipeError


def write(fd: int, data: bytes) -> None:
    """All of `data`, whatever the system takes at a time; OSError as it says."""
    while data:
        data = data[os.write(fd, data) :]


def _write(fd: int, told: list[str]) -> None:
    _put(fd, ("\n".join(told) + "\n").encode("utf-8", "replace"))


def _put(fd: int, data: bytes) -> None:
    try:
        write(fd, data)
    except BrokenPipeError:
        leave(0)


def answer(call: "Callable[[], object]") -> "NoReturn":
    """End the process with the exit code that `call` gives, or with one line on what it met."""
    _hold_standard_streams()
    try:
        code = call()
    except Failure as failure:
        failed(failure)
        code = failure.code
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        code = 0
    except Exception as error:  # noqa: BLE001  (a person is shown one line, whatever was met)
        note(_fault(error))
        code = 1
    leave(code if isinstance(code, int) else 0)


def _hold_standard_streams() -> None:
    """Put something unusable where 0, 1 or 2 is closed, lest a file of ours be opened there."""
    for fd in (0, 1, 2):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_WRONLY if fd == 0 else os.O_RDONLY)


def _fault(error: Exception) -> str:
    if isinstance(error, FileNotFoundError) and error.filename is None:
        return "the current folder is gone: change to another"
    if isinstance(error, OSError):
        place = f": {text.path(os.fsdecode(error.filename))}" if error.filename else ""
        return f"{error.strerror or error}{place}"
    return f"internal fault, please report it: {type(error).__name__}: {error}"


def leave(code: int) -> "NoReturn":
    """End at once: what Python tidies up on its way out costs more than a plain call."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        code = 0
    except OSError:
        code = code or 1
    os._exit(code)


def size() -> tuple[int, int]:
    """Columns and lines of the terminal that is written to, 80 and 24 when it does not say."""
    for fd in (1, 2, 0):
        try:
            told = os.get_terminal_size(fd)
        except OSError:
            continue
        return told.columns or 80, told.lines or 24
    return 80, 24


def columns() -> int:
    """The width of the terminal that is written to."""
    return size()[0]


def colour() -> bool:
    """Whether to colour standard output: on a terminal that can, unless NO_COLOR."""
    from . import paths

    return (
        os.isatty(1)
        and paths.setting("NO_COLOR") is None
        and paths.setting("TERM") not in (None, "dumb")
    )
