"""`sf --said`: what is printed, in which order, and what is left behind."""

import json
import os
from pathlib import Path

import pytest

from sessidx.folders import Below
from sessidx.query import Query
from sessidx.said.picking import _packed
from tests.kit import SF, claude, codex, environment, on_terminal, sf, unpack, uuid

NEEDLE = "a Zebra  crosses\nthe road"


def prompt(text: str, at: str = "2026-11-02T08:00:00Z") -> dict[str, object]:
    message = {"role": "user", "content": text}
    return {"type": "user", "message": message, "timestamp": at}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Five sessions of two apps; it is said in three of them, one of which is scripted."""
    for number, (title, said) in enumerate(
        [("Fix the cart", NEEDLE), ("Sort it out", "Crosses"), ("Sort it", "nothing")], 1
    ):
        path = claude(
            tmp_path, uuid(number), "/srv/shop", title, at=f"2026-11-0{number}T10:00:00.000Z"
        )
        with path.open("a") as file:
            file.write(json.dumps(prompt(said)) + "\n")
            if number == 2:
                chosen = {"type": "custom-title", "customTitle": "Zebra of the road"}
                file.write(json.dumps(chosen) + "\n")
    path = claude(tmp_path, uuid(5), "/srv/shop", "By a script", entrypoint="sdk-cli")
    with path.open("a") as file:
        file.write(json.dumps(prompt(NEEDLE, "2026-11-01T11:00:00Z")) + "\n")
    codex(tmp_path, uuid(7), "/srv/api", f"Talk of it: {NEEDLE}", at="2026-11-09T10:00:00.000Z")
    return tmp_path


def ids(*words: str, home: Path) -> list[str]:
    done = sf(*words, home=home)
    assert (done.code, done.err) == (0 if done.out else 1, "")
    return [row[0] for row in done.rows]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--said", "zebra crosses"], [7, 1]),
        (["find", "--said", "zebra crosses the road"], [7, 1]),
        # What the row shows need not be in the message; what it shows all of must be said.
        (["--said", "zebra", "crosses"], [7, 2, 1]),
        (["--said", "zebra", "road"], [7, 1]),
        (["--said", "crosses", "fix"], [1]),
        (["--said", "fix"], [1]),
        (["--said", "no such word"], []),
        (["--said", "--app", "codex", "zebra"], [7]),
        (["--said", "--dir", "/srv/shop", "zebra"], [1]),
        (["--said", "--all", "zebra"], [7, 1, 5]),
        (["find", "--said", "--until", "2026-11-08", "zebra"], [1]),
        (["find", "--said", "--limit", "1", "zebra"], [7]),
        (["--said", "--limit", "0", "zebra"], []),
    ],
)
def test_which_sessions(home: Path, words: list[str], found: list[int]) -> None:
    assert ids(*words, home=home) == [uuid(number) for number in found]


def test_a_row_has_a_seventh_column(home: Path) -> None:
    done = sf("--said", "zebra", home=home)
    assert [len(row) for row in done.rows] == [7, 7]
    plain = {row[0]: row for row in sf(home=home).rows}
    assert [row[:6] for row in done.rows] == [plain[row[0]] for row in done.rows]
    assert done.rows[1][6] == "a Zebra crosses the road"
    chosen = sf("--said", "--columns", "said,id", "zebra", home=home)
    assert chosen.rows[1] == ["a Zebra crosses the road", uuid(1)]
    assert sf("--columns", "id,said", "zebra", home=home).code == 2
    assert sf("find", "--said", home=home).code == 2
    assert sf("--said", " ", home=home).code == 2


def test_json_tells_who_and_when(home: Path) -> None:
    done = sf("--said", "--json", "crosses the road", home=home)
    assert [session["id"] for session in done.json] == [uuid(7), uuid(1)]
    told = {"who": "you", "at": "2026-11-02T08:00:00.000Z", "text": "a Zebra crosses the road"}
    assert done.json[1]["said"] == told
    each = sf("--said", "--format", "jsonl", "crosses the road", home=home)
    assert [json.loads(line) for line in each.out.splitlines()] == done.json
    none = sf("--said", "--json", "no such word", home=home)
    assert (none.code, none.json) == (1, [])


def test_a_table_shows_the_words_and_marks_them(home: Path) -> None:
    env = environment(home, TERM="xterm-256color")
    code, _, screen = on_terminal([SF, "--said", "zebra"], env, shown=True)
    assert code == 0
    assert "a \x1b[1;33mZebra\x1b[0m crosses the road" in screen
    assert "Fix the cart" not in screen
    plain = on_terminal([SF, "--said", "zebra"], {**env, "NO_COLOR": "1"}, shown=True)[2]
    assert "a Zebra crosses the road" in plain


def test_its_rows_are_resumed_like_any(home: Path, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    claude(tmp_path, uuid(9), str(tmp_path / "shop"), "The ninth", branch="")
    row = sf("--said", "ninth", home=home).out
    done = sf("resume", "-", home=home, given=row)
    assert f"--resume {uuid(9)}" in done.out, done.err


def test_show_tells_what_came_before_and_after(home: Path) -> None:
    done = sf("show", uuid(1), "--said", "crosses the ROAD", home=home)
    assert done.code == 0
    assert "you, 2026-11-02T08:00:00.000Z:\n  a Zebra  crosses\n  the road" in done.out
    assert "agent:\n  Done.\n\nyou," in done.out
    told = sf("show", uuid(1), "--said", "--json", "zebra", home=home).json
    assert told["said"]["text"] == NEEDLE
    assert [each["text"] for each in told["said"]["before"]] == ["Fix the cart", "Done."]
    none = sf("show", uuid(1), "--said", "no such word", home=home)
    assert (none.code, none.err) == (1, "sf: not said in that session: no such word\n")
    assert sf("show", uuid(1), "zebra", home=home).code == 2
    assert sf("show", uuid(1), "--said", home=home).code == 2


def test_the_rows_of_the_picker(home: Path) -> None:
    """What fzf asks for: hidden behind what is shown stand a message's place and the query."""
    asked = _packed(Query(here=Below(["/srv"])), ["claude-code", "codex"], None)
    done = sf("@said", "now", "100", asked, "zebra", home=home, NO_COLOR="1")
    assert [row[0] for row in done.rows] == [uuid(7), uuid(1)]
    row = done.rows[1]
    assert len(row) == 9
    assert "a Zebra crosses the road" in row[6]
    assert row[8] == "zebra"
    for lines, shown in ((60, "Fix the cart"), (8, "a Zebra")):
        told = sf(
            *("@heard", "zsh", f"claude-code:{uuid(1)}", row[7], row[8]),
            home=home,
            NO_COLOR="1",
            FZF_PREVIEW_LINES=str(lines),
            FZF_PREVIEW_COLUMNS="100",
        )
        assert told.code == 0
        assert told.out.startswith("you" + (":" if lines == 60 else ", 2026-11-02"))
        assert shown in told.out
    assert "\x1b[1;33mZebra\x1b[0m" in sf("@said", "now", "100", asked, "zebra", home=home).out
    # Where the file is another now, and where nothing was sought, every session's own preview.
    plain = sf("@glance", "zsh", f"claude-code:{uuid(1)}", home=home).out
    for place, typed in (("3", "zebra"), ("-", ""), (row[7], "heron"), ("9" * 30, "zebra")):
        assert sf("@heard", "zsh", f"claude-code:{uuid(1)}", place, typed, home=home).out == plain
    none = sf("@said", "soon", "100", asked, "", home=home)
    assert [(row[0], row[7]) for row in none.rows] == [(uuid(n), "-") for n in (7, 3, 2, 1)]
    for wrong in ("zz", "7b7d", "5b5d"):
        assert sf("@said", "now", "100", wrong, "x", home=home).code == 2


