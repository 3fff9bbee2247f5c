"""What holds for every app, on every home that its CLI wrote: all of it follows from tests/data.

A new app needs its homes there (NAME.tar.gz, NAME.expected.json) and a line in RESUMES.
"""

import json
import os
import re
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sessidx import apps, index, plan
from sessidx.session import Look, Session
from tests import warm
from tests.kit import (
    NAMES,
    SF,
    Facts,
    all_clis,
    claude,
    codex,
    environment,
    expected,
    moved_to,
    relocate,
    run,
    unpack,
    uuid,
)

each_home = pytest.mark.parametrize("name", NAMES)
each_app = pytest.mark.parametrize("app", apps.NAMES)

# What goes back to a session, and what goes on in a copy of it (None: refused), without its model.
RESUMES: dict[str, tuple[str, str | None]] = {
    "claude-code": ("claude --resume ID", "claude --resume ID --fork-session"),
    "codex": ("codex resume ID", "codex fork ID"),
    "copilot": ("copilot --resume=ID", None),
    "gemini": ("gemini --resume ID", None),
    "opencode": ("opencode --session ID", "opencode --session ID --fork"),
    "kilo": ("kilo --session ID", "kilo --session ID --fork"),
    "qwen": ("qwen --resume ID", "qwen --resume ID --fork-session"),
    "kimi": ("kimi --session ID", None),
    "pi": ("pi --session ID", "pi --fork ID"),
    "grok": ("grok --resume ID", "grok --resume ID --fork-session"),
    "vibe": ("vibe --resume ID", None),
    "droid": ("droid --resume ID", "droid --fork ID"),
    "cline": ("cline --id ID --auto-approve false", None),
    "hermes": ("hermes --resume ID", None),
    "cursor": ("cursor-agent --resume ID", None),
    "goose": ("goose session --resume --session-id ID", None),
}
# Words of a plan that keep approvals: they differ from session to session.
SETTINGS = re.compile(r" (--permission-mode|--effort|-a|-s|-c|--mode) \S+| -i /permissions manual")


def told(name: str, *kinds: str) -> list[Facts]:
    return [session for session in expected(name) if session["listed"] in kinds]


def app_of(name: str) -> str:
    return str(expected(name)[0]["app"])


def store(home: Path, name: str) -> Path:
    """The app's own folder below the home of that name."""
    return home / next(entry.folder for entry in apps.TABLE if entry.name == app_of(name))


# --- the table


@each_app
def test_a_line_of_the_table(app: str) -> None:
    cli = apps.load(app).commands()
    assert app == apps.load(app).NAME
    assert re.fullmatch("[a-z]+(-[a-z]+)*", app)
    assert re.fullmatch("[a-z]+(-[a-z]+)*", cli.PROGRAM)
    assert cli.PACKAGE
    assert RESUMES[app][0].split(" ")[0] == cli.PROGRAM


def test_every_app_has_a_home_that_its_cli_wrote() -> None:
    assert {app_of(name) for name in NAMES} == set(apps.NAMES) - apps.UNTRIED


# --- ids, and the line


@each_home
def test_each_id_is_one_that_its_app_takes(name: str) -> None:
    cli = apps.load(app_of(name)).commands()
    for session in told(name, "default", "all"):
        assert cli.is_id(session["id"]), session


@each_app
@pytest.mark.parametrize(
    "id",
    ["", "-", "--help", "-x", "a b", "a\nb", "../x", "a/b", "é", "1", "a" * 200, "$(x)", "latest"],
)
def test_no_other_word_is_passed_on(app: str, id: str, tmp_path: Path) -> None:
    session = Session(app, id, key="x", home=apps.own(app), cwd=str(tmp_path))
    with pytest.raises(plan.Refusal):
        plan.make(apps.load(app), session, plan.Wish())


