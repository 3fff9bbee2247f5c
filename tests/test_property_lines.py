"""Any folder, id, model, effort and mode: the line, run by the real shells, does what the plan says."""

import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessidx import plan, shells
from sessidx.apps import load, own
from sessidx.session import Session
from tests import strategies
from tests.cases import codex
from tests.cases.claude import dump, placed, store, talk
from tests.cases.look import assert_inert, clis, listed
from tests.kit import environment, lines, uuid, which
from tests.warm import sf

NOTED = 'printf \'%s\\0\' "$PWD" "$#" "$@" "${CLAUDE_CONFIG_DIR-}" "${CODEX_HOME-}" >>"$OUT"'
FUNCTIONS = f"claude() {{ {NOTED}; }}\ncodex() {{ {NOTED}; }}\n"
FISH = "".join(
    f"function {name}; printf '%s\\0' $PWD (count $argv) $argv \"$CLAUDE_CONFIG_DIR\" "
    '"$CODEX_HOME" >>$OUT; end\n'
    for name in ("claude", "codex")
)
# Each shell as its people set it: what is odd in quoting, globbing, history.
PEOPLE: dict[str, list[tuple[list[str], str]]] = {
    "posix": [(["dash"], ""), (["bash", "--posix", "--norc"], ""), (["dash"], "set -efu\n")],
    "bash": [
        (["bash", "--norc"], ""),
        (
            ["bash", "--norc"],
            "set -o history -H -k -u; shopt -s extglob nullglob dotglob xpg_echo\n",
        ),
        (["bash", "--norc"], "set -o history -H; shopt -s failglob nocaseglob histverify; IFS=x\n"),
    ],
    "zsh": [
        (["zsh", "-f"], ""),
        (["zsh", "-f"], "setopt rc_quotes extended_glob null_glob glob_subst ksh_arrays\n"),
        (["zsh", "-f"], "setopt csh_junkie_quotes sh_word_split magic_equal_subst brace_ccl\n"),
        (["zsh", "-f", "-i", "-s"], "PS1= PS2= RPS1=; setopt bang_hist interactive_comments\n"),
    ],
    "fish": [(["fish", "--no-config"], "")],
}
HOMES = ("CLAUDE_CONFIG_DIR", "CODEX_HOME")
MODES = ("default", "plan", "acceptEdits", "bypassPermissions", "never", "on-request", "read-only")


class Told(NamedTuple):
    """What arrived at an agent."""

    cwd: str
    argv: list[str]
    homes: list[str]


def word(usual: tuple[str, ...]) -> st.SearchStrategy[str | None]:
    """A recorded setting: none, a usual word, or any text as the reader lets it through."""
    odd = strategies.text(8).map(lambda t: "".join(filter(str.isprintable, t)) or None)
    return st.one_of(st.none(), st.sampled_from(usual), odd)


SETTINGS = st.fixed_dictionaries(
    {
        "model": word(("opus[1m]", "gpt-5.5", "a/b:c@d", "--x", "-m")),
        "effort": word(("low", "high", "xhigh", "-c")),
        "mode": word(MODES),
        "approval": word(MODES),
        "sandbox": word(("read-only", "workspace-write", "danger-full-access")),
        "reviewer": word(("user", "auto_review")),
    }
)
ARGUMENTS = st.lists(strategies.text(6).map(lambda t: t.replace("\0", "")), max_size=2).map(
    lambda words: tuple(re.sub("[\ud800-\udc7f\udd00-\udfff]", "", each) for each in words)
)
WISHES = st.builds(plan.Wish, st.booleans(), st.booleans(), st.booleans(), ARGUMENTS)
CASES = st.tuples(
    st.lists(strategies.names(255), min_size=1, max_size=3),
    st.uuids().map(str),
    st.sampled_from(["claude-code", "codex"]),
    SETTINGS,
    WISHES,
    st.none() | strategies.names(20),
)


@contextmanager
def a_folder() -> Iterator[str]:
    folder = os.path.realpath(tempfile.mkdtemp())
    try:
        yield folder
    finally:
        shutil.rmtree(os.fsencode(folder))


