"""Plain calls load next to nothing, and give what click would give, byte by byte."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sessidx.__main__ import COMMANDS, plain
from sessidx.query import Query
from sessidx.said.picking import _packed
from tests.kit import SF, Done, both_clis, claude, environment, on_terminal, run, sf, unpack, uuid
from tests.test_readonly import FZF

CALL = {"", ".__main__", ".output", ".text"}
LIST = CALL | {
    *(".apps", ".apps.claude_code", ".apps.codex", ".apps.codex.databases"),
    *(
        "binascii",
        "gc",
        "heapq",
        "_heapq",
        ".cache",
        ".files",
        ".entry",
        ".find",
        ".index",
        ".jsonl",
        ".paths",
        ".query",
        ".rows",
        ".session",
        ".store",
        ".sqlite",
        ".times",
    ),
}
PLAN = {
    *(".folders", ".words", ".git", ".plan", ".release", ".shells", ".standing"),
    *(".apps.claude_code.cli", ".apps.codex.cli", ".apps.codex.provider"),
    *(
        ".apps.claude_code.facts",
        ".apps.claude_code.said",
        ".apps.claude_code.live",
        ".apps.claude_code.settings",
        ".apps.claude_code.retention",
        ".apps.claude_code.titles",
        ".apps.claude_code.worktrees",
        ".apps.codex.facts",
        ".apps.codex.names",
        ".apps.codex.settings",
        ".apps.codex.state",
        ".apps.codex.thread",
        ".apps.codex.titles",
        "zlib",
    ),
    ".blocks",
    ".documents",
    ".head",
    ".rights",
    ".transcript",
}
PICK = (
    LIST
    | PLAN
    | {
        ".table",
        ".clipboard",
        ".channels",
        ".fzf",
        ".header",
        ".fzf_options",
        ".picker",
        ".signals",
        ".resume",
        ".tty",
        "itertools",
        "select",
    }
)
# A preview parses the tail of one transcript, for which json's scanner is cheaper than orjson.
JSON = {"_json", "itertools", "unicodedata"}
# A search's phrases, and a line of which only the ends are looked at, want expressions.
RE = JSON | {
    *("json", "json.decoder", "json.encoder", "json.scanner"),
    *("re", "re._casefix", "re._compiler", "re._constants", "re._parser", "_sre"),
    *("enum", "types", "operator", "_operator", "functools", "_functools", "collections"),
    *("_collections", "keyword", "reprlib", "copyreg"),
}
SPEECH = {".said", ".said.lines", ".said.phrases", ".said.source", ".apps.claude_code.said"}
SEARCH = (
    LIST
    | RE
    | {
        *(".said", ".said.bar", ".said.find", ".said.search", ".said.snippet", ".spread"),
        *(
            ".apps.claude_code.said",
            ".apps.codex.said",
            ".apps.codex.titles",
            ".said.lines",
            ".said.phrases",
            ".said.sites",
            ".said.source",
        ),
        *(
            ".blocks",
            ".head",
            ".transcript",
            "fcntl",
            "select",
            "heapq",
            "_heapq",
            "signal",
            "_weakrefset",
            "io",
        ),
    }
)
SHOW = LIST | PLAN | SPEECH | {".preview", ".apps.codex.said"}

PICKING = SEARCH | PLAN | {".said.around", ".said.picking", ".glance", ".preview", ".table"}
PICKING |= {".folders"}
ALL = _packed(Query(), ["claude-code", "codex"], None)

CLAUDE = "0a9f6310-3a51-4727-99c9-2f0bfbd707d3"
CODEX = "01a22d26-30cc-7842-88f8-41316e8b76d6"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home of both apps whose index is built."""
    folder = tmp_path_factory.mktemp("plain")
    for name in ("claude-home-2.1.332-closed", "codex-home-0.171.0-live"):
        unpack(name, folder)
    assert sf("build", home=folder).code == 0
    return folder


def imported(report: str) -> Iterator[str]:
    """The modules in what -X importtime writes; that itself has no option for a better form."""
    yield from re.findall(r"^import time: +\d+ \| +\d+ \| +(\S+?)\r?$", report, re.MULTILINE)


def loaded(env: dict[str, str], *words: str) -> set[str]:
    """What a call of sf loads beyond `python -c pass`; our own modules begin with a dot."""
    done = run([sys.executable, "-X", "importtime", SF, *words], env)
    assert done.code == 0
    return beyond(done.err, env)


def beyond(report: str, env: dict[str, str]) -> set[str]:
    bare = set(imported(run([sys.executable, "-X", "importtime", "-c", "pass"], env).err))
    assert "site" in bare
    found = {name.removeprefix("sessidx") for name in set(imported(report)) - bare}
    assert found >= CALL
    return found


