"""The engine against brute force: json of every line, compared in the same way; and lines of any kind."""

import json
import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from unicodedata import normalize

import pytest

from sessidx.apps.claude_code import said as claude
from sessidx.apps.codex import said as codex
from sessidx.said.lines import Lines
from sessidx.said.phrases import Sought, folded
from sessidx.said.source import BLOCK
from tests.kit import NAMES, unpack, which

PHRASES = 40
Message = tuple[str, str | None, str]
Hit = tuple[int, Message]
WORDS = (
    *(
        "retry",
        "Policy",
        "the",
        "café",
        "naïve",
        "Привет",
        "мир",
        "日本語",
        "🚀",
        "a/b",
        "C:\\path",
    ),
    *(
        "“quoted”",
        "İstanbul",
        "ΟΔΟΣ",
        "x",
        "e\u0301tude",
        "<b>",
        "&",
        "don't",
        "1,5",
        "\u2028",
        "`f()`",
    ),
)


def transcripts(home: Path) -> Iterator[tuple[Path, ModuleType]]:
    for path in home.glob(".claude/projects/*/*.jsonl"):
        yield path, claude
    for path in home.glob(".codex/*sessions/**/*.jsonl"):
        yield path, codex


def by_brute_force(path: Path, app: ModuleType) -> list[tuple[Hit, str]]:
    """Every message of a file, and how it is compared."""
    found: list[tuple[Hit, str]] = []
    at = 0
    for line in path.read_bytes().split(b"\n"):
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if isinstance(record, dict):
            found += [((at, message), folded(message[2])) for message in app.messages(record)]
        at += len(line) + 1
    return found


def made_up(path: Path, rng: random.Random) -> None:
    """A transcript of Claude Code in which everything is written in every way."""
    with path.open("wb") as file:
        for _ in range(60):
            text = rng.choice((" ", "\n\n", "\t ")).join(rng.choices(WORDS, k=rng.randint(1, 12)))
            text = normalize(rng.choice(("NFC", "NFD")), text)
            block = {"type": "text", "text": text}
            hidden = {"type": "thinking", "thinking": text, "signature": "A" * rng.choice((9, 900))}
            result = {"tool_use_id": "t", "type": "tool_result", "content": text * 20}
            role, content = rng.choice(
                (
                    ("user", text),
                    ("user", [block]),
                    ("user", [result]),
                    ("user", [result, block]),
                    ("assistant", [hidden]),
                    ("assistant", [hidden, block]),
                    ("assistant", [block]),
                )
            )
            record = {"isSidechain": rng.random() < 0.1, "type": role}
            record |= {"message": {"role": role, "content": content}, "timestamp": "2026-11-30"}
            line = json.dumps(
                record,
                ensure_ascii=rng.random() < 0.5,
                separators=rng.choice(((",", ":"), (", ", ": "))),
            )
            line = line.replace("/", "\\/") if rng.random() < 0.3 else line
            file.write(line.encode("utf-8", "surrogatepass") + b"\n")
            file.write(rng.choice((b"", b"", b"\n", b'{"type":"user","torn\n', b"\0\0\n")))


def phrases(rng: random.Random, told: list[str]) -> Iterator[list[str]]:
    """Parts, words and single letters of what is said."""
    for number in range(PHRASES):
        text = rng.choice(told)
        words = text.split(" ")
        start = rng.randrange(max(1, len(text) - 20))
        yield (
            [text[start : start + rng.randint(1, 25)]],
            rng.choices(words, k=rng.randint(1, 4)),
            [rng.choice([w for w in words if not w.isascii()] or words)[: rng.randint(1, 9)]],
        )[number % 3]


def check(files: list[tuple[Path, ModuleType]], rng: random.Random, block: int) -> None:
    told = [(path, app, by_brute_force(path, app)) for path, app in files]
    everything = [text for _, _, messages in told for _, text in messages]
    assert everything
    for words in phrases(rng, everything):
        sought = Sought(words)
        if not sought.phrases:
            continue
        for path, app, messages in told:
            lines = Lines("", app.may_hold, app.messages, block=block)
            hits = (hit for hit, text in messages if all(p in text for p in sought.phrases))
            assert lines.first(str(path), sought) == next(hits, None), (words, path)


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith(("claude", "codex"))])
@pytest.mark.parametrize("block", [8192, BLOCK])
def test_the_same_as_brute_force_on_real_homes(name: str, block: int, tmp_path: Path) -> None:
    files = [each for each in transcripts(unpack(name, tmp_path)) if by_brute_force(*each)]
    if not files:  # 0.20 wrote no events
        assert name == "codex-home-0.20.0-exited"
        return
    check(files, random.Random(name), block)


