"""The places where things were said: with them as without, whatever became of the transcript since."""

import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from sessidx import index
from sessidx.apps.claude_code import said as claude
from sessidx.query import Query
from sessidx.said import search
from sessidx.said.lines import Lines
from sessidx.said.phrases import Sought
from sessidx.said.sites import Kept, Sites
from tests import kit
from tests.said.test_lines import by_brute_force, made_up, phrases, picture, user

Change = Callable[[Path, random.Random], None]


def grows(path: Path, rng: random.Random) -> None:
    with path.open("ab") as file:
        file.write(user("it grew and grew") + b"\n")


def is_torn(path: Path, rng: random.Random) -> None:
    with path.open("ab") as file:
        file.write(b'{"type":"user","message":{"role":"user","content":"not yet')


def is_made_anew(path: Path, rng: random.Random) -> None:
    path.unlink()
    made_up(path, rng)


def is_written_over(path: Path, rng: random.Random) -> None:
    """In place, with the same file and no fewer bytes."""
    size = path.stat().st_size
    other = path.with_suffix(".other")
    made_up(other, rng)
    content = other.read_bytes()
    other.unlink()
    with path.open("r+b") as file:
        file.write((content * (size // len(content) + 1))[: size + rng.randrange(99)])


def is_cut(path: Path, rng: random.Random) -> None:
    os.truncate(path, rng.randrange(path.stat().st_size))


def loses_a_line_end(path: Path, rng: random.Random) -> None:
    content = path.read_bytes()
    at = rng.choice([n for n, byte in enumerate(content) if byte == 10])
    path.write_bytes(content[:at] + b" " + content[at + 1 :])


def stays(path: Path, rng: random.Random) -> None:
    pass


CHANGES = (grows, is_torn, is_made_anew, is_written_over, is_cut, loses_a_line_end, stays)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("block", [64, 4096])
def test_with_them_as_without(change: Change, block: int, tmp_path: Path) -> None:
    rng = random.Random(f"{change.__name__} {block}")
    path = tmp_path / "one.jsonl"
    lines = Lines("", claude.may_hold, claude.messages, block=block)
    for _ in range(3):
        made_up(path, rng)
        told = ""
        for step in (stays, change, stays, grows, change, stays):
            step(path, rng)
            messages = by_brute_force(path, claude)
            for words in [*phrases(rng, [text for _, text in messages])][:12]:
                sought = Sought(words)
                if not sought.phrases:
                    continue
                hits = (hit for hit, text in messages if all(p in text for p in sought.phrases))
                sites = Sites(told)
                assert lines.first(str(path), sought, sites) == next(hits, None), (words, step)
                told = sites.told()
            for words in ["no such word"], ["it grew"]:
                sites = Sites(told)
                lines.first(str(path), Sought(words), sites)
                told = sites.told()


def test_what_is_known_is_not_looked_through(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    filler = json.dumps({"type": "mode", "filler": "x" * 3000}).encode() + b"\n"
    path.write_bytes(
        filler * 200 + user("said") + b"\n" + filler * 200 + user(picture(2_000_000)) + b"\n"
    )
    lines = Lines("", claude.may_hold, claude.messages)
    sites = Sites()
    assert lines.first(str(path), Sought(["no such word"]), sites) is None
    assert (sites.read, sites.end) == (path.stat().st_size, path.stat().st_size)
    assert len(sites.spans) == 4
    again = Sites(sites.told())
    assert lines.first(str(path), Sought(["the needle"]), again) is not None
    assert (again.read, again.told()) == (0, sites.told())
    # Up to the hit, when that is found first.
    some = Sites()
    assert lines.first(str(path), Sought(["said"]), some)
    assert 0 < some.end < sites.end
    rest = Sites(some.told())
    assert lines.first(str(path), Sought(["no such word"]), rest) is None
    assert (rest.told(), rest.read) == (sites.told(), sites.end - some.end)


@pytest.mark.parametrize(
    "told", ["", "x", "1", "1 2 3", "1 -2", "1 2 -3 4", "\0", "1 2 " + "9" * 99]
)
def test_what_is_no_site(told: str, tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_bytes(user("said") + b"\n")
    lines = Lines("", claude.may_hold, claude.messages)
    assert lines.first(str(path), Sought(["said"]), Sites(told)) is not None
    assert lines.first(str(path), Sought(["other"]), Sites(told)) is None


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for number in range(40):
        kit.claude(tmp_path, kit.uuid(number), "/srv", f"The heron of {number}")
    monkeypatch.setenv("HOME", str(tmp_path))
    for variable in ("XDG_CACHE_HOME", "CLAUDE_CONFIG_DIR", "SESSIDX_HOME", "SESSIDX_HOMES"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(search, "_ALONE", 0)
    monkeypatch.setattr(search, "_WORTH", 1)
    return tmp_path


def found(word: str) -> int:
    stores = index.stores(["claude-code"])
    looked = search.Search(stores, Query(), Sought([word]))
    count = len(list(looked.hits(lambda: None)))
    looked.keep()
    return count


def test_the_file_holds_no_word(home: Path) -> None:
    assert found("no such word") == 0
    file = home / ".cache" / "sessidx" / "said"
    first = file.read_text("utf-8")
    assert file.stat().st_mode & 0o777 == 0o600
    assert len(first.splitlines()) == 43  # a session each, our mark twice, the checksum
    for word in ("heron", "Done", "such"):
        assert word not in first
    before = file.stat()
    assert found("heron of 7") == 1
    assert found("the heron") == 40
    assert file.stat().st_ino == before.st_ino  # nothing new: not written


def test_the_file_follows_the_sessions(home: Path) -> None:
    found("no such word")
    file = home / ".cache" / "sessidx" / "said"
    gone = next(home.glob(f".claude/projects/*/{kit.uuid(3)}.jsonl"))
    gone.unlink()
    kit.claude(home, kit.uuid(50), "/srv", "The heron of another")
    assert found("heron of another") == 1
    found("no such word")
    told = file.read_text("utf-8")
    assert kit.uuid(50) in told
    assert kit.uuid(3) not in told


@pytest.mark.parametrize(
    "content", ["", "\0", "sessidx said 1\n", "sessidx said 9\nx\t1 2\nsessidx said 9\n", "x" * 999]
)
def test_a_file_that_is_none(home: Path, content: str) -> None:
    found("no such word")
    file = home / ".cache" / "sessidx" / "said"
    file.write_text(content)
    assert found("the heron") == 40
    assert Kept().of(next(iter(index.stores(["claude-code"])[0].sessions()))).end >= 0
    found("no such word")
    assert (
        len(file.read_text("utf-8").splitlines()) == 43
    )  # a session each, our mark twice, the checksum
