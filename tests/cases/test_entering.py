"""A session's folder that is there is resumed, whatever its name; any other is refused."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases import codex, threads
from tests.cases.claude import answer, talk, transcript, typed
from tests.cases.look import assert_inert, clis, listed, only, plan, refused, shown
from tests.kit import environment, run, slug, uuid
from tests.warm import sf

ID = uuid(1)
THREAD = codex.thread_id(1)


# --- a folder that cannot be entered


def gone(tmp_path: Path) -> str:
    return f"{tmp_path}/shop/.claude/worktrees/gone"


def a_file(tmp_path: Path) -> str:
    (tmp_path / "file").touch()
    return f"{tmp_path}/file"


def a_dangling_link(tmp_path: Path) -> str:
    (tmp_path / "link").symlink_to("nowhere")
    return f"{tmp_path}/link"


def a_looping_link(tmp_path: Path) -> str:
    (tmp_path / "loop").symlink_to("loop")
    return f"{tmp_path}/loop/x"


def a_pipe(tmp_path: Path) -> str:
    os.mkfifo(tmp_path / "pipe")
    return f"{tmp_path}/pipe"


def too_long(tmp_path: Path) -> str:
    return "/" + "n" * 300


def far_too_long(tmp_path: Path) -> str:
    return "/n" * 5000


def with_a_nul(tmp_path: Path) -> str:
    return f"{tmp_path}\0/x"


def half_a_pair(tmp_path: Path) -> str:
    return f"{tmp_path}/\ud83d"


def relative(tmp_path: Path) -> str:
    return "code/shop"


def a_home_sign(tmp_path: Path) -> str:
    return "~/code"


def windows(tmp_path: Path) -> str:
    return "C:\\Users\\alex\\shop"


def blank(tmp_path: Path) -> str:
    return " "


def an_option(tmp_path: Path) -> str:
    return "-P"


Made = Callable[[Path], str]
CANNOT: list[Made] = [
    gone,
    a_file,
    a_dangling_link,
    a_looping_link,
    a_pipe,
    too_long,
    far_too_long,
    with_a_nul,
]
CANNOT += [half_a_pair, relative, a_home_sign, windows, blank, an_option]


@pytest.mark.parametrize("make", CANNOT)
@pytest.mark.parametrize("app", ["claude", "codex"])
def test_it_is_listed_and_refused(home: Path, tmp_path: Path, make: Made, app: str) -> None:
    # anthropics/claude-code#28314: a removed worktree
    cwd = make(tmp_path)
    if app == "claude":
        transcript(home, ID, cwd, folder="-x")
    else:
        codex.rollout(home, ID, cwd)
    assert only(home)["cwd"] == cwd
    for options in ([], ["--yes"], ["--run"], ["--shell", "fish"], ["--permissive", "--yes"]):
        err = refused(home, ID, *options)
        if len(cwd) < 200 and cwd.isprintable():
            assert cwd in err
    ran = sf("resume", "--json", ID, home=home, **clis(home))
    assert (ran.code, ran.out) == (1, "")
    assert cwd.isprintable() is False or "(gone)" in shown(home, ID) or not cwd.startswith("/")


@pytest.mark.parametrize(
    "name", ["$(touch PWN)", "$(touch PWN)\n", "`touch PWN`\x1b", "a;touch PWN", "'"]
)
def test_a_suggestion_is_as_safe_as_the_line(home: Path, tmp_path: Path, name: str) -> None:
    """What a refusal proposes to run for a removed work tree, run with a stand-in for git."""
    main = tmp_path / "shop"
    (main / ".git").mkdir(parents=True)
    (main / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    cwd = f"{main}/.claude/worktrees/{name}"
    transcript(home, ID, cwd, talk("Gone", gitBranch=f"feat/{name}"), folder="-x")
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nprintf "%s\\0" "$@" >../asked\n')
    program.chmod(0o755)
    (tmp_path / "here").mkdir()
    for line in refused(home, ID).split("\n")[1:-1]:
        env = environment(home, PATH=f"{program.parent}:/usr/bin:/bin")
        run(["sh", "-c", line.partition(": ")[2]], env, cwd=tmp_path / "here")
        asked = (tmp_path / "asked").read_text().split("\0")
        assert cwd in asked
    assert not list(tmp_path.rglob("PWN"))


# --- any other folder


def names() -> list[str]:
    """Names of every kind that a file system allows."""
    plain = ["-", "--", "-P", "it's", 'a "quoted" one', "$(touch canary)", "`touch canary`", "a;b"]
    plain += [
        "a & b",
        "%s %n $HOME",
        "g\\back ~ * ? [x] {1} {} !1 #h",
        "{a,b}",
        "=ls",
        "~root",
        "^a",
    ]
    plain += [
        " ",
        "  two",
        "end ",
        "é",
        "e\u0301",
        "日本語",
        "\u202egpj",
        "\u200b",
        "\u3164",
        "\u2800",
        "a\u115fb",
    ]
    plain += [chr(code) for code in range(1, 0x20)] + [
        "\x7f",
        "\x85",
        "\x9b31m",
        "\u2028",
        "\u2029",
    ]
    return [*plain, "\udcff", "\udc80\udcfe", "\ufffd", "a\udcc3", "new\nline", "tail\n"]


def test_it_is_resumed_whatever_its_name(home: Path, tmp_path: Path) -> None:
    # neilberkman/ccrider#15: a folder's name broke the command or ran one
    for number, name in enumerate(names()):
        cwd = f"{tmp_path}/{name}"
        os.mkdir(os.fsencode(cwd))
        transcript(home, uuid(number), cwd, folder=f"-{number}")
    told = {session["id"]: session["cwd"] for session in listed(home)}
    assert_inert(sf("find", "--format", "table", home=home).out)
    for number, name in enumerate(names()):
        cwd = told[uuid(number)]
        assert cwd == f"{tmp_path}/{name}"
        assert plan(home, uuid(number))["cwd"] == cwd
        shell = ("zsh", "bash", "fish")[number % 3]
        ran = sf("resume", "--shell", shell, uuid(number), home=home, **clis(home))
        assert ran.code == 0, (name, ran)
        assert ran.out.endswith("\n")
        assert_inert(ran.out)
        assert "(gone)" not in sf("show", uuid(number), home=home).out


@pytest.mark.parametrize(
    "written", ["/", "//", "/tmp/", "/tmp//", "/tmp/.", "/tmp/../tmp", "/./tmp"]
)
def test_other_ways_to_write_it(home: Path, written: str) -> None:
    transcript(home, ID, written, folder=slug(written.rstrip("/") or "/"))
    found = plan(home, ID)["cwd"]
    assert os.path.samefile(found, written)
    assert found == "/" or not found.endswith("/")


def test_a_link_is_entered_as_recorded(home: Path, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    codex.rollout(home, THREAD, tmp_path / "link")
    assert plan(home, THREAD)["cwd"] == str(tmp_path / "link")


def test_a_database_without_a_usable_folder(home: Path, tmp_path: Path) -> None:
    codex.rollout(home, THREAD, tmp_path)
    for cwd in ("", " ", "code/shop"):
        threads.path_of(home).unlink(missing_ok=True)
        threads.database(home, [threads.thread(THREAD, cwd)])
        assert plan(home, THREAD)["cwd"] == str(tmp_path)


def test_two_folders_that_look_alike(home: Path, tmp_path: Path) -> None:
    """The rows show the same; the row's own session is the one that is resumed."""
    for number, name in enumerate(("a\x1bb", "a\\x1bb", "a\ufffdb", "a\udcffb")):
        os.mkdir(os.fsencode(f"{tmp_path}/{name}"))
        records = [typed(name, number), answer(minute=number + 1)]
        transcript(home, uuid(number), f"{tmp_path}/{name}", records, folder=f"-{number}")
    told = {session["id"]: session["cwd"] for session in listed(home)}
    for row in sf(home=home).rows:
        ran = sf("resume", "--json", "-", home=home, given="\t".join(row), **clis(home))
        assert ran.json["cwd"] == told[row[0]]
