"""Whatever the bytes in a store: no fault, no row that breaks, nothing that acts on a terminal."""

import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from sessidx import text, times
from tests import strategies
from tests.cases import codex, threads
from tests.cases.claude import talk, transcript
from tests.cases.look import COLUMNS, assert_inert, assert_no_fault, clis
from tests.kit import slug, uuid
from tests.warm import sf

GOOD, ODD = uuid(1), uuid(2)
GOOD_THREAD, ODD_THREAD = codex.thread_id(1), codex.thread_id(2)
CWD = "/"


@contextmanager
def a_home() -> Iterator[Path]:
    """A home with a good session of each app, for one example."""
    folder = Path(tempfile.mkdtemp())
    home = folder / "home"
    try:
        transcript(home, GOOD, CWD)
        codex.rollout(home, GOOD_THREAD, CWD)
        yield home
    finally:
        shutil.rmtree(folder)


def hold(home: Path, *more: str) -> None:
    """Every command answers, the good sessions are there, and all that is said is inert."""
    lists: list[tuple[str, ...]] = [(), (), ("--all",)]
    for words in lists:
        ran = sf(*words, home=home)
        assert (ran.code, ran.err) == (0, ""), ran
        assert {len(row) for row in ran.rows} == {len(COLUMNS)}
        assert {GOOD, GOOD_THREAD} <= {row[0] for row in ran.rows}
        assert_inert(ran.out, but="\t\n")
    ran = sf("@ids", home=home)
    assert (ran.code, {len(row) for row in ran.rows}) == (0, {2})
    assert_inert(ran.out, but="\t\n")
    calls: list[tuple[str, ...]] = [("find", "--all", "--format", "table"), ("--all", "--json")]
    calls += [(word, "--", one) for one in more for word in ("show", "resume")]
    for words in calls:
        ran = sf(*words, home=home, **the_clis())
        assert_no_fault(ran)
        assert_inert(ran.out + ran.err)


@cache
def the_clis() -> dict[str, str]:
    """Stand-ins of both CLIs, for all examples."""
    return clis(Path(tempfile.mkdtemp(), "home"))


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


@given(strategies.TRANSCRIPTS)
def test_any_bytes_as_a_transcript(data: bytes) -> None:
    with a_home() as home:
        put(home / ".claude" / "projects" / slug(CWD) / f"{ODD}.jsonl", data)
        hold(home, ODD)


@given(strategies.ROLLOUTS)
def test_any_bytes_as_a_rollout(data: bytes) -> None:
    with a_home() as home:
        put(codex.store(home) / codex.DAY / codex.name(ODD_THREAD), data)
        hold(home, ODD_THREAD)


@given(strategies.INDEXES)
def test_any_bytes_as_the_list_of_names(data: bytes) -> None:
    with a_home() as home:
        put(codex.store(home) / "session_index.jsonl", data)
        hold(home, GOOD_THREAD)


@given(strategies.toml() | st.binary(max_size=200))
def test_any_bytes_as_the_configuration(data: bytes) -> None:
    with a_home() as home:
        put(codex.store(home) / "config.toml", data)
        hold(home)


@given(strategies.NOTES)
def test_any_bytes_as_a_note_of_a_process(data: bytes) -> None:
    with a_home() as home:
        put(home / ".claude" / "sessions" / f"{os.getpid()}.json", data)
        hold(home, GOOD)


@given(strategies.TRANSCRIPTS, strategies.TRANSCRIPTS)
def test_any_bytes_as_the_files_beside_a_transcript(title: bytes, archive: bytes) -> None:
    with a_home() as home:
        beside = home / ".claude" / "projects" / slug(CWD) / ODD
        transcript(home, ODD, CWD)
        put(beside / "custom-title.json", title)
        put(beside / "archived.json", archive)
        hold(home, ODD)


@cache
def a_database() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        rows = [threads.thread(GOOD_THREAD, CWD, name="Named"), threads.thread(ODD_THREAD, CWD)]
        return threads.database(Path(folder), rows).read_bytes()


@given(strategies.damaged(a_database) | st.binary(max_size=200), st.binary(max_size=60))
def test_any_bytes_as_a_database(data: bytes, log: bytes) -> None:
    with a_home() as home:
        put(threads.path_of(home), data)
        if log:
            put(threads.path_of(home, "state_5.sqlite-wal"), log)
        hold(home, GOOD_THREAD)


CELLS = st.one_of(
    strategies.text().filter(lambda cell: not any("\ud800" <= char <= "\udfff" for char in cell)),
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.binary(max_size=20),
)


