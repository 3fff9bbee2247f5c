"""What the cases share."""

from pathlib import Path

import pytest

from tests.cases import codex


@pytest.fixture
def rollout(home: Path) -> Path:
    """The home of one thread that a database may name."""
    codex.rollout(
        home,
        codex.thread_id(1),
        "/srv/shop",
        codex.exchange(codex.thread_id(1), "/srv/shop", "First prompt"),
    )
    return home
