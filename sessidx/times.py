"""Points in time: ISO 8601 in UTC with milliseconds, so that they sort as text.  (pure)

`datetime` would cost a plain call a third of its budget; these few lines of calendar do not.
"""

from time import gmtime

DAY = 86_400_000
_MANY = 4_000  # days


def iso(ms: int) -> str | None:
    """Milliseconds since 1970 as `2026-11-30T15:50:37.534Z`; None outside the years 1970 to 9999."""
    if not 0 <= ms < 253_402_300_800_000:
        return None
    t = gmtime(ms // 1000)
    return (
        f"{t.tm_year:04}-{t.tm_mon:02}-{t.tm_mday:02}T"
        f"{t.tm_hour:02}:{t.tm_min:02}:{t.tm_sec:02}.{ms % 1000:03}Z"
    )


def millis(text: str) -> int | None:
    """The milliseconds since 1970 of an ISO 8601 time or date (no zone: UTC); None if it is none."""
    day, clock = text[:10], text[10:19]
    digits = day[:4] + day[5:7] + day[8:] + clock[1:3] + clock[4:6] + clock[7:]
    if not (digits.isascii() and digits.isdecimal() and day[4:8:3] == "--"):
        return None
    if text[10:] and (len(digits) != 14 or clock[0] not in "Tt " or clock[3:7:3] != "::"):
        return None
    digits = digits.ljust(14, "0")
    year, month, date = int(digits[:4]), int(digits[4:6]), int(digits[6:8])
    hour, minute, second = int(digits[8:10]), int(digits[10:12]), int(digits[12:])
    if not (1 <= month <= 12 and 1 <= date <= _length(year, month)):
        return None
    try:
        fraction, offset = _fraction_and_offset(text[19:])
    except ValueError:
        return None
    if hour > 23 or minute > 59 or second > 59:
        return None
    seconds = ((_days(year, month, date) * 24 + hour) * 60 + minute - offset) * 60 + second
    return seconds * 1000 + fraction


def canonical(value: object) -> str | None:
    """The time that a record gives, as `iso` writes it; None where it gives none.

    Takes ISO 8601 text of any precision or zone, and numbers: seconds, or milliseconds when too
    large for seconds.
    """
    if isinstance(value, str):
        if len(value) == 24 and value[23] == "Z" and value[19] == "." and value[10] == "T":
            return value if _is_usual(value) or millis(value) is not None else None
        ms = millis(value)
        return None if ms is None else iso(ms)
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e14:
        return iso(int(value if value > 1e11 else value * 1000))
    return None


_HOURS = frozenset(f"T{hour:02}:" for hour in range(24))
_SIXTY = frozenset(f"{number:02}" for number in range(60))
_met: set[str] = set()  # days that are some


def _is_usual(value: str) -> bool:
    """Whether a time of 24 characters is one without a doubt, which is told in a sixth of the time."""
    day = value[:10]
    if day not in _met:
        if len(_met) > _MANY or millis(day) is None:
            return False
        _met.add(day)
    return (
        value[10:14] in _HOURS
        and value[14:16] in _SIXTY
        and value[16] == ":"
        and value[17:19] in _SIXTY
        and value[20:23].isdecimal()
        and value.isascii()
    )


def of_file(stamp: str) -> str | None:
    """The time of the file that `stamp` begins with, in ns; None where it is that of no file."""
    modified = stamp.partition(":")[0]
    is_time = len(modified) >= 16 and modified.isascii() and modified.isdecimal()
    return iso(int(modified[:30]) // 1_000_000) if is_time else None


def _fraction_and_offset(rest: str) -> tuple[int, int]:
    """Of `.534+02:00`: the milliseconds, and the offset from UTC in minutes; ValueError."""
    fraction = "0"
    if rest[:1] == ".":
        zone = rest[1:].lstrip("0123456789")
        fraction = rest[1 : len(rest) - len(zone)]
        rest = zone
    if rest in ("", "Z", "z"):
        return int(fraction.ljust(3, "0")[:3]), 0
    digits = rest[1:3] + rest[3:].removeprefix(":")
    if rest[0] not in "+-" or len(digits) != 4 or not (digits.isascii() and digits.isdecimal()):
        raise ValueError(rest)
    hours, minutes = int(digits[:2]), int(digits[2:])
    if hours > 23 or minutes > 59:  # a number behind a time, no zone
        raise ValueError(rest)
    minutes += hours * 60
    return int(fraction.ljust(3, "0")[:3]), -minutes if rest[0] == "-" else minutes


def _length(year: int, month: int) -> int:
    """The days of a month."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 in the Gregorian calendar (March counts as the first month)."""
    year -= month <= 2
    era_day = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return year * 365 + year // 4 - year // 100 + year // 400 + era_day - 719_468
