"""Where sf stands and what it is connected to: full disks, closed streams, a folder that is gone."""

import os
import shlex
from pathlib import Path

import pytest

from tests.cases import codex
from tests.cases.claude import transcript
from tests.cases.look import clis
from tests.kit import SF, Done, environment, run, uuid

ID = uuid(1)
THREAD = codex.thread_id(1)


@pytest.fixture
def two(home: Path, tmp_path: Path) -> Path:
    transcript(home, ID, tmp_path)
    codex.rollout(home, THREAD, tmp_path)
    return home


def shell(home: Path, line: str, **more: str) -> Done:
    """A line of sh in which `sf` is the installed one."""
    script = f'sf() {{ {shlex.quote(str(SF))} "$@"; }}\n{line}'
    env = environment(home, **more) | clis(home)
    return run(["sh", "-c", script], env, cwd=home)


def is_one_line(text: str) -> bool:
    return text == "" or (text.startswith("sf: ") and text.count("\n") == 1)


WRITE = ["sf", "sf find", "sf --json", "sf @ids", f"sf show {ID}", f"sf resume {ID}", "sf build"]
WRITE += [
    "sf doctor",
    "sf apps",
    "sf init zsh",
    "sf -h",
    "sf -V",
    "sf find -h",
    "sf --format table",
]


@pytest.mark.parametrize("end", [">/dev/full", ">&-"])
@pytest.mark.parametrize("call", WRITE)
def test_no_room_for_the_answer(two: Path, call: str, end: str) -> None:
    done = shell(two, f"{call} {end}")
    assert is_one_line(done.err), done
    assert "fault" not in done.err
    assert done.code not in (0, 120) or end == ">&-"


@pytest.mark.parametrize("call", WRITE)
def test_nobody_reads_the_answer(two: Path, call: str) -> None:
    done = shell(two, f"{{ {call}; echo $? >&2; }} | true")
    assert done.err in ("0\n", "1\n") if "doctor" in call else done.err == "0\n"


@pytest.mark.parametrize("end", ["2>/dev/full", "2>&-", "2>/dev/full >&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    "call", ["sf nothing-like-it", "sf --no-such-option", "sf resume no-such", "sf"]
)
def test_no_room_for_the_message(two: Path, call: str, end: str) -> None:
    done = shell(two, f"{call} {end}; echo $?")
    assert done.out.split("\n")[-2] in ("0", "1", "2")
    assert done.err == ""


@pytest.mark.parametrize("given", ["<&-", "</dev/null", "<.", "</dev/zero", "</dev/full"])
def test_no_row_on_standard_input(two: Path, given: str) -> None:
    done = shell(two, f"sf resume - {given}")
    assert done.code in (1, 130)
    assert done.out == ""
    if given != "<.":  # Python itself does not start on a folder
        assert is_one_line(done.err), done


CALLS = ["sf", "sf find", "sf @ids", "sf --here", "sf find --dir .", "sf find --dir x", "sf build"]
CALLS += ["sf resume --last --here", "sf show a/b", "sf resume a/b", "sf resume ./x", "sf doctor"]
CALLS += [f"sf show {ID}", f"sf resume --yes {ID}", "sf apps", "sf init fish"]
RELATIVE: list[dict[str, str]] = [
    {"SESSIDX_HOME": "other"},
    {"CLAUDE_CONFIG_DIR": "other", "CODEX_HOME": "."},
    {"CODEX_SQLITE_HOME": "other"},
]


def from_nowhere(home: Path, call: str, **more: str) -> Done:
    done = shell(home, f'mkdir gone; cd gone; rmdir "$PWD"; {call}', **more)
    assert done.code in (0, 1, 2), done
    assert "fault" not in done.err
    assert all(line.startswith(("sf: ", "  ")) for line in done.err.split("\n")[:-1]), done
    return done


@pytest.mark.parametrize("call", CALLS)
def test_a_current_folder_that_is_gone(two: Path, call: str) -> None:
    done = from_nowhere(two, call)
    if call in ("sf", "sf find", "sf @ids"):
        assert done.out.count("\n") == 2
        assert done.err == ""


@pytest.mark.parametrize("relative", RELATIVE, ids=" ".join)
@pytest.mark.parametrize("call", ["sf", "sf doctor", f"sf resume {ID}"])
def test_homes_below_a_folder_that_is_gone(two: Path, call: str, relative: dict[str, str]) -> None:
    from_nowhere(two, call, **relative)


@pytest.mark.parametrize(
    "variable", ["SESSIDX_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "HOME", "PATH"]
)
@pytest.mark.parametrize(
    "value", ["", ".", "/dev/null", "/nonexistent", "\x1b[31m\n", "\udcff", "x" * 5000]
)
def test_homes_of_any_kind(two: Path, variable: str, value: str) -> None:
    env = {**environment(two), variable: value}
    for words in ([], ["apps"], ["doctor"], ["resume", ID], ["show", ID]):
        done = run([SF, *words], env, cwd=two)
        assert done.code in (0, 1, 2), done
        assert "fault" not in done.err
        assert "Traceback" not in done.err
        assert not {"\x1b", "\udcff"} & set(done.out + done.err) or words == []


def test_without_any_environment(two: Path) -> None:
    done = run([SF], {}, cwd=two)
    assert (done.code, done.err) == (0, "")


def test_words_that_are_not_utf_8(two: Path) -> None:
    for word in ("\udcff", "\x1b[31m", "a\nb", "\u202e", "💥", "\\"):
        done = run([SF, word], environment(two))
        assert (done.code, done.out, done.err) == (1, "", "")
        done = run([SF, "resume", "--", word], environment(two))
        assert done.code == 1
        assert is_one_line(done.err)
        assert not {"\x1b", "\udcff", "\u202e"} & set(done.err)
    assert os.listdir(two / ".cache" / "sessidx") == ["index"]
