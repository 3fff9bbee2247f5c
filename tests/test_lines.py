"""The printed line, run by the real shells, arrives with exactly the folder and words of the plan."""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from sessidx import shells, text
from sessidx.apps import load
from sessidx.session import Session
from tests import warm
from tests.cases.look import assert_inert
from tests.kit import (
    NAMES,
    Facts,
    all_clis,
    claude,
    codex,
    environment,
    expected,
    moved_to,
    relocate,
    run,
    sf,
    unpack,
    uuid,
    which,
)

SHELLS = {
    "posix": ("dash", "-c"),
    "bash": ("bash", "--norc", "-c"),
    "zsh": ("zsh", "-f", "-c"),
    "fish": ("fish", "--no-config", "-c"),
}
# What was started, where, with which words, in which environment.
BODY = """{
  printf '%s\\0' "${0##*/}" "$(pwd -P; echo .)" "$#" "$@"
  env -0
  printf '\\0'
} >>"$ARRIVED"
"""
THE_SHELLS_OWN = {"PWD", "OLDPWD", "SHLVL", "_", "LOGNAME", "USER", "ARRIVED"}


class Arrival(NamedTuple):
    cwd: str
    argv: list[str]
    env: dict[str, str]


def arrivals(path: Path) -> list[Arrival]:
    found = []
    fields = iter(path.read_bytes().decode("utf-8", "surrogateescape").split("\0")[:-1])
    for name in fields:
        cwd = next(fields)[:-2]
        argv = [name, *(next(fields) for _ in range(int(next(fields))))]
        env = dict(pair.split("=", 1) for pair in iter(lambda: next(fields), ""))
        found.append(Arrival(cwd, argv, env))
    return found


def run_lines(shell: str, lines: Iterable[str], env: dict[str, str], folder: Path) -> list[Arrival]:
    """Have `shell` run `lines` one after the other, from elsewhere."""
    program, *options = SHELLS[shell]
    end = "\n" if shell == "fish" else ")\n"
    script = "".join(("" if shell == "fish" else "(") + line + end for line in lines)
    arrived = folder / f"arrived-{shell}"
    arrived.touch()
    done = run([which(program), *options, script], {**env, "ARRIVED": str(arrived)}, cwd=folder)
    assert (done.code, done.out, done.err) == (0, "", "")
    return arrivals(arrived)


def prove(
    home: Path,
    sessions: list[Facts],
    folder: Path,
    *options: str,
    arguments: tuple[str, ...] = (),
    more: Mapping[str, str] | None = None,
) -> int:
    """Resume each of `sessions` in each shell and compare with its plan; how many lines ran."""
    path = f"{all_clis(folder / 'clis', BODY)}:/usr/bin:/bin"
    more = {**(more or {}), "PATH": path}
    env = environment(home) | more

    def resume(session: Facts, *words: str) -> str:
        only = [s["path"] for s in sessions].count(session["path"]) == 1
        word = session["path"] if only else f"{session['app']}:{session['id']}"
        words = (*options, *words, word, *(("--", *arguments) if arguments else ()))
        done = warm.sf("resume", *words, home=home, **more)
        assert done.code == 0, done.err
        if session is sessions[0]:  # a process of its own says the same
            assert sf("resume", *words, home=home, **more) == (0, done.out, done.err)
        return done.out

    plans = [json.loads(resume(session, "--json")) for session in sessions]
    assert all(tuple(plan["argv"][-len(arguments) :]) == arguments for plan in plans if arguments)
    count = 0
    for shell in SHELLS:
        ran = [
            (plan, resume(session, "--yes", "--shell", shell).removesuffix("\n"))
            for plan, session in zip(plans, sessions, strict=True)
            if shell != "posix" or plan["line"]
        ]
        found = run_lines(shell, [line for _, line in ran], env, folder)
        assert len(found) == len(ran)
        for (plan, line), arrival in zip(ran, found, strict=True):
            assert_inert(line, but="")
            assert line.startswith(shells.BEGINNINGS[shell])
            if shell == "posix":
                assert line == plan["line"]
            assert (arrival.cwd, arrival.argv) == (plan["cwd"], plan["argv"])
            told = {name: arrival.env[name] for name in arrival.env.keys() - THE_SHELLS_OWN}
            assert told == env | plan["env"]
            count += 1
    return count


@pytest.mark.parametrize("name", NAMES)
def test_every_row_of_every_home(name: str, tmp_path: Path) -> None:
    home = unpack(name, tmp_path / "home")
    relocate(name, home, tmp_path / "root")
    sessions = sf("--all", "--json", home=home).json
    told = {
        (session["id"], session["cwd"] and moved_to(session["cwd"], tmp_path / "root")): session
        for session in expected(name)
        if session["listed"] != "never"
    }
    assert {(session["id"], session["cwd"]) for session in sessions} == told.keys()
    resumed = []
    for session in sessions:
        away = Session(session["app"], session["id"], key="x", archived=session["archived"])
        back = load(session["app"]).commands().unarchive(away)
        resumable = told[session["id"], session["cwd"]]["resumable"]
        if session["cwd"] and resumable and not back:
            resumed.append(session)
            continue
        done = sf("resume", "--yes", session["id"], home=home)
        assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
        if back:
            assert done.err == f"sf: {session['id']} is archived: `{back}` brings it back\n"
    assert not resumed or prove(home, resumed, tmp_path) == 4 * len(resumed)