def made(root: str, case: tuple[Any, ...], patch: pytest.MonkeyPatch) -> plan.Plan:
    """The plan of one case, whose folder is made first; it is never refused."""
    names, id_, app, settings, wish, home = case
    folder = os.path.join(os.fsencode(root), *names)[:3000].rstrip(b"/")
    os.makedirs(folder, exist_ok=True)
    for variable in HOMES:
        if home is None:
            patch.delenv(variable, raising=False)
        else:
            patch.setenv(variable, os.fsdecode(b"/" + home))
    session = Session(app, id_, key="x", home=own(app), cwd=os.fsdecode(folder), **settings)
    return plan.make(load(app), session, wish)


def run_all(shell: str, people: tuple[list[str], str], told: list[str], root: str) -> list[Told]:
    """What arrives when such a person's shell is given the lines one after the other."""
    command, setup = people
    out = os.path.join(root, ".arrived")
    Path(out).write_bytes(b"")
    script = setup + (FISH if shell == "fish" else FUNCTIONS)
    for line in told:
        script += line + "\n"
    env = {"PATH": "/usr/bin:/bin", "OUT": out, "HOME": root, "LC_ALL": "C.UTF-8", "TERM": "dumb"}
    done = subprocess.run(
        [which(command[0]), *command[1:]],
        input=script.encode("utf-8", "surrogateescape"),
        env=env,
        cwd="/",
        capture_output=True,
        start_new_session=True,
        timeout=120,
        check=False,
    )
    fields = Path(out).read_bytes().decode("utf-8", "surrogateescape").split("\0")[:-1]
    found, each = [], iter(fields)
    for cwd in each:
        argv = list(itertools.islice(each, int(next(each))))
        found.append(Told(cwd, argv, [next(each), next(each)]))
    assert len(found) == len(told), (command, setup, done.stderr[-2000:])
    return found


@strategies.dear
@given(st.lists(CASES, min_size=10, max_size=25))
def test_the_line_does_what_the_plan_says(cases: list[tuple[Any, ...]]) -> None:
    with a_folder() as root, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", "/usr/bin:/bin")
        plans = [made(root, case, patch) for case in cases]
        for shell in shells.SHELLS:
            pairs = []
            for each in plans:
                words = (each.cwd, *each.argv, *each.env.values())
                try:
                    pairs.append((each, shells.line(each, shell)))
                except shells.Unprintable:
                    assert shell == "posix"
                    assert not all(map(str.isprintable, words))
            for _, line in pairs:
                assert line.isprintable()
                assert line.startswith(shells.BEGINNINGS[shell])
            for people in PEOPLE[shell]:
                arrived = run_all(shell, people, [line for _, line in pairs], root)
                for (each, line), told in zip(pairs, arrived, strict=True):
                    homes = [each.env.get(name, "") for name in HOMES]
                    assert told == Told(each.cwd, each.argv[1:], homes), (people, line)
        assert not list(Path(root).rglob("PWN"))


# --- what may stand in a plan


FLAGS = {"--resume", "--fork-session", "resume", "fork", "--model", "--effort", "--permission-mode"}
FLAGS |= {"-m", "-c", "-a", "-s"}
STRICT = {"--permission-mode": {"default", "plan"}, "-a": {"on-request", "untrusted"}}
STRICT |= {"-s": {"read-only", "workspace-write"}}
CONFIGURED = re.compile(r'model_reasoning_effort="[a-z]+"|approvals_reviewer="user"')


@strategies.cheap
@given(st.uuids().map(str), st.sampled_from(["claude-code", "codex"]), SETTINGS, st.booleans())
def test_nothing_but_checked_words_and_never_looser(
    id_: str, app: str, settings: dict[str, str | None], fork: bool
) -> None:
    session = Session(app, id_, key="x", home=own(app), cwd="/", **settings)  # type: ignore[arg-type]
    made_plan = plan.make(load(app), session, plan.Wish(fork=fork))
    argv = made_plan.argv
    assert os.path.basename(argv[0]) in ("claude", "codex")
    assert argv.count(id_) == 1
    for flag, value in itertools.pairwise([*argv[1:], ""]):
        if flag in STRICT:
            assert value in STRICT[flag]
        elif flag == "-c":
            assert CONFIGURED.fullmatch(value)
        elif flag in ("--model", "-m"):
            assert re.fullmatch(r"[A-Za-z0-9][\w./:@+\[\]-]*", value, re.ASCII)
    known = {id_, session.model, session.effort}
    values = {value for flag, value in itertools.pairwise(argv) if flag in STRICT or flag == "-c"}
    assert set(argv[1:]) <= FLAGS | values | known


