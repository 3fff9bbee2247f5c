"""Homes that the real CLIs wrote list exactly what was found out about them, field by field."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from sessidx import apps
from tests import warm
from tests.kit import NAMES, Facts, expected, sf, unpack

FIELDS = ("app", "cwd", "branch", "effort", "updated", "archived", "origin")
OF_APP = {"claude-code": ("mode",), "codex": ("approval", "sandbox")}
Key = tuple[str, str, str | None]

each_home = pytest.mark.parametrize("name", NAMES)


def key(session: Facts) -> Key:
    return session["app"], session["id"], session["cwd"]


def listed(name: str, *kinds: str) -> dict[Key, Facts]:
    return {key(session): session for session in expected(name) if session["listed"] in kinds}


def same_title(title: str | None, told: str) -> bool:
    """Of more than 200 characters (or as many, where the app cut it) 199 and `…` are shown."""
    return title == told or (len(told) >= 200 and title == told[:199].rstrip() + "…")


def check(found: Facts, told: Facts) -> None:
    wrong = {
        field: (found[field], told[field])
        for field in (*FIELDS, *OF_APP.get(told["app"], ()))
        if field in told and found[field] != told[field]
    }
    assert not wrong, (told["id"], told["note"])
    assert any(same_title(found["title"], title) for title in told["titles"]) or (
        found["title"] is None and not told["titles"]
    ), (found["title"], told["titles"])
    assert found["model"] in (told.get("models") or [told["model"]])
    assert found["live"] == told.get("live")
    if found["app"] != "codex":
        assert found["approval"] is found["sandbox"] is None


def compare(found: Iterable[Facts], told: dict[Key, Facts]) -> None:
    found = list(found)
    assert sorted(map(key, found), key=str) == sorted(told, key=str)
    for session in found:
        check(session, told[key(session)])
        path = Path(session["path"])
        assert path.is_absolute()
        assert path.stat().st_size == session["size"]
    times = [session["updated"] for session in found]
    assert times == sorted(times, reverse=True)


@each_home
def test_the_default_list(name: str, tmp_path: Path) -> None:
    done = sf("--json", home=unpack(name, tmp_path))
    assert (done.code, done.err) == (0, "")
    compare(done.json, listed(name, "default"))


@each_home
def test_all(name: str, tmp_path: Path) -> None:
    done = sf("--all", "--json", home=unpack(name, tmp_path))
    assert (done.code, done.err) == (0, "")
    compare(done.json, listed(name, "default", "all"))


@each_home
def test_the_rest_is_not_found_by_id(name: str, tmp_path: Path) -> None:
    unpack(name, tmp_path)
    for _, session, _ in listed(name, "never"):
        for words in (["show", session], ["resume", session], ["resume", "--json", session]):
            done = warm.sf(*words, home=tmp_path)
            assert (done.code, done.out) == (1, ""), words
            assert done.err == f"sf: no such session: {session}\n"


@each_home
def test_what_is_listed_is_found_by_id(name: str, tmp_path: Path) -> None:
    unpack(name, tmp_path)
    for (_, session, _), told in listed(name, "default", "all").items():
        done = warm.sf("show", "--json", session, home=tmp_path)
        assert (done.code, done.err) == (0, "")
        check(done.json, told)


@each_home
@pytest.mark.parametrize(
    "words", [(), ("--all",), ("--all", "--json"), ("shop",), ("@ids",)], ids=" ".join
)
def test_the_index_gives_the_same(name: str, words: tuple[str, ...], tmp_path: Path) -> None:
    unpack(name, tmp_path)
    cold = sf(*words, home=tmp_path)
    index = tmp_path / ".cache" / "sessidx" / "index"
    assert index.stat().st_mode & 0o7777 == 0o600
    written = index.stat().st_mtime_ns
    assert sf(*words, home=tmp_path) == cold
    assert index.stat().st_mtime_ns == written


def by_home(folder: Path) -> dict[str, str]:
    return {"SESSIDX_HOME": str(folder)}


def by_variable(folder: Path) -> dict[str, str]:
    """Each app's own variable, which may name a folder above its home."""
    chosen = {}
    for entry in apps.TABLE:
        variable, below = entry.variables[-1]
        home = str(folder / entry.folder)
        chosen[variable] = home.removesuffix("/" + below) if below else home
    return chosen


@pytest.mark.parametrize("chosen", [by_home, by_variable])
def test_one_index_keeps_the_homes_apart(
    chosen: Callable[[Path], dict[str, str]], tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    for name in NAMES:
        unpack(name, tmp_path / name)
    for _ in ("cold", "warm"):
        for name in NAMES:
            done = warm.sf("--all", "--json", home=mine, **chosen(tmp_path / name))
            compare(done.json, listed(name, "default", "all"))
    assert sf("--json", home=mine).out == "[]\n"
    assert [path.name for path in mine.iterdir()] == [".cache"]
