"""Several homes of one app at once: each row knows its own, and goes back to it."""

import shutil
from pathlib import Path

import pytest

from sessidx import apps
from tests.kit import NAMES, claude, codex, expected, sf, unpack, uuid

ONE, TWIN = uuid(1), uuid(2)


@pytest.fixture
def work(home: Path) -> Path:
    """A second home of Claude Code, with a session of its own and a twin of one in the first."""
    folder = home / "code"
    folder.mkdir()
    claude(home, ONE, str(folder), "At home")
    claude(home, TWIN, str(folder), "In both")
    other = home / ".claude-work"
    shutil.copytree(home / ".claude", other)
    next(other.rglob(f"{ONE}.jsonl")).rename(
        next(other.rglob(f"{ONE}.jsonl")).parent / f"{uuid(3)}.jsonl"
    )
    return other


def homes(home: Path, **more: str) -> list[tuple[str, str]]:
    done = sf("--json", home=home, **more)
    assert (done.code, done.err) == (0, "")
    return sorted((row["id"], row["home"]) for row in done.json)


def test_each_row_knows_its_home(home: Path, work: Path) -> None:
    first = f"{home}/.claude"
    alone = [(ONE, first), (TWIN, first)]
    assert homes(home) == alone
    both = sorted([*alone, (TWIN, str(work)), (uuid(3), str(work))])
    for told in ("claude-code=~/.claude-work", f"claude-code={work}", f"claude-code={work}/"):
        assert homes(home, SESSIDX_HOMES=told) == both
    twice = f":claude-code={work}:claude-code={first}::claude-code={home}/link"
    (home / "link").symlink_to(work)
    assert homes(home, SESSIDX_HOMES=twice) == both
    assert homes(home, SESSIDX_HOMES=f"claude-code={home}/none") == alone
    assert homes(home, CLAUDE_CONFIG_DIR=str(work), SESSIDX_HOMES=f"claude-code={first}") == both
    assert homes(home) == alone
    row = sf("find", "--columns", "home,id", "At home", home=home, SESSIDX_HOMES=twice).rows
    assert sorted(row) == [[first, ONE], [str(work), uuid(3)]]


def test_a_home_that_is_not_looked_in_is_kept(home: Path, work: Path) -> None:
    told = {"SESSIDX_HOMES": f"claude-code={work}"}
    sf("build", home=home, **told)
    index = home / ".cache/sessidx/index"
    before = index.read_text()
    assert str(work) in before
    homes(home)
    assert index.read_text() == before
    shutil.rmtree(work)
    homes(home, **told)
    assert str(work) not in index.read_text()


def test_the_line_leads_to_the_home_of_its_session(home: Path, work: Path) -> None:
    told = {"SESSIDX_HOMES": f"claude-code={work}"}
    assert "CLAUDE_CONFIG_DIR" not in sf("resume", ONE, home=home, **told).out
    line = sf("resume", uuid(3), home=home, **told).out
    assert f"CLAUDE_CONFIG_DIR='{work}' " in line
    chosen = sf(
        "resume",
        ONE,
        home=home,
        CLAUDE_CONFIG_DIR=str(work),
        SESSIDX_HOMES=f"claude-code={home}/.claude",
    )
    assert f"CLAUDE_CONFIG_DIR='{home}/.claude' " in chosen.out


def test_the_same_id_in_two_homes(home: Path, work: Path) -> None:
    told = {"SESSIDX_HOMES": f"claude-code={work}"}
    done = sf("resume", TWIN, home=home, **told)
    assert (done.code, done.out) == (2, "")
    assert f"  in {home}/.claude\n" in done.err
    assert f"  in {work}\n" in done.err
    path = next(work.rglob(f"{TWIN}.jsonl"))
    assert f"CLAUDE_CONFIG_DIR='{work}' " in sf("resume", str(path), home=home, **told).out


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("clod=/x", "no app 'clod'"),
        ("codex=x", "'codex=x' names no absolute path"),
        ("codex", "'codex' names no absolute path"),
        ("/x", "no app '/x'"),
    ],
)
def test_a_home_that_is_not_to_be_understood(home: Path, value: str, said: str) -> None:
    for words in ([], ["apps"], ["resume", ONE]):
        done = sf(*words, home=home, SESSIDX_HOMES=value)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"sf: SESSIDX_HOMES: {said}")
        assert done.err.count("\n") == 1