@pytest.mark.parametrize("block", [64, 257, 4096, BLOCK])
def test_the_same_as_brute_force_whatever_is_written(block: int, tmp_path: Path) -> None:
    rng = random.Random(block)
    files = [(tmp_path / f"{number}.jsonl", claude) for number in range(4)]
    for path, _ in files:
        made_up(path, rng)
    check(files, rng, block)


def user(content: object) -> bytes:
    record = {"type": "user", "message": {"role": "user", "content": content}}
    return json.dumps(record, separators=(",", ":")).encode()


def picture(size: int) -> list[object]:
    source = {"type": "base64", "media_type": "image/png", "data": "A" * size}
    return [{"type": "image", "source": source}, {"type": "text", "text": "the needle"}]


RESULT = {"tool_use_id": "t", "type": "tool_result"}
LINES = {
    "behind a picture of 20 MB": user(picture(20_000_000)),
    "in 2 MB": user("x " * 500_000 + "the needle" + " y" * 500_000),
    "of wide letters": user("é " * 100_000 + "the needle"),
    "behind a long result": user(
        [{**RESULT, "content": "x " * 1_000_000}, {"type": "text", "text": "the needle"}]
    ),
    "at the beginning of 8 MB": user("the needle" + " y" * 4_000_000),
    "with a byte-order mark": b"\xef\xbb\xbf" + user("the needle"),
    "with bytes that are not UTF-8": user("the needle @").replace(b"@", b"\xff\xfe"),
    "with half a pair": user("the needle @").replace(b"@", b"\\ud83d"),
    "behind a line of 20 MB": user([{**RESULT, "content": "x" * 20_000_000}])
    + b"\n"
    + user("the needle"),
}


@pytest.mark.parametrize("ended", [b"\n", b""])
@pytest.mark.parametrize("name", LINES)
def test_a_line_of_any_kind(name: str, ended: bytes, tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_bytes(b'{"type":"mode"}\n' + LINES[name] + ended)
    lines = Lines(str(tmp_path), claude.may_hold, claude.messages)
    hit = lines.first("one.jsonl", Sought(["the needle"]))
    assert hit is not None
    around = lines.around("one.jsonl", hit[0], Sought(["the needle"]))
    assert around is not None
    assert around[1] == hit[1]


def test_a_packed_one(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    told = [user(f"message {number} " + os.urandom(2000).hex()) for number in range(300)]
    path.write_bytes(b"\n".join(told) + b"\n")
    subprocess.run([which("zstd"), "-q", path], check=True)
    lines = Lines(str(tmp_path), claude.may_hold, claude.messages)
    for number in (0, 150, 299):
        sought = Sought([f"message {number}"])
        plain, packed = (lines.first(name, sought) for name in ("one.jsonl", "one.jsonl.zst"))
        assert packed is not None
        assert packed == plain
        around = lines.around("one.jsonl.zst", packed[0], sought)
        assert around == lines.around("one.jsonl", packed[0], sought)
    (tmp_path / "none.jsonl.zst").write_bytes(b"no frame of zstd")
    assert lines.first("none.jsonl.zst", Sought(["message"])) is None


def test_what_was_said_before_and_after(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_bytes(b"\n".join(user(f"number {n} here") for n in range(9)) + b"\n")
    lines = Lines(str(tmp_path), claude.may_hold, claude.messages)
    sought = Sought(["number 4"])
    hit = lines.first("one.jsonl", sought)
    assert hit
    around = lines.around("one.jsonl", hit[0], sought)
    assert around
    before, found, after = around
    told = [words for _, _, words in (*before, found, *after)]
    assert told == [f"number {n} here" for n in (2, 3, 4, 5, 6)]
    # Where the file is another now, no message is shown in its place.
    for place, words in ((hit[0] + 1, "number 4"), (hit[0], "number 5"), (10**9, "number 4")):
        assert lines.around("one.jsonl", place, Sought([words])) is None
    assert [words for _, _, words in lines.last("one.jsonl")] == [
        f"number {n} here" for n in range(3, 9)
    ]
