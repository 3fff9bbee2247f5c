"""What other releases than those of the homes write, and want to be told; each was run."""

import hashlib
import json
from pathlib import Path

import pytest

from tests.kit import lines, sf, stand_in, unpack, uuid

PI, COPILOT = uuid(1), uuid(2)


@pytest.mark.parametrize("below", ["shop-api", "code/shop-api", "code/deep/shop-api"])
def test_a_folder_that_gemini_keeps_as_a_hash(below: str, tmp_path: Path) -> None:
    """0.22.4 kept no name of it: those of the home and of the folders in it are tried."""
    cwd = tmp_path / below
    cwd.mkdir(parents=True)
    digest = hashlib.sha256(str(cwd).encode()).hexdigest()
    said = {
        "id": uuid(3),
        "timestamp": "2026-11-01T10:00:00.000Z",
        "type": "user",
        "content": "Fix",
    }
    told = {"sessionId": uuid(4), "projectHash": digest, "messages": [said]}
    file = tmp_path / f".gemini/tmp/{digest}/chats/session-2026-11-01T10-00-{uuid(4)[:8]}.json"
    lines(file, [told | {"lastUpdated": said["timestamp"]}])
    (found,) = sf("--json", home=tmp_path).json
    assert found["cwd"] == (None if "deep" in below else str(cwd))


def pi(home: Path) -> Path:
    said = {"type": "message", "message": {"role": "user", "content": "Fix the cart"}}
    header = {"type": "session", "id": PI, "cwd": str(home)}
    name = f"2026-11-01T10-00-00-000Z_{PI}.jsonl"
    return lines(home / ".pi/agent/sessions/--srv--" / name, [header, said])


@pytest.mark.parametrize(
    ("release", "by", "forks"),
    [
        ("0.27.9", "path", False),
        ("0.37.4", "id", False),
        ("0.73.1", "id", True),
        ("1.6.0", "id", True),
    ],
)
def test_what_pi_takes(release: str, by: str, forks: bool, tmp_path: Path) -> None:
    """0.27.9 takes an id for the path of a new session, and begins that in the folder."""
    path = pi(tmp_path)
    stand_in(tmp_path / "cli", "pi", "@earendil-works/pi-coding-agent", release)
    on_path = {"PATH": f"{tmp_path}/cli/bin:/usr/bin:/bin"}
    argv = sf("resume", "--json", PI, home=tmp_path, **on_path).json["argv"]
    assert argv == ["pi", "--session", {"path": str(path), "id": PI}[by]]
    fork = sf("resume", "--json", "--fork", PI, home=tmp_path, **on_path)
    assert fork.code == (0 if forks else 1)
    if forks:
        assert fork.json["argv"] == ["pi", "--fork", PI]


def test_an_archived_session_of_kimi(tmp_path: Path) -> None:
    """2.1.0: "failed to start shell: Session … not found"."""
    home = unpack("kimi-code-home-2.1.0", tmp_path)
    own = "session_1651966e-826d-4322-98b8-9c535d953da8"
    state = next(home.rglob(f"{own}/state.json"))
    told = json.loads(state.read_text()) | {"archived": True, "cwd": str(tmp_path)}
    state.write_text(json.dumps(told))
    assert own not in sf(home=home).out
    done = sf("resume", "-y", own, home=home)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"sf: {own} is archived: ")


def test_an_archived_session_of_qwen(tmp_path: Path) -> None:
    """0.24.4: "No saved session found with ID"."""
    home = unpack("qwen-code-home-0.24.4", tmp_path)
    own = "5354b721-34fe-491a-b1b8-f1b3571f8f59"
    chat = next(home.rglob(f"{own}.jsonl"))
    (chat.parent / "archive").mkdir()
    text = chat.read_text().replace("/home/sam", str(home))
    (chat.parent / "archive" / chat.name).write_text(text)
    chat.unlink()
    (home / "notes").mkdir()
    assert own not in sf(home=home).out
    assert own in sf("--all", home=home).out
    done = sf("resume", own, home=home)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"sf: {own} is archived: ")


def test_a_flat_transcript_of_copilot(tmp_path: Path) -> None:
    """1.0.102: "uses a legacy flat JSONL transcript format that is no longer supported"."""
    said = {"type": "user.message", "data": {"content": "Fix the cart"}}
    lines(tmp_path / f".copilot/session-state/{COPILOT}.jsonl", [said])
    assert json.loads(sf("--all", "--json", home=tmp_path).out) == []
    told = sf("doctor", COPILOT, home=tmp_path).out
    assert "not listed: format its app no longer resumes" in told
