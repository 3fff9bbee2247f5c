"""Points in time: ISO 8601 in UTC with milliseconds, so that they sort as text.  (pure)

`datetime` would cost a plain call a third of its budget; these few lines of calendar do not.
"""

from time import gmtime

DAY = 86_400_000


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
    try:
        year, month, day = int(text[:4]), int(text[5:7]), int(text[8:10])
        hour, minute, second, rest = 0, 0, 0, ""
        if len(text) > 10:
            hour, minute, second = int(text[11:13]), int(text[14:16]), int(text[17:19] or 0)
            rest = text[19:]
        fraction, offset = _fraction_and_offset(rest)
    except ValueError:
        return None
    if text[4:5] != "-" or text[7:8] != "-" or not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    if not (hour < 24 and minute < 60 and second <= 60):
        return None
    seconds = ((_days(year, month, day) * 24 + hour) * 60 + minute - offset) * 60 + second
    return seconds * 1000 + fraction


def canonical(value: object) -> str | None:
    """The time that a record gives, as `iso` writes it; None where it gives none.

    Takes ISO 8601 text of any precision or zone, and numbers: seconds, or milliseconds when too
    large for seconds.
    """
    if isinstance(value, str):
        if len(value) == 24 and value[23] == "Z" and value[19] == "." and value[10] == "T":
            return value if millis(value) is not None and value.isascii() else None
        ms = millis(value)
        return None if ms is None else iso(ms)
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e14:
        return iso(int(value if value > 1e11 else value * 1000))
    return None


def _fraction_and_offset(rest: str) -> tuple[int, int]:
    """Of `.534+02:00`: the milliseconds, and the offset from UTC in minutes."""
    fraction = 0
    if rest[:1] == ".":
        digits = len(rest) - len(rest[1:].lstrip("0123456789")) - 1
        fraction = int(rest[1 : 1 + digits].ljust(3, "0")[:3])
        rest = rest[1 + digits :]
    if rest in ("", "Z", "z"):
        return fraction, 0
    if rest[0] not in "+-":
        raise ValueError(rest)
    hours, minutes = int(rest[1:3]), int(rest[3:].lstrip(":") or 0)
    return fraction, (hours * 60 + minutes) * (-1 if rest[0] == "-" else 1)


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 in the Gregorian calendar (March counts as the first month)."""
    year -= month <= 2
    era_day = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return year * 365 + year // 4 - year // 100 + year // 400 + era_day - 719_468