@each_home
def test_the_line_of_each_session(name: str, tmp_path: Path) -> None:
    home = unpack(name, tmp_path / "home")
    relocate(name, home, tmp_path / "root", branch=None)
    path = {"PATH": f"{all_clis(tmp_path, 'exit 0')}:/usr/bin:/bin"}
    cli = apps.load(app_of(name)).commands()
    for session in told(name, "default", "all"):
        back = cli.unarchive(
            Session(session["app"], session["id"], key="x", archived=session["archived"])
        )
        for fork, line in enumerate(RESUMES[session["app"]]):
            words = ["--fork"] if fork else []
            wanted = f"{session['app']}:{session['id']}"
            cwd = session["cwd"] and moved_to(session["cwd"], tmp_path / "root")
            row = f"{session['id']}\t{session['app']}\t-\t{cwd}\t-\t-\n"
            done = warm.sf(
                "resume", "--json", "--no-model", *words, "-", home=home, given=row, **path
            )
            if back or not cwd or not session["resumable"] or line is None:
                assert (done.code, done.out, done.err.count("\n")) == (1, "", 1), wanted
                continue
            assert done.code == 0, done.err
            assert done.json["cwd"] == cwd
            argv = " ".join(done.json["argv"])
            assert SETTINGS.sub("", argv) == line.replace("ID", session["id"])


# --- what may happen to a home


def texts(folder: Path) -> Iterator[Path]:
    """The files below that are text, the newest layout's logs and documents."""
    for path in sorted(folder.rglob("*.json*")):
        if path.is_file() and path.suffix in (".json", ".jsonl"):
            yield path


def retitled(folder: Path, change: Callable[[str], str]) -> int:
    """How many titles in databases and YAML below became what `change` makes of them."""
    changed = 0
    for path in sorted(folder.rglob("*.db")):
        with sqlite3.connect(path) as db:
            for (table,) in db.execute(
                "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c "
                "WHERE m.type = 'table' AND m.name IN ('session', 'sessions') AND c.name = 'title'"
            ).fetchall():
                for row, title in db.execute(f"SELECT rowid, title FROM {table}").fetchall():
                    told = change(title or f"Untitled {row}")
                    db.execute(f"UPDATE {table} SET title = ? WHERE rowid = ?", (told, row))
                    changed += 1
        db.close()
    for path in sorted(folder.rglob("workspace.yaml")):
        name = re.compile("^name: (.*)$", re.MULTILINE)
        told = name.sub(lambda m: "name: " + json.dumps(change(m[1].strip("'"))), path.read_text())
        path.write_text(told)
        changed += 1
    return changed


def torn(folder: Path) -> None:
    for path in folder.rglob("*.db"):
        path.with_name(path.name + "-wal").write_bytes(b"\x37\x7f\x06\x82" + bytes(90))
    for path in texts(folder):
        if path.suffix == ".jsonl":
            with path.open("ab") as file:
                file.write(b'{"type":"user","timestamp":"2026-12-02T00:00:00.000Z","mess')


def marked(folder: Path) -> None:
    for path in texts(folder):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())


def lengthened(folder: Path) -> None:
    for path in texts(folder):
        if path.suffix == ".jsonl":
            with path.open("ab") as file:
                file.write(b'{"type":"filler","filler":"' + b"x" * 3_000_000 + b'"}\n')
    retitled(folder, lambda title: title + "x" * 3_000_000)


def renamed(folder: Path) -> None:
    """Names that are none of the app's stand beside its own."""
    for path in [*texts(folder)]:
        for stray in (f"-{path.name}", f"{path.name}.bak", f".{path.name}.swp"):
            shutil.copyfile(path, path.with_name(stray))


KEEPS = {"a torn last line": torn, "a byte-order mark": marked, "a long line": lengthened}


@each_home
@pytest.mark.parametrize("happens", KEEPS.values(), ids=list(KEEPS))
def test_what_costs_no_session(name: str, happens: Callable[[Path], None], tmp_path: Path) -> None:
    home = unpack(name, tmp_path)
    before = warm.sf("--all", home=home)
    happens(store(home, name))
    for _ in range(2):
        done = warm.sf("--all", home=home)
        assert (done.code, done.err) == (0, "")
        assert {row[0] for row in done.rows} == {row[0] for row in before.rows}
        assert done.megabytes < 120


