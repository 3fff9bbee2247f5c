"""The installed release, from where the program lies; only else the program is asked, once."""

import json
import os
from pathlib import Path

import pytest

from sessidx import release

CLAUDE, CODEX = "@anthropic-ai/claude-code", "@openai/codex"


@pytest.fixture(autouse=True)
def _unasked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", f"{tmp_path}/cache")


def program(path: Path, body: str = 'echo asked >>"$0.asked"; echo 9.9.9') -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def package(folder: Path, name: str, version: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text(json.dumps({"name": name, "version": version}))


@pytest.mark.parametrize(
    ("place", "manifest", "name", "version", "found"),
    [
        ("claude-code/cli.js", "claude-code", CLAUDE, "2.1.112", (2, 1, 112)),
        ("claude-code/bin/claude.exe", "claude-code", CLAUDE, "2.1.332", (2, 1, 332)),
        (
            "claude-code-linux-x64/claude",
            "claude-code-linux-x64",
            f"{CLAUDE}-linux-x64",
            "2.1.332",
            (2, 1, 332),
        ),
        ("codex/bin/codex.js", "codex", CODEX, "0.171.0", (0, 171, 0)),
        (
            "codex-linux-x64/vendor/t/codex/codex",
            "codex-linux-x64",
            CODEX,
            "0.45.0-linux-x64",
            (0, 45, 0),
        ),
        (
            "codex-linux-x64/vendor/t/bin/codex",
            "codex-linux-x64",
            CODEX,
            "0.171.0-linux-x64",
            (0, 171, 0),
        ),
        ("claude/versions/2.1.332", ".", "x", "1.0.0", (2, 1, 332)),
    ],
)
def test_where_the_program_lies(
    place: str, manifest: str, name: str, version: str, found: tuple[int, ...], tmp_path: Path
) -> None:
    real = program(tmp_path / place)
    package(tmp_path / manifest, name, version)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "first").symlink_to(f"../{place}")
    (tmp_path / "bin" / "second").symlink_to("first")
    wanted = CLAUDE if "claude" in place else CODEX
    for path in (real, tmp_path / "bin" / "second"):
        assert release.installed(str(path), wanted) == found
    assert not Path(f"{real}.asked").exists()


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("other", "1.2.3"),
        (CLAUDE, None),
        (CLAUDE, "latest"),
        (CLAUDE, ["1.2.3"]),
        (7, "1.2.3"),
        ("x" + CLAUDE, "1.2.3"),
    ],
)
def test_another_package_says_nothing(name: object, version: object, tmp_path: Path) -> None:
    real = program(tmp_path / "bin" / "claude")
    package(tmp_path, str(name), version)
    assert release.installed(str(real), CLAUDE) == (9, 9, 9)


def test_it_is_asked_once_until_it_changes(tmp_path: Path) -> None:
    real = program(tmp_path / "claude")
    for _ in range(3):
        assert release.installed(str(real), CLAUDE) == (9, 9, 9)
    asked = Path(f"{real}.asked")
    assert asked.read_text() == "asked\n"
    program(real, 'echo again >>"$0.asked"; echo "1.2.3 (Claude Code)"')
    for _ in range(2):
        assert release.installed(str(real), CLAUDE) == (1, 2, 3)
    assert asked.read_text() == "asked\nagain\n"
    assert (tmp_path / "cache" / "sessidx" / "releases").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "body", ["exit 1", "echo no number", "echo 1.2", "printf '\\377\\0'", "kill $$", "yes x"]
)
def test_no_answer_is_remembered_too(
    body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "_SECONDS", 0.5)
    real = program(tmp_path / "claude", f'echo asked >>"$0.asked"\n{body}')
    for _ in range(2):
        assert release.installed(str(real), CLAUDE) is None
    assert Path(f"{real}.asked").read_text() == "asked\n"


def test_a_program_that_waits_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "_SECONDS", 0.2)
    real = program(tmp_path / "claude", 'echo $$ >"$0.pid"; exec sleep 60')
    assert release.installed(str(real), CLAUDE) is None
    pid = int(Path(f"{real}.pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_it_is_asked_with_nothing_of_ours(tmp_path: Path) -> None:
    told = '{ pwd; echo "$# $1"; read -r line || echo no input; } >"$0.told"; echo 1.2.3'
    real = program(tmp_path / "claude", told)
    assert release.installed(str(real), CLAUDE) == (1, 2, 3)
    assert Path(f"{real}.told").read_text() == "/\n1 --version\nno input\n"


@pytest.mark.parametrize(
    ("told", "number"),
    [
        ("2.1.332 (Claude Code)", (2, 1, 332)),
        ("codex-cli 0.171.0", (0, 171, 0)),
        ("v1.2.3", (1, 2, 3)),
        ("1.2.3-beta.1", (1, 2, 3)),
        *(
            (word, None)
            for word in ("", "1.2", "1.2.x", "1.2.3.4", "٢.1.1", "1.2.9999999999", "-1.2.3")
        ),
    ],
)
def test_a_number(told: str, number: tuple[int, ...] | None) -> None:
    assert release.number(told) == number


NOTICE = "Update available 2.1.300 -> 2.1.400"


@pytest.mark.parametrize(
    ("told", "package", "number"),
    [
        ("2.1.332 (Claude Code)", CLAUDE, (2, 1, 332)),
        ("codex-cli 0.171.0", CODEX, (0, 171, 0)),
        ("Node v18.20.4 is not supported\n2.1.332 (Claude Code)", CLAUDE, (2, 1, 332)),
        ("v18.20.4\n2.1.332 (Claude Code)", CLAUDE, (2, 1, 332)),
        ("volta 1.1.1\ncodex-cli 0.171.0\n", CODEX, (0, 171, 0)),
        (f"{NOTICE}\n\n2.1.332 (Claude Code)\n", CLAUDE, (2, 1, 332)),
        (f"\n{NOTICE}\r\ncodex-cli 0.171.0\r\n", CODEX, (0, 171, 0)),
        (f"2.1.332 (Claude Code)\n{NOTICE}", CLAUDE, (2, 1, 332)),
        ("claude 2.1.300 -> 2.1.400", CLAUDE, None),
        ("Codex needs Node.js 22.0.0 or later", CODEX, None),
        ("Node v18.20.4\nvolta 1.1.1", CODEX, None),
        ("GitHub Copilot CLI 1.0.102", "@github/copilot", (1, 0, 102)),
        ("0.61.0\n", "@google/gemini-cli", (0, 61, 0)),
        ("v22.11.0 is in use\nv0.61.0\n", "@google/gemini-cli", (0, 61, 0)),
    ],
)
def test_the_line_with_its_own_words_counts(
    told: str, package: str, number: tuple[int, ...] | None, tmp_path: Path
) -> None:
    (tmp_path / "told").write_text(told)
    real = program(tmp_path / "agent", f"cat '{tmp_path}/told'")
    for _ in range(2):
        assert release.installed(str(real), package) == number
    assert release.of_itself("", package) is None


def test_a_shim_is_asked_by_its_own_name(tmp_path: Path) -> None:
    """A version manager's shim is a link to the manager, which looks at the name it goes by."""
    manager = program(
        tmp_path / "manager", "case ${0##*/} in claude) echo 2.0.76 ;; *) echo 2026.11.1 ;; esac"
    )
    shim = tmp_path / "claude"
    shim.symlink_to(manager)
    assert release.installed(str(shim), CLAUDE) == (2, 0, 76)
    assert release.installed(str(manager), CLAUDE) is None  # a year is no release of an app
