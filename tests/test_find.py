"""`sf [WORD]…`: which sessions are listed, in which form, and with which exit code."""

import json
import os
import re
import time
from pathlib import Path

import pytest

from tests.kit import SF, claude, codex, environment, on_terminal, run, sf, uuid, which


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six sessions in the default list, numbered from the newest, two more with --all."""
    folder = tmp_path_factory.mktemp("find")
    at = "2026-10-{:02}T10:00:00.000Z".format
    shop, blog = "/home/alex/code/shop-api", "/home/alex/code/my blog"
    claude(folder, uuid(1), shop, "Fix the cart", branch="fix/Cart", at=at(20))
    codex(folder, uuid(2), shop, "Trace the login", branch="main", at=at(18))
    claude(folder, uuid(3), blog, "Naïve ÜBER intro", branch="draft/øst", at=at(16))
    codex(folder, uuid(4), f"{shop}/web", "Split the build", branch="HEAD", at=at(14))
    claude(folder, uuid(5), "/home/alex/code/shop-api-2", "Shop two", at=at(12))
    claude(folder, uuid(0xABCDEF), "/srv", "Apps", branch="", at=at(10))
    claude(folder, uuid(7), shop, "Nightly cart", entrypoint="sdk-cli", at=at(8))
    codex(folder, uuid(8), shop, "Old cart", archived=True, at=at(6))
    return folder


def numbers(home: Path, *words: str, code: int = 0, cwd: str | Path = "/") -> list[int]:
    done = sf(*words, home=home, cwd=cwd)
    assert (done.code, done.err) == (code, "")
    return [int(row[0][:8], 16) for row in done.rows]


APPS = 0xABCDEF
DEFAULT = [1, 2, 3, 4, 5, APPS]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ([], DEFAULT),
        (["cart"], [1]),
        (["CART"], [1]),  # title and branch
        (["fix/c"], [1]),
        (["über"], [3]),
        (["ØST"], [3]),
        (["my blog"], [3]),
        (["codex"], [2, 4]),
        (["CODEX", "shop"], [2, 4]),
        (["claude", "shop"], [1, 5]),
        (["abcd"], [APPS]),
        (["ABCD"], [APPS]),
        (["-5a5a-"[1:], "trace"], [2]),
        (["find", "build"], [4]),
        (["find", "apps"], [APPS]),
        (["--", "cart"], [1]),
        (["--all", "cart"], [1, 7, 8]),
        (["--all"], [*DEFAULT, 7, 8]),
        (["--app", "codex"], [2, 4]),
        (["--app", "codex", "--app", "claude-code"], DEFAULT),
        (["--app", "codex", "--all", "cart"], [8]),
        (["--branch", "CART"], [1]),
        (["--branch", "a"], [1, 2, 3, 5]),
        (["--dir", "/home/alex/code/shop-api"], [1, 2, 4]),
        (["--dir", "/home/alex/code/shop-api/"], [1, 2, 4]),
        (["--dir", "/home/alex/code/../code/shop-api/web"], [4]),
        (["--dir", "/"], DEFAULT),
        (["--since", "2026-10-14"], [1, 2, 3, 4]),
        (["--since", "2026-10-16T10:00:00Z"], [1, 2, 3]),
        (["--since", "2026-10-14", "--until", "2026-10-18"], [2, 3, 4]),
        (["--until", "2026-10-13"], [5, APPS]),
        (["--limit", "2"], [1, 2]),
        (["--limit", "0"], []),
        (["--limit", "2", "--all", "cart"], [1, 7]),
        (["cart", "--all", "--limit", "1"], [1]),
    ],
    ids=lambda value: " ".join(map(str, value)),
)
def test_what_is_found(home: Path, words: list[str], found: list[int]) -> None:
    assert numbers(home, *words) == found


@pytest.mark.parametrize("words", [["zzz"], ["cart", "zzz"], ["--app", "codex", "blog"], ["apps "]])
def test_words_without_a_match(home: Path, words: list[str]) -> None:
    for form, out in (((), ""), (("--json",), "[]\n"), (("--format", "table"), "")):
        done = sf("find", *form, *words, home=home)
        assert (done.code, done.out, done.err) == (1, out, "")


def test_a_folder_relative_or_by_a_link(home: Path, tmp_path: Path) -> None:
    real = tmp_path / "real"
    (real / "below").mkdir(parents=True)
    (tmp_path / "link").symlink_to(real)
    claude(tmp_path, uuid(1), str(real / "below"))
    for cwd, folder in (
        (tmp_path, "real"),
        (real, "."),
        (real / "below", ".."),
        ("/", f"{tmp_path}/link"),
    ):
        assert numbers(tmp_path, "--dir", folder, cwd=cwd) == [1]


def test_ages(tmp_path: Path) -> None:
    now = time.time()
    for number, age in enumerate((60, 3000, 7000, 90_000, 700_000), 1):
        at = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(now - age))
        claude(tmp_path, uuid(number), "/srv", at=at)
    for since, found in (("30m", 1), ("1h", 2), ("2h", 3), ("2d", 4), ("1w", 4), ("9d", 5)):
        assert len(numbers(tmp_path, "--since", since)) == found
        assert len(numbers(tmp_path, "--until", since)) == 5 - found


def test_here_is_the_repository_with_its_work_trees(tmp_path: Path) -> None:
    main, tree, other = (tmp_path / name for name in ("main", "tree", "other"))
    for folder in (main / "sub", tree / "deep", other):
        folder.mkdir(parents=True)
    git = main / ".git"
    (git / "worktrees" / "tree").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "worktrees" / "tree" / "HEAD").write_text("ref: refs/heads/wt\n")
    (git / "worktrees" / "tree" / "commondir").write_text("../..\n")
    (git / "worktrees" / "tree" / "gitdir").write_text(f"{tree}/.git\n")
    (tree / ".git").write_text(f"gitdir: {git}/worktrees/tree\n")
    for number, folder in enumerate((main, main / "sub", tree, tree / "deep", other), 1):
        claude(tmp_path, uuid(number), str(folder), at=f"2026-10-{20 - number}T10:00:00.000Z")
    for cwd in (main, main / "sub", tree, tree / "deep"):
        assert numbers(tmp_path, "--here", cwd=cwd) == [1, 2, 3, 4]
    assert numbers(tmp_path, "--here", cwd=other) == [5]
    assert numbers(tmp_path, "--here", cwd=tmp_path) == [1, 2, 3, 4, 5]
    assert numbers(tmp_path, "--here", "--dir", "sub", cwd=main) == [2]
    assert numbers(tmp_path, "--here", "nothing", cwd=main, code=1) == []


def test_the_rows(home: Path) -> None:
    rows = sf(home=home).rows
    assert rows[0] == [
        *(uuid(1), "claude-code", "2026-10-20T10:00:00.000Z"),
        *("/home/alex/code/shop-api", "fix/Cart", "Fix the cart"),
    ]
    assert rows[3][4] == rows[5][4] == "-"
    names = (
        "id,app,updated,cwd,branch,title,model,effort,mode,approval,sandbox,origin,archived,live"
    )
    (row,) = sf("--columns", f"{names},size,path", "trace", home=home).rows
    assert row[:6] == rows[1]
    assert row[6:14] == ["gpt-5.5", "-", "-", "-", "-", "interactive", "no", "-"]
    assert os.path.getsize(row[15]) == int(row[14])
    assert sf("--columns", "title,id", "trace", home=home).rows == [["Trace the login", uuid(2)]]
    assert sf("--columns", "archived", "--all", "old", home=home).out == "yes\n"


def test_the_formats(home: Path) -> None:
    told = sf("--json", home=home).json
    assert [
        json.loads(line) for line in sf("--format", "jsonl", home=home).out.splitlines()
    ] == told
    assert sf("--format", "json", home=home).json == told
    assert list(told[0]) == [
        *("app", "id", "cwd", "branch", "title", "updated", "model", "effort", "mode", "approval"),
        *("sandbox", "origin", "archived", "live", "path", "size", "home", "fork_of"),
        "interrupted",
    ]
    assert told[5]["branch"] is None
    table = sf("--format", "table", home=home).out.splitlines()
    assert len(table) == 6
    assert re.fullmatch(
        r"✗ +\d+[dwy]  claude  /home/alex/code/shop-api +fix/Cart +Fix the cart", table[0]
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--format", "xml"], "'xml' is not one of 'tsv', 'table', 'json', 'jsonl'"),
        (
            ["--columns", "id,nmae"],
            "no column 'nmae'; there are id, app, updated, cwd, branch, title",
        ),
        (["--columns", ""], "no column ''"),
        (["--app", "claude"], "'claude' is not one of 'claude-code', 'codex'"),
        (["--since", "yesterday"], "'yesterday' is no time: 2d, 3h, 30m, 2w or 2026-11-01"),
        (["--until", "2026-13-01"], "'2026-13-01' is no time"),
        (["--limit", "many"], "'many' is not a valid integer"),
        (["--limit", "-1"], "-1 is not in the range"),
        (["--limit"], "requires an argument"),
        (["--heer"], "--heer"),
        (["-x"], "-x"),
    ],
)
def test_wrong_use(home: Path, words: list[str], said: str) -> None:
    done = sf(*words, home=home)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("sf: ")
    assert said in done.err


def many(home: Path, count: int) -> None:
    for number in range(count):
        at = f"2026-10-01T{number // 60:02}:{number % 60:02}:00.000Z"
        claude(home, uuid(number), "/home/alex/code/shop-api", f"{number} " + "long " * 36, at=at)
    claude(home, uuid(9999), "/srv", "Scripted", entrypoint="sdk-py")


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    many(tmp_path, 450)
    env = environment(tmp_path, SF=str(SF))
    newest = f"{uuid(449)}\t"
    script = 'set -o pipefail; "$SF" {} | head -n 1'
    for words, first in {
        "": newest,
        "claude": newest,
        "@ids": newest,
        "--all": f"{uuid(9999)}\t",
        "--format jsonl": '{"app":"claude-code"',
        "--json": "[\n",
        "--format table": "✗ ",
    }.items():
        done = run([which("bash"), "-c", script.format(words)], env)
        assert (done.code, done.err, done.out.count("\n")) == (0, "", 1), words
        assert done.out.startswith(first)
    for words in ("--help", "show " + uuid(3)):
        done = run([which("bash"), "-c", 'set -o pipefail; "$SF" ' + words + " | true"], env)
        assert (done.code, done.out, done.err) == (0, "", "")


def test_a_terminal_gets_a_table(tmp_path: Path) -> None:
    many(tmp_path, 60)
    env = environment(tmp_path)
    code, _, screen = on_terminal([SF], env, shown=True, columns=90)
    lines = screen.split("\r\n")
    assert (code, len(lines), lines[-1]) == (0, 52, "")
    assert lines[50] == "sf: 50 of 60, 1 hidden (--all)"
    assert lines[0].startswith("\x1b[")
    code, _, bare = on_terminal([SF], env | {"NO_COLOR": "1"}, shown=True, columns=90)
    assert re.sub(r"\x1b\[\d*m", "", screen) == bare
    assert {len(line) for line in bare.split("\r\n")[:50]} == {90}
    code, _, screen = on_terminal([SF, "--all", "--limit", "61"], env, shown=True, columns=200)
    assert (code, screen.count("\r\n")) == (0, 61)
    code, _, screen = on_terminal([SF, "zzz"], env, shown=True)
    assert (code, screen.count("\r\n")) == (1, 1)
    code, _, screen = on_terminal([SF, "--format", "tsv", "--limit", "1"], env, shown=True)
    assert screen.startswith(f"{uuid(59)}\tclaude-code\t")


def test_on_a_pipe_nothing_is_limited(tmp_path: Path) -> None:
    many(tmp_path, 60)
    done = sf(home=tmp_path)
    assert (done.code, len(done.rows), done.err) == (0, 60, "")
