"""Apps of which no home was ever had: stores made as their published sources say."""

import json
import sqlite3
from pathlib import Path

from tests.kit import sf, uuid

# block/goose, crates/goose/src/session: what of schema 13 is read.
GOOSE = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', description TEXT NOT NULL,
  session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL, created_at TIMESTAMP,
  updated_at TIMESTAMP, model_config_json TEXT, archived_at TIMESTAMP);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
  role TEXT NOT NULL, content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL);
CREATE INDEX idx_messages_session ON messages(session_id);
"""


def goose(home: Path) -> None:
    folder = home / ".local/share/goose/sessions"
    folder.mkdir(parents=True)
    db = sqlite3.connect(folder / "sessions.db")
    db.executescript(GOOSE)
    for own, kind in (
        ("20261101_1", "user"),
        ("20261101_2", "sub_agent"),
        ("20261101_3", "scheduled"),
    ):
        row = (
            own,
            "Mend the cart",
            "",
            kind,
            str(home),
            "2026-11-01 09:00:00",
            "2026-11-01 10:00:00",
        )
        db.execute(
            "INSERT INTO sessions VALUES (?,?,?,?,?,?,?,?,NULL)", (*row, '{"model_name":"m"}')
        )
        said = json.dumps([{"type": "text", "text": "Why does the cart forget?"}])
        db.execute("INSERT INTO messages VALUES (NULL,?,'user',?,1793523600)", (own, said))
    db.commit()
    db.close()


def test_goose(tmp_path: Path) -> None:
    goose(tmp_path)
    (found,) = sf("--json", home=tmp_path).json
    assert (found["app"], found["id"], found["title"]) == ("goose", "20261101_1", "Mend the cart")
    assert (found["cwd"], found["model"]) == (str(tmp_path), "m")
    assert found["updated"] == "2026-11-01T10:00:00.000Z"
    assert len(sf("--all", "--json", home=tmp_path).json) == 2
    told = sf("show", "--json", "20261101_1", home=tmp_path).json
    assert told["exchange"] == [{"who": "you", "text": "Why does the cart forget?"}]
    assert told["line"].endswith("goose session --resume --session-id 20261101_1")
    assert len(sf("--said", "cart", "forget", home=tmp_path).rows) == 1


def test_cursor(tmp_path: Path) -> None:
    told = {
        "schemaVersion": 1,
        "cwd": str(tmp_path),
        "title": "Mend the cart",
        "hasConversation": True,
    }
    times = {"createdAtMs": 1793523600000, "updatedAtMs": 1793527200000}
    for number, more in enumerate(({}, {"isSubagent": True}, {"hasConversation": False})):
        folder = tmp_path / ".cursor/chats/0123456789abcdef" / uuid(number)
        folder.mkdir(parents=True)
        (folder / "meta.json").write_text(json.dumps(told | times | more))
    (found,) = sf("--all", "--json", home=tmp_path).json
    assert (found["app"], found["id"], found["title"]) == ("cursor", uuid(0), "Mend the cart")
    assert found["updated"] == "2026-11-01T10:00:00.000Z"
    told = sf("show", "--json", uuid(0), home=tmp_path).json
    assert told["line"].endswith(f"cursor-agent --resume {uuid(0)}")


def test_they_are_marked(tmp_path: Path) -> None:
    goose(tmp_path)
    untried = [app["app"] for app in sf("apps", "--json", home=tmp_path).json if app["untried"]]
    assert untried == ["cursor", "goose"]
    assert sf("apps", home=tmp_path).out.count("(untried)") == 2
    assert "goose: untried" in sf("doctor", home=tmp_path).out
