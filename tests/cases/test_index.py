"""The index is input like any other: hostile, damaged or in the way, it costs a new reading at most."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sessidx.entry import COLUMNS
from sessidx.index import stores
from sessidx.session import FIELDS
from sessidx.store import load, save
from tests.cases import codex
from tests.cases.claude import store, talk, transcript
from tests.cases.look import assert_inert, assert_no_fault, clis, plan
from tests.kit import content, seal, uuid
from tests.warm import Ran, sf, sf_without_powers

ID = uuid(1)
THREAD = codex.thread_id(1)
CALLS = ((), ("@ids",), ("show", ID), ("find", "--json"), ("find", "--format", "table"), ("build",))


@pytest.fixture
def index(home: Path, tmp_path: Path) -> Path:
    """The index of a home with a session of each app."""
    transcript(home, ID, tmp_path, talk("Fix the cart"))
    codex.rollout(home, THREAD, tmp_path, codex.exchange(THREAD, str(tmp_path), "Sort it", 9))
    assert len(sf(home=home).rows) == 2
    path = home / ".cache" / "sessidx" / "index"
    assert path.stat().st_mode & 0o7777 == 0o600
    assert path.parent.stat().st_mode & 0o7777 == 0o700
    return path


def answers(home: Path) -> None:
    """Every command answers; what it says is true and inert."""
    for words in CALLS:
        ran = sf(*words, home=home)
        assert (ran.code, ran.err) == (0, ""), (words, ran)
        assert_inert(ran.out, but="\t\n")
        assert ran.seconds < 10
    assert [row[5] for row in sf(home=home).rows] == ["Sort it", "Fix the cart"]
    for session in (ID, THREAD):
        assert session in plan(home, session)["argv"]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda data: b"",
    "cut": lambda data: data[:-1],
    "half": lambda data: data[: len(data) // 2],
    "twice": lambda data: data * 2,
    "of another version": lambda data: data.replace(b"sessidx 5", b"sessidx 9"),
    "backwards": lambda data: b"\n".join(data.split(b"\n")[::-1]),
    "bits": lambda data: bytes(byte ^ 0x80 for byte in data),
    "nul": lambda data: data.replace(b"\t", b"\0"),
    "crlf": lambda data: data.replace(b"\n", b"\r\n"),
    "no fields": lambda data: b"\n".join(line.split(b"\t")[0] for line in data.split(b"\n")),
    "a field more": lambda data: data.replace(b"\n", b"\tx\n"),
    "not UTF-8": lambda data: data.replace(b"Fix", b"\xff\xfe\xed\xa0\x80"),
    "a wrong count": lambda data: data.replace(b"\t1\n", b"\t2\n"),
    "a huge count": lambda data: data.replace(b"\t1\n", b"\t" + b"9" * 5000 + b"\n"),
    "a negative count": lambda data: data.replace(b"\t1\n", b"\t-1\n"),
    "other digits": lambda data: data.replace(b"\t1\n", "\t١\n".encode()),
    "digits that are no number": lambda data: data.replace(b"\t1\n", "\t²\n".encode()),
    "random": lambda data: os.urandom(5000),
    "JSON": lambda data: b'{"sessions":[]}',
    "long": lambda data: data + b"x" * 3_000_000,
}


@pytest.mark.parametrize("write", [Path.write_bytes, seal])
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_index_is_made_anew(
    home: Path,
    index: Path,
    damage: Callable[[bytes], bytes],
    write: Callable[[Path, bytes], object],
) -> None:
    write(index, damage(content(index).encode()))
    answers(home)


def test_no_byte_of_it_can_change_unseen(index: Path) -> None:
    """Of each byte in turn one bit, or the whole: what is listed stays what it is."""

    def listed() -> list[tuple[object, ...]]:
        found = [s for store in stores() for s in store.sessions()]
        return sorted(tuple(getattr(s, name) for name in FIELDS) for s in found)

    whole, told = index.read_bytes(), listed()
    assert len(told) == 2
    for at, byte in enumerate(whole):
        for other in {byte ^ 1, byte ^ 0x20, ord("0"), ord("\t")} - {byte}:
            index.write_bytes(whole[:at] + bytes([other]) + whole[at + 1 :])
            assert listed() == told, (at, other)


def planted(change: Callable[[list[str]], list[str]]) -> None:
    """The index again, and valid, with what `change` makes of the fields of a session's four lines."""
    kept = load()
    for known in kept.values():
        entries = []
        for mark, *others in known.entries():
            fields = "\t".join([mark, *(part.decode() for part in others)]).split("\t")
            fields = change(fields)
            parts = (fields[2:3], fields[3:9], fields[9:])
            hay, row, line = ("\t".join(part).encode() for part in parts)
            entries.append(("\t".join(fields[:2]), hay, row, line))
        known.put(entries)
    save(kept.values())


LIES = ["", "abc", "-1", "9" * 5000, "\x1b[31m", "\u202e", "../../../etc/passwd", "/etc/passwd"]
LIES += ["x" * 100_000, "\\n\\t\\r", "\\", "1.5", "\u200b", "\x07\x9b", "٣", "interactive"]


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: repr(lie)[:20])
def test_an_index_that_lies(home: Path, index: Path, lie: str) -> None:
    """Whatever one of its fields holds: a session is resumed by its own file alone."""
    whole = index.read_bytes()

    def lies(fields: list[str]) -> list[str]:
        return [lie if n == number and ID in fields[0] else f for n, f in enumerate(fields)]

    for number in range(9 + len(COLUMNS)):
        index.write_bytes(whole)
        planted(lies)
        for words in (CALLS[number % len(CALLS)], ("@ids",), ("show", ID), ("doctor",)):
            ran = sf(*words, home=home, **clis(home))
            assert_no_fault(ran)
            assert_inert(ran.out + ran.err, but="\t\n")
            assert_stays_inside(home, ran)
        assert plan(home, THREAD)["argv"][-1] == THREAD
    shutil.rmtree(index.parent)
    answers(home)