@strategies.cheap
@given(strategies.text(12), st.sampled_from(["claude-code", "codex"]))
def test_other_ids_are_refused(id_: str, app: str) -> None:
    session = Session(app, id_, key="x", home=own(app), cwd="/")
    with pytest.raises(plan.Refusal):
        plan.make(load(app), session, plan.Wish())


# --- from a row back to its session


ROWS = st.lists(
    st.tuples(strategies.names(), strategies.text(), strategies.text(6)), min_size=1, max_size=4
)
FZFS = [Path("/usr/bin/fzf"), Path(sys.executable).parent / "fzf"]


@strategies.dear
@given(ROWS, st.sampled_from(FZFS))
def test_a_row_comes_back_through_fzf(told: list[tuple[bytes, str, str]], fzf: Path) -> None:
    with a_folder() as root:
        home = Path(root, "home")
        for number, (name, title, branch) in enumerate(told):
            cwd = os.path.join(os.fsencode(root), name)
            os.makedirs(cwd, exist_ok=True)
            records = [placed(r, "x", os.fsdecode(cwd)) for r in talk(title, gitBranch=branch)]
            lines(store(home) / "-x" / f"{uuid(number)}.jsonl", [dump(r) for r in records])
            lines(store(home) / "-y" / f"{uuid(number)}.jsonl", [dump(r) for r in records])
            thread = codex.thread_id(number)
            codex.rollout(home, thread, cwd, codex.exchange(thread, os.fsdecode(cwd), title))
        facts = {(one["id"], one["cwd"]) for one in listed(home)}
        rows = sf(home=home).out.encode("utf-8", "surrogateescape")
        through = subprocess.run(
            [str(fzf), "--filter", ""],
            input=rows,
            env={**environment(home), "FZF_DEFAULT_OPTS": ""},
            capture_output=True,
            check=True,
        ).stdout
        assert sorted(through.split(b"\n")) == sorted(rows.split(b"\n"))
        for row in set(through.split(b"\n")[:-1]):
            line = row.decode("utf-8", "surrogateescape")
            ran = sf("resume", "--json", "-", home=home, given=line + "\n", **clis(home))
            if ran.code == 2:  # one id twice in one folder, in two places of the store
                continue
            assert ran.code == 0, ran
            assert_inert(ran.err)
            assert (line.split("\t")[0], ran.json["cwd"]) in facts


@pytest.mark.parametrize("people", [PEOPLE["bash"][1], PEOPLE["zsh"][3]], ids=["bash", "zsh"])
def test_these_shells_do_expand_history(people: tuple[list[str], str]) -> None:
    with a_folder() as root, pytest.raises(AssertionError, match="event not found"):
        run_all(people[0][0], people, ['claude "a!b"'], root)


# What a shell writes into its history file and reads again is the line as it was.
HISTORY = {
    "bash": 'set -o history; HISTFILE="$OUT.h" HISTSIZE=9999; {}history -w; history -c; history -r; history',
    "zsh": 'HISTFILE="$OUT.h" HISTSIZE=9999 SAVEHIST=9999; {}fc -W; fc -p "$OUT.h" 9999; fc -ln 1',
}
SAVE = {"bash": 'history -s -- "$({})"; ', "zsh": 'print -rs -- "$({})"; '}


@strategies.dear
@given(st.lists(CASES, min_size=5, max_size=15), st.sampled_from(["bash", "zsh"]))
def test_a_reloaded_history_holds_the_same_lines(cases: list[tuple[Any, ...]], shell: str) -> None:
    with a_folder() as root, pytest.MonkeyPatch.context() as patch:
        told = dict.fromkeys(shells.line(made(root, case, patch), shell) for case in cases)
        for number, line in enumerate(told):
            Path(root, f".line{number}").write_text(line)
        saves = "".join(
            SAVE[shell].format(f'cat "${{OUT}}{number}"') for number in range(len(told))
        )
        env = {"PATH": "/usr/bin:/bin", "OUT": f"{root}/.line", "LC_ALL": "C.UTF-8", "HOME": root}
        script = HISTORY[shell].format(saves)
        options = ["-f", "-i"] if shell == "zsh" else ["--norc"]
        done = subprocess.run(
            [which(shell), *options, "-c", script], env=env, capture_output=True, check=False
        )
        found = [line.lstrip(" 0123456789") for line in done.stdout.decode().split("\n")[:-1]]
        assert found == list(told), done.stderr