@pytest.mark.parametrize(
    ("words", "allowed"),
    [
        ([], LIST),
        (["checkout"], LIST),
        (["@ids"], LIST),
        (["--said", "checkout"], SEARCH),
        (["find", "--said", "retry code"], SEARCH),
        (["@said", "now", "80", ALL, "checkout"], SEARCH | PICKING),
        (["@heard", "zsh", f"claude-code:{CLAUDE}", "-", "retry"], SHOW | PICKING),
        (["init", "zsh"], CALL | {".integration", ".shells"}),
        (["init", "fish"], CALL | {".integration", ".shells"}),
        (["show", CLAUDE], SHOW | JSON),
        (["show", f"codex:{CODEX}"], SHOW | RE),
        (["@glance", "fish", f"claude-code:{CLAUDE}"], SHOW | JSON | {".glance"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_a_plain_call_loads(home: Path, words: list[str], allowed: set[str]) -> None:
    assert loaded(environment(home), *words) - allowed == set()


def picked(home: Path, folder: Path, fzf: str) -> tuple[set[str], int]:
    programs = both_clis(folder, "exit 0")
    (programs / "fzf").write_text(fzf)
    (programs / "fzf").chmod(0o755)
    env = environment(home)
    env["PATH"] = f"{programs}:{env['PATH']}"
    words: list[str | Path] = [sys.executable, "-X", "importtime", SF, "pick", "--shell", "zsh"]
    code, _, screen = on_terminal(words, env)
    return beyond(screen, env), code


def test_what_a_grown_session_costs(tmp_path: Path) -> None:
    transcript = claude(tmp_path, uuid(1), "/srv")
    sf("build", home=tmp_path)
    with transcript.open("ab") as file:
        file.write(b'{"type":"mode","mode":"normal"}\n')
    found = loaded(environment(tmp_path))
    assert "click" not in found
    assert "orjson" not in found
    assert ".transcript" in found


def test_what_the_picker_loads(home: Path, tmp_path: Path) -> None:
    found, code = picked(home, tmp_path, "#!/bin/sh\nexit 130\n")
    assert code == 130
    assert found - PICK - {"unicodedata"} == set()


def test_what_a_choice_loads(tmp_path: Path) -> None:
    home = tmp_path / "home"
    claude(home, uuid(1), str(tmp_path))
    sf("build", home=home)
    found, code = picked(home, tmp_path / "clis", FZF)
    assert code == 0
    assert found - PICK - RE == set()


@pytest.mark.parametrize("name", ["click", "orjson", "typing", "dataclasses", "uuid"])
def test_the_report_would_show_a_heavy_module(home: Path, name: str) -> None:
    assert name in loaded(environment(home), "--json", "--all")


def same(home: Path, one: list[str], other: list[str]) -> Done:
    """Both give the same bytes and the same exit code."""
    assert plain(one) is not None
    assert plain(other) is None
    done = sf(*one, home=home)
    assert done == sf(*other, home=home)
    return done


@pytest.mark.parametrize("words", [[], ["checkout"], ["CHECKOUT", "shop"], ["øst"], ["a.b"]])
def test_words(home: Path, words: list[str]) -> None:
    assert same(home, words, ["find", *words]).code == (1 if words == ["a.b"] else 0)
    same(home, words, ["--format", "tsv", *words])
    same(home, words, ["--", *words])


@pytest.mark.parametrize("words", [["checkout"], ["the", "retry"], ["no such word"], ["é"]])
def test_said(home: Path, words: list[str]) -> None:
    same(home, ["--said", *words], ["find", "--format", "tsv", "--said", *words])
    same(home, ["find", "--said", *words], ["--said", "--", *words])


@pytest.mark.parametrize(
    "wanted",
    [CLAUDE, CLAUDE[:9].upper(), f"codex:{CODEX}", CODEX[:8], "none", "claude-code:0", "x:y"],
)
def test_show(home: Path, wanted: str) -> None:
    done = same(home, ["show", wanted], ["show", "--format", "text", wanted])
    assert done.code == {CODEX[:8]: 2, "none": 1, "claude-code:0": 2, "x:y": 1}.get(wanted, 0)
    for shell in ("posix", "zsh", "bash", "fish"):
        same(home, ["@glance", shell, wanted], ["@glance", "--", shell, wanted])


@pytest.mark.parametrize("shell", ["zsh", "bash", "fish"])
def test_init(home: Path, shell: str) -> None:
    assert same(home, ["init", shell], ["init", "--", shell]).code == 0


def test_ids(home: Path) -> None:
    done = same(home, ["@ids"], ["@ids", "--"])
    assert (done.code, len(done.rows)) == (0, 36 + 13)  # and the names that were given
    for session, description in done.rows[:36]:
        assert len(session) == 36
        age, title = description.split(" ", 1)
        assert re.fullmatch(r"\d+[mhdwy]", age)
        assert title


def test_pick_without_a_terminal(home: Path) -> None:
    for shell in ("zsh", "bash", "fish"):
        done = same(home, ["pick", "--shell", shell], ["pick", "--shell", shell, "--"])
        assert (done.code, done.out) == (1, "")


def test_no_list_is_drawn_on_a_dumb_terminal(home: Path) -> None:
    code, out, screen = on_terminal([SF, "pick"], environment(home, TERM="dumb"))
    assert (code, out) == (1, "")
    assert "sf: this terminal cannot show a list" in screen


def test_plain_and_click_agree_on_an_empty_store(tmp_path: Path) -> None:
    for words, code in (([], 0), (["x"], 1)):
        done = same(tmp_path, words, ["find", *words])
        assert (done.code, done.out, done.err) == (code, "", "")
    assert same(tmp_path, ["@ids"], ["@ids", "--"]) == Done(0, "", "")
    assert same(tmp_path, ["show", "x"], ["show", "--", "x"]).code == 1


def test_the_commands_are_those_of_click() -> None:
    from sessidx.cli import main

    assert sorted([*COMMANDS, "@ids", "@glance", "@said", "@heard"]) == sorted(main.commands)
