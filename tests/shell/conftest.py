"""The surroundings of the shell tests: every shell, both editing modes, the oldest fzf and the newest."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .person import Person
from .world import PROGRAM, SHELLS, TOOLS, World

# Debian 12 has 0.38, the oldest that is supported; the test environment brings a new one.
FZFS = {
    "system-fzf": shutil.which("fzf", path=TOOLS) or "no fzf on PATH",
    "new-fzf": str(PROGRAM.parent / "fzf"),
}


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest) -> str:
    """Each shell in turn."""
    return str(request.param)


@pytest.fixture
def world(shell: str) -> Iterator[World]:
    """A home, with the newest fzf; its path is short, or a fuzzy search would find words in it."""
    with tempfile.TemporaryDirectory(prefix="sf-", ignore_cleanup_errors=True) as root:
        made = World(Path(root), shell)
        made.use_fzf(FZFS["new-fzf"])
        yield made


@pytest.fixture
def person(world: World) -> Callable[..., Person]:
    """Starts the shell once the test has made its sessions."""
    return lambda **how: Person(world, **how)


@pytest.fixture(params=FZFS)
def every_fzf(request: pytest.FixtureRequest, world: World) -> str:
    """Runs the test with the oldest fzf and the newest."""
    world.use_fzf(FZFS[request.param])
    return str(request.param)


@pytest.fixture(params=["emacs", "vi"])
def vi(request: pytest.FixtureRequest) -> bool:
    """Runs the test in both editing modes."""
    return str(request.param) == "vi"
