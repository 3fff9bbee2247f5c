"""What is true of every list, and how a resumed session is looked at."""

import hashlib
import os
import re
import stat
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.kit import both_clis
from tests.warm import Ran, sf

Facts = dict[str, Any]
COLUMNS = ("id", "app", "updated", "cwd", "branch", "title")
STORES = (".claude", ".codex")

# Letters and marks that no font draws, and code points set aside for more of them.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\u2065\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]"
)


def acts_on_a_terminal(char: str) -> bool:
    """Controls, escapes, bidi and zero-width characters, tabs, line breaks, halves of a pair."""
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return True
    return bool(_UNSEEN.match(char))


def assert_inert(text: str, *, but: str = "\n") -> None:
    """Nothing in `text` could act on a terminal or break a row."""
    bad = {char for char in text if char not in but and acts_on_a_terminal(char)}
    assert not bad, (bad, text)


def assert_no_fault(ran: Ran) -> None:
    """It ended by itself, and not by an error of its own."""
    assert ran.code >= 0, ran
    assert "Traceback" not in ran.err, ran
    assert "internal fault" not in ran.err, ran


def snapshot(folder: Path) -> dict[str, tuple[object, ...]]:
    """How everything below `folder` stands; links are not followed."""
    found: dict[str, tuple[object, ...]] = {}
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files, "."):
            path = os.path.join(parent, name)
            s = os.lstat(path)
            small = stat.S_ISREG(s.st_mode) and s.st_size < 10_000_000 and os.access(path, os.R_OK)
            digest = hashlib.sha1(Path(path).read_bytes()).hexdigest() if small else ""
            found[path] = (s.st_mode, s.st_ino, s.st_size, s.st_mtime_ns, digest)
    return found


def stores(home: Path) -> list[dict[str, tuple[object, ...]]]:
    return [snapshot(home / name) for name in STORES]


def listed(home: Path, *words: str, err: str = "", **more: str) -> list[Facts]:
    """What `sf` lists: alike when all is read anew and out of the index, as rows and as JSON.

    And nothing in the stores has changed.
    """
    before = stores(home)
    cold = sf(*words, home=home, **more)
    assert (cold.code, cold.err) == (0, err)
    warm = sf(*words, home=home, **more)
    assert (warm.code, warm.out, warm.err) == (0, cold.out, err)
    told: list[Facts] = sf("find", "--json", *words, home=home, **more).json
    assert stores(home) == before
    assert_rows(cold, told)
    return told


def assert_rows(ran: Ran, told: Sequence[Facts]) -> None:
    """The rows hold what the JSON does, newest first, and nothing that could act."""
    assert_inert(ran.out, but="\t\n")
    assert all(len(row) == len(COLUMNS) for row in ran.rows)
    assert [(row[0], row[1]) for row in ran.rows] == [(s["id"], s["app"]) for s in told]
    for row, session in zip(ran.rows, told, strict=True):
        shown = dict(zip(COLUMNS, row, strict=True))
        for name in ("updated", "branch", "title"):
            assert shown[name] == (session[name] or "-")
    times = [session["updated"] or "" for session in told]
    assert times == sorted(times, reverse=True)


def only(home: Path, *words: str, **more: str) -> Facts:
    """The one session that is listed."""
    found = listed(home, *words, **more)
    assert len(found) == 1, found
    return found[0]


def titles(home: Path, *words: str, **more: str) -> list[str | None]:
    """The titles that are listed, the oldest first."""
    return [session["title"] for session in listed(home, *words, **more)][::-1]


def shown(home: Path, session: str, **more: str) -> str:
    """What `sf show` says of it; as text and JSON nothing in it could act."""
    as_json = sf("show", "--json", session, home=home, **more)
    as_text = sf("show", session, home=home, **more)
    for ran in (as_json, as_text):
        assert (ran.code, ran.err) == (0, "")
        assert_inert(ran.out)
    return as_text.out


def clis(home: Path, body: str = "exit 0", **releases: str) -> dict[str, str]:
    """A PATH with stand-ins of both CLIs, of the newest releases unless told otherwise."""
    folder = home.parent / f"{home.name}-clis"
    found = folder / "bin"
    if not found.is_dir():
        found = both_clis(folder, body, **releases)
    return {"PATH": f"{found}:/usr/bin:/bin"}


def plan(home: Path, session: str, *options: str, **more: str) -> Facts:
    """The plan that resumes it."""
    ran = sf("resume", "--json", *options, "--", session, home=home, **{**clis(home), **more})
    assert ran.code == 0, ran.err
    found: Facts = ran.json
    return found


def refused(home: Path, session: str, *options: str, code: int = 1, **more: str) -> str:
    """Why it is not resumed: one line and, below it, what may help; nothing is printed."""
    ran = sf("resume", *options, "--", session, home=home, **{**clis(home), **more})
    assert (ran.code, ran.out) == (code, ""), ran
    first, *others = ran.err.removesuffix("\n").split("\n")
    assert first.startswith("sf: ")
    assert all(line.startswith("  ") for line in others)
    assert_inert(ran.err)
    return ran.err


MEMORY = 100  # megabytes, of which the server of the tests is some 30


def name_of_one(home: Path) -> str | None:
    """The title that is listed: at once, and without a trace in the store."""
    before = stores(home)
    ran = sf(home=home)
    assert_no_fault(ran)
    assert (ran.code, len(ran.rows)) == (0, 1), ran
    assert ran.err.count("\n") <= 1
    assert ran.seconds < 10
    assert ran.megabytes < MEMORY
    assert stores(home) == before
    return ran.rows[0][5]