@each_home
def test_names_that_are_none_of_the_apps(name: str, tmp_path: Path) -> None:
    home = unpack(name, tmp_path)
    before = warm.sf("--all", home=home)
    renamed(store(home, name))
    done = warm.sf("--all", home=home)
    assert (done.code, done.err) == (0, "")
    assert {row[0] for row in done.rows} >= {row[0] for row in before.rows}
    assert not [row for row in done.rows if row[0].startswith(("-", "."))]


@each_home
def test_nothing_that_acts_reaches_a_row(name: str, tmp_path: Path) -> None:
    home = unpack(name, tmp_path)
    acts = "\x1b[2J\x07\u202e\u200b\t\r\n"
    changed = retitled(store(home, name), lambda title: acts + title + acts)
    for path in texts(store(home, name)):
        data = before = path.read_bytes()
        for word in {w for s in expected(name) for title in s["titles"] for w in title.split(" ")}:
            if len(word) > 3 and word.isalpha():
                escaped = json.dumps(acts)[1:-1].encode() + word.encode()
                data = data.replace(word.encode(), escaped)
        path.write_bytes(data)
        changed += data != before
    assert changed or not told(name, "default", "all")
    for words in ([], ["--all"], ["find", "--all", "--format", "table"], ["doctor"], ["@ids"]):
        done = warm.sf(*words, home=home)
        assert done.code == (1 if words == ["doctor"] else 0)
        assert "Traceback" not in done.err
        assert all(line.replace("\t", "").isprintable() for line in done.out.split("\n"))
    for session in warm.sf("--all", "--json", home=home).json:
        done = warm.sf("show", f"{session['app']}:{session['id']}", home=home)
        assert all(line.isprintable() for line in done.out.split("\n"))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def noise(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 64)


def wrong(path: Path) -> None:
    """Whatever is asked for is of another type."""
    path.write_bytes(
        re.sub(rb':\s*("[^"\\]*"|\d+|null|true|false)', b':[{"a":[1e999]}]', path.read_bytes())
    )


DAMAGE = {"cut": cut, "empty": emptied, "noise": noise, "wrong types": wrong}


@each_home
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=list(DAMAGE))
def test_damage_hides_no_other_session(
    name: str, damage: Callable[[Path], None], tmp_path: Path
) -> None:
    home = unpack(name, tmp_path)
    for path in [*store(home, name).rglob("*")]:
        if path.is_file() and not path.is_symlink():
            damage(path)
    claude(home, uuid(0xA), "/srv/a", "A good one")
    codex(home, uuid(0xB), "/srv/b", "Another good one")
    for words in ([], ["--all"], ["show", uuid(0xA)], ["doctor"], ["build"], ["apps"], ["@ids"]):
        done = warm.sf(*words, home=home)
        assert done.code in (0, 1)
        assert "Traceback" not in done.err
        assert "fault" not in done.err
        assert done.err.count("\n") <= 1
        if not words or words == ["--all"]:
            assert {uuid(0xA), uuid(0xB)} <= {row[0] for row in done.rows}


@each_home
def test_a_folder_that_is_gone(name: str, tmp_path: Path) -> None:
    home = unpack(name, tmp_path)
    relocate(name, home, tmp_path / "root")
    shutil.rmtree(tmp_path / "root", ignore_errors=True)
    for session in warm.sf("--all", "--json", home=home).json:
        done = warm.sf("resume", "--yes", f"{session['app']}:{session['id']}", home=home)
        assert done.out == ""
        assert done.code in (1, 2)  # 2: twins
        assert done.err.startswith("sf: ")


@each_home
def test_what_cannot_be_looked_at_now_is_not_forgotten(name: str, tmp_path: Path) -> None:
    """A folder that is not read or not searched for a while, one after the other from the root."""
    home = unpack(name, tmp_path)
    before = warm.sf_without_powers("--all", home=home)
    assert before.code == 0
    root = store(home, name)
    for folder in [root, *(p for p in sorted(root.rglob("*")) if p.is_dir() and any(p.iterdir()))][
        :20
    ]:
        mode = folder.stat().st_mode
        for forbidden in (0o444, 0o111):
            folder.chmod(forbidden)
            done = warm.sf_without_powers("--all", home=home)
            folder.chmod(mode)
            assert done.out == before.out, folder


