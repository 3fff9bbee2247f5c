"""What a person means by a time: `2d`, `2026-11-01`. A date is a day of the local calendar."""

from time import gmtime, localtime

from . import times

_UNITS = {"m": 60_000, "h": 3_600_000, "d": times.DAY, "w": 7 * times.DAY}
_FURTHEST = 36 * 3600  # seconds by which any clock differs from UTC's, with a day to spare
_LAST = 253_402_300_799_999  # the end of the year 9999


def moment(value: str, now: int, end: bool = False) -> str | None:
    """The time that `value` names, as `times.iso`; None when it names none. `now` in ms.

    `2w`, `2d`, `3h`, `30m` ago; a date: its first moment, or with `end` the moment after its last;
    a date and time, local unless a zone follows.
    """
    unit = _UNITS.get(value[-1:])
    if unit and value[:-1].isascii() and value[:-1].isdigit():
        return times.iso(max(0, now - int(value[:-1][:9]) * unit))
    ms = times.millis(value)
    if ms is None:
        return None
    if len(value) == 10:
        ms = _local(max(0, ms), 24 if end else 0)
    elif value[-1] not in "Zz" and "+" not in value and "-" not in value[10:]:
        ms = _local(max(0, ms))
    return times.iso(min(max(0, ms), _LAST))


def _local(ms: int, hours: int = 0) -> int:
    """When the local clock first shows what UTC's shows at `ms`, or what comes after; in ms.

    Sought among the seconds, for a clock may skip an hour, also the one that a day begins with, or
    a whole day, and shows another twice. With `hours` 24: when it first shows the next day.
    """
    seconds = ms // 1000
    year, month, day, hour, minute, second = gmtime(seconds)[:6]
    wanted = (year, month, day, hour + hours, minute, second)
    low, high = seconds - _FURTHEST, seconds + hours * 3600 + _FURTHEST
    while low < high:
        middle = (low + high) // 2
        if localtime(middle)[:6] >= wanted:
            high = middle
        else:
            low = middle + 1
    return low * 1000 + ms % 1000
