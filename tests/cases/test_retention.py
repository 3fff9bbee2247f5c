"""How long Claude Code keeps a transcript: by its file's time and its settings."""

import json
import os
import time
from pathlib import Path

import pytest

from tests.cases.claude import transcript
from tests.cases.look import shown
from tests.kit import uuid
from tests.warm import sf

DAY = 86_400
ID = uuid(1)


def aged(home: Path, days: float, settings: object = None, id: str = ID) -> float:
    """A session whose file is so many days old; when that was changed, in seconds."""
    path = transcript(home, id, "/home/alex/code/shop-api")
    if settings is not None:
        (home / ".claude" / "settings.json").write_text(json.dumps(settings))
    then = round(time.time() - days * DAY)
    os.utime(path, (then, then))
    return then


@pytest.mark.parametrize(
    ("settings", "days"),
    [
        (None, 30),
        ({}, 30),
        ({"cleanupPeriodDays": 365}, 365),
        ({"cleanupPeriodDays": 1}, 1),
        ({"cleanupPeriodDays": 0}, None),  # refused, and nothing is removed
        ({"cleanupPeriodDays": "30"}, None),
        ({"cleanupPeriodDays": True}, None),
        ([], None),
    ],
)
def test_until_when(home: Path, settings: object, days: int | None) -> None:
    then = aged(home, 10, settings)
    told = sf("show", "--json", ID, home=home).json["kept_until"]
    if days is None:
        assert told is None
        assert "kept" not in shown(home, ID)
    else:
        day = then + days * DAY
        assert told == time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(day))
        assert f"until {time.strftime('%Y-%m-%d', time.localtime(day))}" in shown(home, ID)


def test_doctor_names_the_newest_that_go(home: Path) -> None:
    for number, days in enumerate((1, 22, 24, 29, 40)):
        aged(home, days, id=uuid(number))
    told = sf("doctor", home=home).out
    assert "3 are removed by claude-code itself within a week" in told
    assert "a larger cleanupPeriodDays in" in told
    aged(home, 1, {"cleanupPeriodDays": 3650})
    assert "within a week" not in sf("doctor", home=home).out
