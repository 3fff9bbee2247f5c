"""TERM and HUP unwind what is open before they end the process: fzf, a mode of the terminal, a channel."""

# The module signal makes enums of its numbers, which takes as long as all of a plain call.
import _signal  # type: ignore[import-not-found]

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from typing import NoReturn

TERM = int(_signal.SIGTERM)
KILL = int(_signal.SIGKILL)
# Ignored by Python alone: a program that we start gets them back.
IGNORED = (int(_signal.SIGPIPE), int(_signal.SIGXFSZ))


def unwind() -> None:
    """Have both unwind from now on, where they end the process at once; who ignores one still does."""
    for number in (_signal.SIGHUP, _signal.SIGTERM):
        if _signal.getsignal(number) == _signal.SIG_DFL:
            _signal.signal(number, _stop)


def _stop(number: int, frame: object) -> "NoReturn":
    for again in (_signal.SIGHUP, _signal.SIGTERM):  # a second one must not end the tidying
        _signal.signal(again, _signal.SIG_IGN)
    raise SystemExit(128 + number)