@given(st.dictionaries(st.sampled_from([c.split()[0] for c in threads.NEWEST]), CELLS))
def test_any_values_in_a_row(row: dict[str, Any]) -> None:
    with a_home() as home:
        names = [column.split()[0] for column in threads.NEWEST]
        with closing(sqlite3.connect(threads.path_of(home))) as db, db:
            db.execute(f"CREATE TABLE threads ({','.join(names)})")
            codex.rollout(home, ODD_THREAD, CWD)
            threads.insert(db, [{"source": "cli", **row, "id": ODD_THREAD}, {"id": None, **row}])
        hold(home, ODD_THREAD)


@cache
def an_index() -> bytes:
    with a_home() as home:
        sf(home=home)
        return (home / ".cache" / "sessidx" / "index").read_bytes()


@given(strategies.damaged(an_index) | st.binary(max_size=300))
def test_any_bytes_as_the_index(data: bytes) -> None:
    with a_home() as home:
        cache_folder = home / ".cache" / "sessidx"
        cache_folder.mkdir(mode=0o700, parents=True)
        put(cache_folder / "index", data)
        hold(home, GOOD)


@given(strategies.names(200), st.booleans())
def test_any_name_of_a_file_or_folder(name: bytes, folder: bool) -> None:
    with a_home() as home:
        project = os.fsencode(home / ".claude" / "projects")
        sessions = os.fsencode(codex.store(home) / "sessions")
        for place in (project, sessions, os.fsencode(codex.store(home) / codex.DAY)):
            path = os.path.join(place, name)
            if os.path.lexists(path):
                continue
            os.mkdir(path) if folder else os.close(os.open(path, os.O_CREAT))
        put(Path(os.fsdecode(os.path.join(project, b"-" + name, GOOD.encode() + b".jsonl"))), b"")
        hold(home)


@given(strategies.text(), strategies.text(), strategies.names())
def test_any_words_on_the_command_line(word: str, other: str, name: bytes) -> None:
    with a_home() as home:
        words = [
            w.encode("utf-8", "surrogateescape" if w.isascii() else "replace")
            for w in (word, other)
        ]
        told = [os.fsdecode(w.replace(b"\0", b"")) for w in (*words, name)]
        for call in (
            [],
            ["find"],
            ["show"],
            ["resume"],
            ["--app"],
            ["--since"],
            ["--dir"],
            ["--columns"],
        ):
            ran = sf(*call, *told[: 1 if call else 3], home=home)
            assert_no_fault(ran)
            assert ran.code in (0, 1, 2)
            assert_inert(ran.out + ran.err, but="\t\n")


FIELDS = ("title", "cwd", "branch", "app", "id")


@given(st.lists(strategies.text(8), min_size=1, max_size=4), st.data())
def test_a_word_finds_what_it_is_a_part_of(told: list[str], data: st.DataObject) -> None:
    with a_home() as home:
        for number, title in enumerate(told):
            records = talk(title, number, gitBranch=title[::-1])
            transcript(home, uuid(10 + number), f"/srv/{number}{title[:2]}", records, folder="-x")
        facts = sf("--json", home=home).json
        field = data.draw(st.sampled_from([str(one[name]) for one in facts for name in FIELDS]))
        at = data.draw(st.integers(0, len(field)))
        word = field[at : at + data.draw(st.integers(1, 6))].replace("\0", "")
        word = data.draw(st.sampled_from([word, word.upper(), word.lower()]))
        if re.search("[\ud800-\udfff\n]", word):
            return
        found = sf("find", "--", word, home=home)
        told_by = {one["id"]: [str(one[name] or "").lower() for name in FIELDS] for one in facts}
        fits = {key for key, fields in told_by.items() if any(word.lower() in f for f in fields)}
        assert {row[0] for row in found.rows} == fits
        assert found.code == (0 if fits else 1)


# --- what is pure


@strategies.cheap
@given(strategies.values() | strategies.text(300), st.integers(1, 250))
def test_one_line_is_one_short_inert_line(value: object, limit: int) -> None:
    line = text.one_line(value, limit)
    if line is not None:
        assert 0 < len(line) <= limit
        assert line == line.strip()
        assert_inert(line, but="")
        assert text.one_line(line, limit) == line
    if isinstance(value, str):
        assert_inert(text.clean(value), but="")
        assert_inert(text.path(value), but="")


@strategies.cheap
@given(strategies.TIMES | strategies.values() | strategies.text())
@example("2026-02-30T00:00:00.000Z")
@example("2026-11-01T09:00:60.000Z")
def test_a_time_is_a_time_or_none(value: object) -> None:
    told = times.canonical(value)
    if told is not None:
        when = datetime.fromisoformat(told)
        assert when.tzinfo == UTC
        assert (
            told
            == f"{when.strftime('%Y').zfill(4)}{when.isoformat(timespec='milliseconds')[4:23]}Z"
        )
