"""How far a search is, on the terminal that standard error is; it makes way for each row."""

import os
from time import monotonic

from .. import output

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from .search import Search

_PATIENCE = 0.5  # seconds, before it is shown
_EVERY = 0.1
_WIDTH = 36


class Bar:
    """The bar of one search; `tick` says that time goes by, `clear` that something is to be printed."""

    def __init__(self) -> None:
        self._terminal = os.isatty(2)
        self._next = monotonic() + _PATIENCE
        self._is_shown = False

    def tick(self, search: "Search") -> None:
        """Show how far `search` is; BrokenPipeError when nobody reads its rows any more."""
        output.must_be_read()
        now = monotonic()
        if not self._terminal or now < self._next:
            return
        self._next = now + _EVERY
        self._is_shown = True
        part = search.done / max(1, search.size)
        full = "#" * int(part * _WIDTH)
        _write(f"\rsearching  [{full:-<{_WIDTH}}]  {part:4.0%}\x1b[K")

    def clear(self) -> None:
        """Take it off the screen."""
        if self._is_shown:
            self._is_shown = False
            _write("\r\x1b[K")


def _write(text: str) -> None:
    try:
        os.write(2, text.encode())
    except OSError:
        pass