def test_nothing_that_is_said_is_kept(home: Path) -> None:
    for words in (["--said", "zebra"], ["show", uuid(1), "--said", "zebra"], ["--said", "nowhere"]):
        sf(*words, home=home)
    cache = home / ".cache" / "sessidx"
    kept = b"".join(path.read_bytes() for path in cache.iterdir())
    assert kept
    for needle in (b"crosses", b"nowhere"):
        assert needle not in kept.lower().replace(b"talk of it: a zebra crosses the road", b"")


def test_a_transcript_that_cannot_be_read_hides_no_other(home: Path) -> None:
    path = next(home.glob(f".claude/projects/*/{uuid(1)}.jsonl"))
    sf("build", home=home)
    stamp = path.stat()
    content = path.read_bytes()
    path.unlink()
    os.mkfifo(path)
    done = sf("--said", "zebra", home=home)
    assert [row[0] for row in done.rows] == [uuid(7)]
    path.unlink()
    path.write_bytes(content)
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert ids("--said", "zebra", home=home) == [uuid(7), uuid(1)]


APPS = (
    "copilot-cli-home-1.0.102",
    "droid-home-0.215.0",
    "gemini-cli-home-0.61.0",
    "grok-home-1.0.41",
    "kimi-code-home-2.1.0",
    "pi-home-1.6.0",
    "qwen-code-home-0.24.4",
    "vibe-home-3.0.2",
)


@pytest.mark.parametrize("name", APPS)
def test_every_app_takes_part(name: str, tmp_path: Path) -> None:
    """The last words of a session's preview are found, in that session."""
    home = unpack(name, tmp_path)
    checked = 0
    for session in sf("find", "--all", "--json", home=home).json[:3]:
        one = f"{session['app']}:{session['id']}"
        for each in sf("show", "--json", one, home=home).json["exchange"][-1:]:
            words = " ".join(each["text"].split())[:60]
            found = sf("--all", "--said", "--json", words, home=home).json
            assert session["id"] in {told["id"] for told in found}, (words, each)
            shown = sf("show", one, "--said", "--json", words, home=home)
            assert words in " ".join(shown.json["said"]["text"].split())
            checked += 1
    assert checked
