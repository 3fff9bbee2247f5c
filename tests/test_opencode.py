"""OpenCode's database while it changes, and what lies beside it; on the homes that it wrote."""

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import warm
from tests.kit import unpack

OLD, NEW = "opencode-home-legacy-json-1.1.53", "opencode-home-1.18.33"
STORE = ".local/share/opencode"
RETRY = "ses_dd2e058fcffe0P5iArnFx5ax4h"
REVIEW = "ses_dd2e03e5cffeAYvrehorpzhgA1"
FORK = "ses_dd2e01558ffer6jM3wRbzoymIi"


@pytest.fixture
def database(home: Path) -> Path:
    return unpack(NEW, home) / STORE / "opencode.db"


def change(database: Path, statement: str) -> None:
    with sqlite3.connect(database) as db:
        db.execute(statement)
    db.close()


def titles(home: Path, *words: str, **more: str) -> dict[str, str | None]:
    done = warm.sf("--json", *words, home=home, **more)
    assert (done.code, done.err) == (0, "")
    return {row["id"]: row["title"] for row in done.json}


def test_an_unchanged_database_is_not_opened(home: Path, database: Path) -> None:
    first = warm.sf(home=home)
    assert str(database) in first.opened()
    again = warm.sf(home=home)
    assert again.out == first.out
    assert str(database) not in again.opened()


def test_only_what_changed_is_read_again(home: Path, database: Path) -> None:
    before = titles(home)
    change(database, f"UPDATE session SET title='Never again' WHERE id='{RETRY}'")
    change(database, f"DELETE FROM session WHERE id='{FORK}'")
    (told,) = warm.sf("build", "--json", home=home).json
    assert told["read"] == 1
    after = titles(home)
    assert after.pop(RETRY) == "Never again"
    assert after == {key: title for key, title in before.items() if key not in (RETRY, FORK)}


def test_a_database_that_cannot_be_read_now(home: Path, database: Path) -> None:
    before = titles(home)
    change(database, f"UPDATE session SET title='Later' WHERE id='{RETRY}'")
    hot = Path(f"{database}-journal")
    hot.write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(504))
    assert titles(home) == before
    told = warm.sf("doctor", home=home)
    assert told.code == 1
    assert f"    {database}\n" in told.out
    assert "opencode.db not read: " in told.out
    hot.unlink()
    assert titles(home) == before | {RETRY: "Later"}


def test_a_damaged_database_keeps_what_was_known(home: Path, database: Path) -> None:
    before = titles(home)
    database.write_bytes(database.read_bytes()[:5000])
    assert titles(home) == before


def test_a_session_in_both_layouts_is_one(home: Path, tmp_path: Path, database: Path) -> None:
    old = unpack(OLD, tmp_path) / STORE / "storage"
    shutil.copytree(old, database.parent / "storage")
    twin = next((database.parent / "storage/session").rglob("*.json"))
    data = twin.read_text().replace(twin.stem, RETRY)
    (twin.parent / f"{RETRY}.json").write_text(data)
    for _ in range(2):
        assert titles(home)[RETRY] == "Fix checkout retry loop"
        assert len(titles(home)) == 6 + 3
    change(database, "UPDATE session SET title='Never again'")
    assert titles(home)[RETRY] == "Never again"


def test_a_title_that_is_only_a_time(home: Path, database: Path) -> None:
    new = "New session - 2026-11-30T15:42:58.819Z"
    change(database, f"UPDATE session SET title='{new}', model=NULL")
    found = {row["id"]: row for row in warm.sf("--json", home=home).json}
    assert found[RETRY]["title"] == "Why does checkout retry forever? Fix it."
    assert found[REVIEW]["title"].startswith('Review the tests @@call task {"description":')
    assert {row["model"] for row in found.values()} == {"mock/mock-small", "mock/mock-large"}


def test_the_agent_that_may_less(home: Path, database: Path, tmp_path: Path) -> None:
    change(database, f"UPDATE session SET agent='plan', directory='{tmp_path}' WHERE id='{RETRY}'")
    line = warm.sf("resume", RETRY, home=home).out
    assert line.endswith(f"opencode --session {RETRY} --model mock/mock-small --agent plan\n")


def by_path(database: Path) -> str:
    return str(database.rename(database.parent.parent / "mine.db"))


def by_name(database: Path) -> str:
    return database.rename(database.with_name("mine.db")).name


@pytest.mark.parametrize("chosen", [by_path, by_name])
def test_a_chosen_database(home: Path, database: Path, chosen: Callable[[Path], str]) -> None:
    before = titles(home)
    more = {"OPENCODE_DB": chosen(database)}
    for _ in range(2):
        assert titles(home, **more) == before
    done = warm.sf("show", RETRY, home=home, **more)
    assert "Why does checkout retry forever? Fix it." in done.out
    assert titles(home) == {}


def test_a_database_of_another_channel(home: Path, database: Path) -> None:
    before = titles(home)
    shutil.copyfile(database, database.with_name("opencode-dev.db"))
    change(database, f"DELETE FROM session WHERE id='{FORK}'")
    assert titles(home) == before
    change(database, "UPDATE session SET title='Of the usual one'")
    after = titles(home)
    assert after.pop(FORK) == before[FORK]
    assert set(after.values()) == {"Of the usual one"}