# --- several homes


@each_home
def test_a_second_home_of_the_same_app(name: str, tmp_path: Path) -> None:
    home = unpack(name, tmp_path / "home")
    relocate(name, home, tmp_path / "root", branch=None)
    own = store(home, name)
    below = next(e for e in apps.TABLE if e.name == app_of(name)).variables[-1]
    other = tmp_path / "other" / below[1] if below[1] else tmp_path / "other"
    shutil.copytree(own, other, symlinks=True)
    more = {
        "SESSIDX_HOMES": f"{app_of(name)}={other}",
        "PATH": f"{all_clis(tmp_path, 'exit 0')}:/usr/bin:/bin",
    }
    alone = warm.sf("--all", "--json", home=home).json
    both = warm.sf("--all", "--json", home=home, **more).json
    assert len(both) == 2 * len(alone)
    assert {row["home"] for row in both} == ({str(own), str(other)} if alone else set())
    shutil.rmtree(own)
    own.mkdir()
    for session in told(name, "default"):
        if session["cwd"] and session["resumable"]:
            row = f"{session['id']}\t{session['app']}\t-\t{moved_to(session['cwd'], tmp_path / 'root')}\t-\t-\n"
            done = warm.sf("resume", "--json", "-", home=home, given=row, **more)
            assert done.json["env"][below[0]] == str(tmp_path / "other")


# --- faults


class Faulty:
    """An app that raises where it is told to."""

    def __init__(self, app: object, where: str) -> None:
        self._app = app
        self._where = where

    def __getattr__(self, name: str) -> object:
        if name == self._where:
            raise RuntimeError(name)
        return getattr(self._app, name)


@each_home
@pytest.mark.parametrize("where", ["sources", "discover", "reader", "read", "changed"])
def test_an_app_that_raises(
    name: str, where: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpack(name, home)
    claude(home, uuid(0xA), "/srv/a", "A good one")
    codex(home, uuid(0xB), "/srv/b", "Another good one")
    faulty = app_of(name)
    load = apps.load
    before = {s.id for store in index.stores() for s in store.sessions()}

    def loaded(app: str) -> object:
        return Faulty(load(app), where) if app == faulty else load(app)

    monkeypatch.setattr(apps, "load", loaded)
    if where == "read":
        reader = type(load(faulty).reader(apps.own(faulty), Look()))
        monkeypatch.setattr(reader, "read", lambda *_: 1 / 0)
    assert {s.id for store in index.stores() for s in store.sessions()} == before
    for path in store(home, name).rglob("*"):
        if path.is_file() and not path.is_symlink():
            os.utime(path, ns=(1, path.stat().st_mtime_ns + 10**9))
    assert {s.id for store in index.stores() for s in store.sessions()} == before
    (home / ".cache/sessidx/index").unlink()
    lost = {"claude-code": uuid(0xA), "codex": uuid(0xB)}.get(faulty)
    after = {s.id for store in index.stores() for s in store.sessions()}
    assert after >= {uuid(0xA), uuid(0xB)} - {lost}


# --- what is not there


@pytest.mark.skipif(sys.platform != "linux", reason="strace is Linux's")
@pytest.mark.parametrize("words", [["checkout"], ["@ids"]])
def test_an_app_that_is_not_there_costs_one_look(words: list[str], tmp_path: Path) -> None:
    claude(tmp_path, uuid(1), "/srv", "checkout")
    env = environment(tmp_path)
    run([SF, *words], env)
    trace = ["strace", "-f", "-qq", "-o", str(tmp_path / "calls"), "-e", "trace=file"]
    assert run([*trace, SF, *words], env).code == 0
    calls = (tmp_path / "calls").read_text()
    for entry in apps.TABLE:
        found = calls.count(f'"{tmp_path}/{entry.folder}"')
        assert found == 1 or entry.name == "claude-code", entry.name
    done = run([sys.executable, "-X", "importtime", SF, *words], env)
    modules = set(re.findall(r"\| +sessidx\.apps\.(\w+)", done.err))
    assert modules == {"claude_code"}