@pytest.mark.parametrize("options", [("--permissive",), ("--fork", "--no-model")])
@pytest.mark.parametrize("name", ["claude-home-2.1.332-closed", "codex-home-0.171.0-exited"])
def test_the_options(name: str, options: tuple[str, ...], tmp_path: Path) -> None:
    home = unpack(name, tmp_path / "home")
    relocate(name, home, tmp_path / "root")
    rows = sf("--json", home=home).json
    seen: dict[tuple[object, ...], Facts] = {}
    for row in rows:
        seen.setdefault((row["mode"], row["approval"], row["sandbox"]), row)
    assert prove(home, list(seen.values()), tmp_path, *options) == 4 * len(seen)


HOSTILE = (
    "it's",
    'a "quoted" one',
    "$(touch PWN)",
    "`touch PWN`",
    "a;touch PWN",
    "bang!",
    "a\\b\\",
    "-n",
    " blanks ",
    "~",
    "*?[a]{b,c}",
    "%s%n",
    "=cmd",
    "#no",
    "a\nb",
    "\n",
    "tab\there",
    "\x1b[31mred\x1b[0m",
    "\x01\x7f",
    "naïve 日本語 🚀",
    "\u202egnp",
    "\u200b",
    "\u3164",
    "a\u2800\uffa0",
    "\udcff\udc80.",  # bytes that are no UTF-8
    "n" * 255,
)


def test_folders_of_any_name(tmp_path: Path) -> None:
    home = tmp_path / "home"
    root = str(tmp_path / "root")
    for number, name in enumerate(HOSTILE):
        cwd = f"{root}/{name}"
        os.makedirs(os.fsencode(cwd))
        (claude, codex)[number % 2](home, uuid(number), cwd)
    sessions = sf("--json", home=home).json
    assert {s["cwd"] for s in sessions} == {f"{root}/{name}".rstrip("/") for name in HOSTILE}
    odd = [s for s in sessions if not text.is_clean(s["cwd"])]
    assert prove(home, sessions, tmp_path) == 4 * len(sessions) - len(odd) == 4 * 26 - 10
    for session in odd[:4]:
        done = sf("resume", session["path"], home=home)
        why = "the folder's name is not printable: --shell zsh, bash or fish can quote it"
        assert (done.code, done.out, done.err) == (1, "", f"sf: {why}\n")
    assert list(tmp_path.rglob("PWN")) == []


ARGUMENTS = (
    "it's",
    "-x",
    "--model=opus[1m]",
    "$(touch PWN)",
    "",
    "~",
    "*",
    "!!",
    "a\\",
    "é",
    "\n\x1b",
)


def test_arguments_of_any_kind(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for write, number in ((claude, 1), (codex, 2)):
        write(home, uuid(number), str(tmp_path))
        (session,) = sf("--json", uuid(number), home=home).json
        words = (*ARGUMENTS, "--json", "--run", "--last")
        assert prove(home, [session], tmp_path / str(number), arguments=words) == 3
        assert prove(home, [session], tmp_path / f"p{number}", arguments=words[:10]) == 4


@pytest.mark.parametrize("model", ["claude-opus-4-6[1m]", "a=b", "~root"])
def test_models(model: str, tmp_path: Path) -> None:
    (tmp_path / "claude-opus-4-61").touch()
    claude(tmp_path, uuid(1), str(tmp_path), model=model)
    sessions = sf("--json", home=tmp_path).json
    assert [session["model"] for session in sessions] == [model]
    assert prove(tmp_path, sessions, tmp_path) == 4


def test_a_chosen_home_is_passed_on(tmp_path: Path) -> None:
    other = tmp_path / "it's ~ $HOME"
    claude(other, uuid(1), str(tmp_path))
    codex(other, uuid(2), str(tmp_path))
    for more in (
        {"SESSIDX_HOME": str(other)},
        {"CLAUDE_CONFIG_DIR": f"{other}/.claude", "CODEX_HOME": f"{other}/.codex"},
    ):
        sessions = sf("--json", home=tmp_path, **more).json
        assert len(sessions) == 2
        assert prove(tmp_path, sessions, tmp_path / next(iter(more)), more=more) == 8


@pytest.mark.parametrize("app", ["claude-code", "codex"])
def test_what_an_agent_told_this_shell_is_emptied(app: str, tmp_path: Path) -> None:
    # As a shell in Claude Code 2.1.332 has them. An empty one counts as unset: `python -m tests.real`.
    told = {"CLAUDECODE": "1", "CLAUDE_CODE_CHILD_SESSION": "1", "CLAUDE_CODE_ENTRYPOINT": "cli"}
    if app == "codex":  # as one in Codex has them; its id is replaced
        told = {"CODEX_SANDBOX": "seatbelt", "CODEX_SANDBOX_NETWORK_DISABLED": "1"}
    (claude if app == "claude-code" else codex)(tmp_path, uuid(1), str(tmp_path))
    sessions = sf("--json", home=tmp_path).json
    assert prove(tmp_path, sessions, tmp_path, more=told) == 4
    done = sf("resume", uuid(1), home=tmp_path, CODEX_THREAD_ID=uuid(2), **told)
    start = {"claude-code": "claude --resume ", "codex": "codex resume "}[app]
    assert " ".join([*(f"{name}=" for name in told), start]) in done.out
    assert f"an agent: {', '.join(told)} emptied" in done.err
    found = sf("resume", "--json", uuid(1), home=tmp_path, CLAUDECODE="").json
    assert (found["env"], [note for note in found["notes"] if "agent" in note]) == ({}, [])
