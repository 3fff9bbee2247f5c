"""Repositories made by hand."""

import os
from pathlib import Path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(os.fsencode(text))


def repository(folder: Path, head: str = "ref: refs/heads/main\n") -> Path:
    """A repository made by hand, complete enough for git itself."""
    for name in ("objects", "refs/heads"):
        (folder / ".git" / name).mkdir(parents=True)
    write(folder / ".git" / "HEAD", head)
    write(folder / ".git" / "config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
    return folder
