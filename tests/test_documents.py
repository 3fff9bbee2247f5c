"""Small files of one document each."""

from pathlib import Path

import pytest

from sessidx import documents

# As Copilot 1.0.102 writes it.
WORKSPACE = """\
id: 14124733-3453-4c6a-be3f-3f5f312b5fda
cwd: /home/alex/code/web app's ui
name: 'Café header: dark mode & it''s #1'
user_named: true
created_at: 2026-11-30T15:53:49.246Z
"""


def written(folder: Path, text: str) -> str:
    (folder / "document").write_text(text)
    return str(folder / "document")


def test_yaml_of_one_level(tmp_path: Path) -> None:
    found = documents.yaml(written(tmp_path, WORKSPACE))
    assert found["cwd"] == "/home/alex/code/web app's ui"
    assert found["name"] == "Café header: dark mode & it's #1"
    assert found["created_at"] == "2026-11-30T15:53:49.246Z"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('a: "x\\ty"\n', {"a": "x\ty"}),
        ('a: "x\\', {"a": '"x\\'}),
        ("a: 'x", {"a": "'x"}),
        ("a:\n  b: c\n", {}),
        ("- a: b\n# c: d\n: e\n", {}),
        ("", {}),
    ],
)
def test_yaml_of_other_kinds(tmp_path: Path, text: str, expected: dict[str, str]) -> None:
    assert documents.yaml(written(tmp_path, text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('\ufeff{"a": 1}\r\n', {"a": 1}),
        ('{"a": "' + "x" * 500_000 + '"}', {"a": "x" * 500_000}),
        ("[1]", {}),
        ('{"a": 1', {}),
        ("", {}),
    ],
)
def test_a_json_object(tmp_path: Path, text: str, expected: dict[str, object]) -> None:
    assert documents.json_object(written(tmp_path, text)) == expected


def test_what_is_too_large_is_not_looked_at(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="large"):
        documents.json_object(written(tmp_path, '{"a": 1}'), limit=7)
    assert documents.json_object(written(tmp_path, '{"a": 1}'), limit=8) == {"a": 1}


def test_a_step_that_is_missing() -> None:
    record = {"a": {"b": [1]}}
    assert documents.at(record, "a", "b") == [1]
    assert documents.at(record, "a", "c", "d") is None
    assert documents.at(record, "a", "b", "c") is None