def assert_stays_inside(home: Path, ran: Ran) -> None:
    """What is opened lies in the stores, in the cache or with the programs."""
    places = (".claude", ".codex", ".cache")
    ours = tuple(f"{home}/{name}/" for name in places)
    theirs = (
        f"{home.parent}/{home.name}-clis/",
        "/proc/",
        "/etc/claude-code/",
        "/dev/tty",
        "/dev/null",
        "/usr/",
        "/sys/",
        sys.prefix,
    )
    assert not [path for path in ran.opened() if not path.startswith((*ours, *theirs))]


def test_a_path_that_leads_out_is_not_followed(home: Path, index: Path) -> None:
    """Nor when the folder that it is said to lie in cannot be read just now."""
    secret = home / "secret.jsonl"
    whole = index.read_bytes()
    transcript(home / "other", ID, "/", talk("token-of-alex"))
    next((home / "other").rglob("*.jsonl")).rename(secret)
    marks = [mark for known in load().values() for mark in known.marks]
    path = next(mark.split("\t")[0] for mark in marks if mark.startswith("projects/"))

    def leads_to(lie: str) -> Callable[[list[str]], list[str]]:
        return lambda fields: [fields[0].replace(path, lie), *fields[1:]]

    for lie in (f"{path.rpartition('/')[0]}/../../../secret.jsonl", "projects/../../secret.jsonl"):
        index.write_bytes(whole)
        planted(leads_to(lie))
        assert lie in content(index)
        folder = store(home) if lie.startswith("projects/..") else (home / ".claude" / path).parent
        folder.chmod(0)
        for words in ((), ("show", ID), ("resume", ID), ("resume", "--json", ID)):
            ran = sf_without_powers(*words, home=home)
            assert "token-of-alex" not in ran.out + ran.err
            assert str(secret) not in ran.opened()
        folder.chmod(0o700)


# --- something else in the place of the cache


def a_link(folder: Path) -> None:
    (folder.parent / "elsewhere").mkdir()
    folder.symlink_to("elsewhere")


def of_everybody(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)


def of_somebody_else(folder: Path) -> None:
    folder.mkdir()
    if os.geteuid() == 0:
        os.chown(folder, 12345, 12345)
    else:
        folder.chmod(0o775)


def full(folder: Path) -> None:
    folder.symlink_to("/dev/full")


PLACES = [a_link, of_everybody, of_somebody_else, full, Path.touch, os.mkfifo]


@pytest.mark.parametrize("make", PLACES)
def test_a_cache_that_is_not_ours_is_not_used(
    home: Path, index: Path, make: Callable[[Path], object]
) -> None:
    whole = content(index)
    folder = index.parent
    shutil.rmtree(folder)
    make(folder)
    lie = folder / "index"
    if folder.is_dir():
        seal(lie, whole.replace("Fix the cart", "Planted"))
        lie.chmod(0o600)
        before = content(lie)
    answers(home)
    if folder.is_dir():
        assert content(lie) == before
        assert os.listdir(folder) == ["index"]
        assert sf("doctor", home=home).code == 1


def hole(path: Path) -> None:
    path.touch()
    os.truncate(path, 3 << 30)


FILES: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a folder": os.mkdir,
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a link to one of ours": lambda path: path.symlink_to("copy"),
    "a dangling link": lambda path: path.symlink_to("nowhere"),
    "a huge hole": hole,
}


@pytest.mark.parametrize("make", FILES.values(), ids=FILES)
def test_no_index_in_its_place(home: Path, index: Path, make: Callable[[Path], object]) -> None:
    seal(index.with_name("copy"), content(index).replace("Fix the cart", "Planted"))
    index.unlink()
    make(index)
    answers(home)
    assert index.with_name("copy").read_text().count("Planted") == 1


@pytest.mark.parametrize(
    "cache", ["relative", "", ".", "/dev/null", "/nonexistent/x", "/proc/self"]
)
def test_a_cache_home_of_any_kind(home: Path, tmp_path: Path, cache: str) -> None:
    transcript(home, ID, tmp_path)
    (tmp_path / "here").mkdir()
    ran = sf(home=home, cwd=tmp_path / "here", XDG_CACHE_HOME=cache)
    assert (ran.code, len(ran.rows), ran.err) == (0, 1, "")
    assert os.listdir(tmp_path / "here") == []


def test_left_over_drafts_do_not_matter(home: Path, index: Path) -> None:
    for number in range(1, 400):
        (index.parent / f"index.{number}").touch(0o600)
        (index.parent / f"db-{number}").mkdir()
    index.unlink()
    answers(home)
    assert index.exists()


def test_what_is_remembered_of_a_program(home: Path, index: Path) -> None:
    for junk in (b"\xff" * 900, b"a\tb\n" * 900, os.urandom(4000), b"\t\t\t1.2.3\n"):
        index.with_name("releases").write_bytes(junk)
        answers(home)
