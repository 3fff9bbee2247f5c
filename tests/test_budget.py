"""What a plain call costs, counted and not timed: transcripts opened and bytes of them read."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.homes import generate
from tests.kit import SF, sf

COUNT = """
import json, os, sys
opened, read = [], {}
real_open, real_pread, real_exit = os.open, os.pread, os._exit
def count_open(path, *rest, **more):
    fd = real_open(path, *rest, **more)
    if str(path).endswith(".jsonl") and "session_index" not in str(path):
        opened.append(str(path)); read[fd] = 0
    return fd
def count_pread(fd, size, offset):
    data = real_pread(fd, size, offset)
    if fd in read:
        read[fd] += len(data); total[0] += len(data)
    return data
def report(code):
    told = {"opened": len(opened), "files": len(set(opened)), "bytes": total[0]}
    os.write(2, json.dumps(told).encode() + b"\\n")
    real_exit(code)
total = [0]
os.open, os.pread, os._exit = count_open, count_pread, report
from sessidx.__main__ import main
sys.argv = ["sf", *sys.argv[1:]]
main()
"""
SESSIONS = 36
ENDS = 80 * 256 * 1024 + 512 * 1024  # head and tail of one transcript, as far as they ever go


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("budget")
    generate(str(folder), claude=24, codex=12, seed=7, median=20_000)
    return folder


def counted(home: Path, *words: str) -> dict[str, int]:
    """Transcripts opened, how many of them, and bytes read of them, by one call."""
    env = {"HOME": str(home), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [sys.executable, "-c", COUNT, *words], env=env, capture_output=True, text=True, check=True
    )
    told = [json.loads(line) for line in done.stderr.splitlines()]  # of each process that read
    return {name: sum(each[name] for each in told) for name in told[0]}


def test_no_index_yet_opens_each_transcript_once(home: Path) -> None:
    (home / ".cache/sessidx/index").unlink(missing_ok=True)
    told = counted(home)
    assert told["opened"] == told["files"] == SESSIONS
    sizes = [path.stat().st_size for path in home.rglob("*.jsonl") if "index" not in path.name]
    assert told["bytes"] <= sum(sizes)  # nothing is read twice


@pytest.mark.parametrize("words", [[], ["fix"], ["@ids"], ["init", "zsh"]])
def test_nothing_changed_opens_no_transcript(home: Path, words: list[str]) -> None:
    counted(home)
    told = counted(home, *words)
    assert told == {"opened": 0, "files": 0, "bytes": 0}


@pytest.mark.skipif(sys.platform != "linux", reason="strace is Linux's")
def test_nothing_changed_looks_at_each_transcript_once(home: Path, tmp_path: Path) -> None:
    counted(home)
    trace = ["strace", "-f", "-qq", "-o", str(tmp_path / "calls"), "-e", "trace=file"]
    env = {"HOME": str(home), "PATH": os.environ["PATH"]}
    subprocess.run([*trace, SF, "fix"], env=env, stdout=subprocess.DEVNULL, check=True)
    calls = (tmp_path / "calls").read_text().splitlines()
    looks = [call for call in calls if ".jsonl" in call and "session_index" not in call]
    assert len(looks) == SESSIONS
    assert not [call for call in looks if "open" in call.partition("(")[0]]
    folders = sum(path.is_dir() for path in home.rglob("*"))
    assert len([call for call in calls if f'"{home}/.c' in call]) <= 2 * folders + 10


def test_a_grown_transcript_alone_is_opened(home: Path) -> None:
    counted(home)
    grown = max(home.glob(".claude/projects/*/*.jsonl"), key=lambda path: path.stat().st_size)
    with grown.open("ab") as file:
        file.write(b'{"type":"mode","mode":"normal"}\n')
    told = counted(home)
    assert (told["opened"], told["files"]) == (1, 1)
    # Where the tail's first line begins is looked for before the tail is read.
    assert 0 < told["bytes"] <= min(ENDS, grown.stat().st_size) + 64 * 1024


def test_a_long_transcript_is_never_read_whole(tmp_path: Path) -> None:
    generate(str(tmp_path), claude=1, codex=0, seed=8, median=20_000)
    (transcript,) = tmp_path.glob(".claude/projects/*/*.jsonl")
    data = transcript.read_bytes()
    with transcript.open("wb") as file:
        file.write(data)
        file.seek(64 << 20, os.SEEK_CUR)  # a hole, as of a long line
        file.write(b"\n" + data)
    told = counted(tmp_path)
    assert told["files"] == 1
    assert told["bytes"] < 20 << 20  # the tail, and 8 MiB before it for a title that was chosen


def test_a_preview_reads_one_tail(home: Path) -> None:
    counted(home)
    session = sf("@ids", home=home).rows[0][0]
    told = counted(home, "show", session)
    assert told["files"] == 1
    assert told["bytes"] <= 512 * 1024
