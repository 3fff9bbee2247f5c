"""Where sessions lie: a pattern of names, over made-up trees."""

import os
from pathlib import Path

import pytest

from sessidx.layout import Layout
from sessidx.session import Look


def tree(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)


def found(layout: Layout, root: Path) -> list[str]:
    look = Look()
    paths = sorted(path for path, _ in layout.discover(str(root), look))
    assert not look.unread
    return paths


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("sessions/*/*.jsonl", ["sessions/a/1.jsonl", "sessions/b/2.jsonl"]),
        ("sessions/*/state.json", ["sessions/a/state.json"]),
        ("sessions/a*/*", ["sessions/a/1.jsonl", "sessions/a/state.json"]),
        ("sessions/*/*/*.jsonl", ["sessions/a/deep/3.jsonl"]),
        ("nothing/*/*.jsonl", []),
        ("sessions/.jsonl*", []),
    ],
)
def test_finds_what_fits(tmp_path: Path, pattern: str, expected: list[str]) -> None:
    tree(tmp_path, "sessions/a/1.jsonl", "sessions/b/2.jsonl", "sessions/a/state.json")
    tree(tmp_path, "sessions/a/deep/3.jsonl", "sessions/stray.jsonl", "else/a/4.jsonl")
    assert found(Layout(pattern), tmp_path) == expected


def test_what_is_no_regular_file_is_passed_over(tmp_path: Path) -> None:
    tree(tmp_path, "s/a/1.jsonl")
    os.mkfifo(tmp_path / "s/a/2.jsonl")
    (tmp_path / "s/a/3.jsonl").mkdir()
    (tmp_path / "s/a/4.jsonl").symlink_to(tmp_path / "s/a/1.jsonl")
    look = Look()
    found = [path for path, _ in Layout("s/*/*.jsonl").discover(str(tmp_path), look)]
    assert found == ["s/a/1.jsonl"]
    assert sorted(look.odd) == ["s/a/2.jsonl", "s/a/3.jsonl", "s/a/4.jsonl"]


def test_a_linked_folder_is_followed_once(tmp_path: Path) -> None:
    tree(tmp_path, "s/a/1.jsonl", "elsewhere/2.jsonl")
    (tmp_path / "s/b").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "s/again").symlink_to(tmp_path / "s/a")
    (tmp_path / "s/round").symlink_to(tmp_path / "s")
    (tmp_path / "s/dangling").symlink_to(tmp_path / "gone")
    assert found(Layout("s/*/*.jsonl"), tmp_path) == ["s/a/1.jsonl", "s/b/2.jsonl"]


def test_files_beside_are_part_of_the_stamp(tmp_path: Path) -> None:
    layout = Layout("s/*/*.jsonl", "*.settings.json", "title")
    tree(tmp_path, "s/a/1.jsonl")
    stamps = [dict(layout.discover(str(tmp_path), Look()))]
    tree(tmp_path, "s/a/1.settings.json")
    stamps.append(dict(layout.discover(str(tmp_path), Look())))
    tree(tmp_path, "s/a/title")
    stamps.append(dict(layout.discover(str(tmp_path), Look())))
    assert len({stamp["s/a/1.jsonl"] for stamp in stamps}) == 3


def test_a_new_folder_is_seen_as_a_change(tmp_path: Path) -> None:
    layout = Layout("s/*/*.jsonl")
    tree(tmp_path, "s/a/1.jsonl")
    os.utime(tmp_path / "s", ns=(5, 5))
    os.utime(tmp_path / "s/a", ns=(7, 7))
    assert layout.changed(str(tmp_path)) == 7
    assert Layout("none/*/*.jsonl").changed(str(tmp_path)) == 0