def test_an_app_that_is_not_there(home: Path) -> None:
    assert [row["app"] for row in sf("build", "--json", home=home).json] == []
    told = sf("apps", home=home).out
    assert f"{'codex':<13}" in told
    assert told.count("(none)") >= 2
    codex(home, ONE, "/srv")
    assert [row["app"] for row in sf("build", "--json", home=home).json] == ["codex"]
    shutil.rmtree(home / ".codex")
    assert sf(home=home).out == ""
    assert ONE not in (home / ".cache/sessidx/index").read_text()


# --- homes that are not looked in


@pytest.mark.parametrize("name", NAMES)
def test_a_home_beside_an_apps_own_is_named(name: str, tmp_path: Path) -> None:
    """What is proposed is what makes the sessions of the other home appear."""
    app = str(expected(name)[0]["app"])
    entry = next(entry for entry in apps.TABLE if entry.name == app)
    below = entry.variables[-1][1]
    home = unpack(name, tmp_path)
    listed = len(sf("--all", home=home).rows)
    step, _, rest = entry.folder.partition("/")
    if below == entry.folder:
        step, rest = "", below
    (other := home / f"{step or below}-work" / rest).parent.mkdir(parents=True, exist_ok=True)
    (home / entry.folder).rename(other)
    (home / f"{step or below}-empty" / rest).mkdir(parents=True)
    assert sf("--all", home=home).out == ""
    shown = f"{app}=~/{other.relative_to(home)}"
    for shell, line in (
        ("zsh", f"export SESSIDX_HOMES='{shown}'"),
        ("fish", f"set -gx SESSIDX_HOMES '{shown}'"),
    ):
        found = sf("doctor", "--json", home=home, SHELL=f"/bin/{shell}").json
        if not listed:
            assert "homes" not in {finding["about"] for finding in found}
            return
        (told,) = (finding for finding in found if finding["about"] == "homes")
        assert told["mend"] == line
        assert (told["files"], told["wrong"]) == ([str(other)], False)
        assert sf("apps", home=home, SHELL=f"/bin/{shell}").err.endswith(f"; {line}\n")
    mended = {"SESSIDX_HOMES": shown}
    assert len(sf("--all", home=home, **mended).rows) == listed
    assert "homes:" not in sf("doctor", home=home, **mended).out
    assert sf("apps", home=home, **mended).err == ""


def test_a_profile_of_hermes(tmp_path: Path) -> None:
    home = unpack("hermes-home-0.19.0", tmp_path)
    (work := home / ".hermes/profiles/work").mkdir(parents=True)
    shutil.copy(home / ".hermes/state.db", work)
    line = "export SESSIDX_HOMES='hermes=~/.hermes/profiles/work'"
    assert sf("apps", home=home).err.endswith(f"; {line}\n")


def test_what_is_looked_in_stays_so(home: Path, work: Path) -> None:
    """Also where the app's own place is the one that is not."""
    told = {"CLAUDE_CONFIG_DIR": str(work), "SESSIDX_HOMES": "codex=/srv/codex"}
    done = sf("apps", home=home, **told)
    line = "export SESSIDX_HOMES='codex=/srv/codex:claude-code=~/.claude'"
    assert done.err == f"sf: ~/.claude: sessions, not looked in; {line}\n"
    (home / ".claude-link").symlink_to(work)
    (home / ".claude-a:b").symlink_to(home)
    assert sf("apps", home=home, **told).err == done.err
