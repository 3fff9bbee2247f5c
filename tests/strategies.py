"""What hypothesis tries: text that acts on terminals and shells, records, and files of any bytes."""

import json
import os
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.cases import claude, codex
from tests.kit import uuid

# The same examples each time, few enough for every run; HYPOTHESIS_PROFILE=thorough tries more.
_COMMON: dict[str, Any] = {
    "deadline": None,
    "database": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
}
settings.register_profile("quick", derandomize=True, max_examples=25, **_COMMON)
settings.register_profile("thorough", max_examples=1000, print_blob=True, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
dear = settings(max_examples=settings().max_examples // 4)  # for what starts many
cheap = settings(max_examples=20 * settings().max_examples)  # for what starts no process

ACTING = (
    *(
        "\x1b[31m",
        "\x1b]0;owned\x07",
        "\x1b]52;c;eA==\x07",
        "\x9b2J",
        "\x9d0;x\x9c",
        "\x1bP",
        "\x1b",
    ),
    *("\0", "\a", "\b", "\t", "\n", "\r", "\x0b", "\x0c", "\x1c", "\x7f", "\x85", "\x9f"),
    *("\u200b", "\u200d", "\u200e", "\u202e", "\u2028", "\u2029", "\u2066", "\ufeff", "\u00ad"),
    *("\u034f", "\u3164", "\U000e0041", "\U000e0100", "\ufffd", "\ufffe", "\ue000", "\u0301"),
)
SHELLED = (
    *("'", '"', "`", "\\", "$", "$(touch PWN)", "`touch PWN`", ";touch PWN", "&", "|", "<", ">"),
    *(
        "!",
        "!!",
        "!-1",
        "^a^b",
        "#",
        "~",
        "*",
        "?",
        "[x]",
        "{1}",
        "{q}",
        "{a,b}",
        "%",
        "=",
        "-",
        "--",
    ),
    *(" ", "''", "'\\''", "$'", "\\n", "\\x41", "\\'", "%s", "@", "é", "日本", "🚀", "e\u0301"),
)
HALVES = st.integers(0xD800, 0xDFFF).map(chr)


def text(max_size: int = 30) -> st.SearchStrategy[str]:
    """Text of all kinds; halves of surrogate pairs are in it, too."""
    pieces = st.one_of(
        st.sampled_from(ACTING + SHELLED), st.characters(), HALVES, st.sampled_from("abc/x")
    )
    return st.lists(pieces, max_size=max_size).map("".join)


def names(max_bytes: int = 60) -> st.SearchStrategy[bytes]:
    """Names that a file system allows: any bytes but NUL and `/`."""
    pieces = st.one_of(
        st.sampled_from(ACTING + SHELLED).map(lambda t: t.encode()),
        st.binary(min_size=1, max_size=4),
        st.characters(exclude_categories=["Cs"]).map(lambda c: c.encode()),
        st.sampled_from([b"a", b"shop"]),
    )

    def joined(parts: list[bytes]) -> bytes:
        return b"".join(parts).replace(b"\0", b"").replace(b"/", b"")[:max_bytes]

    made = st.lists(pieces, min_size=1, max_size=8).map(joined)
    return made.filter(lambda name: name not in (b"", b".", b".."))


def values(extra: st.SearchStrategy[Any] | None = None) -> st.SearchStrategy[Any]:
    """Any JSON value."""
    plain = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        text(),
        *([] if extra is None else [extra]),
    )
    return st.recursive(
        plain,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text(3), inner, max_size=3),
        max_leaves=5,
    )


TIMES = st.one_of(
    st.datetimes().map(lambda when: f"{when.isoformat(timespec='milliseconds')}Z"),
    st.sampled_from(["2026-11-01T09:00:00.000Z", "\n026-11-01T09:00:00.000Z", "", "now"]),
    st.integers(-(2**70), 2**70),
    st.floats(),
)


def record(bases: list[dict[str, Any]], keys: tuple[str, ...]) -> st.SearchStrategy[Any]:
    """One of `bases` with some of `keys` set to anything, at the top or one level down."""
    leaf = values(TIMES)
    inner = st.dictionaries(st.sampled_from(keys), leaf, max_size=4)
    value = st.one_of(leaf, inner, st.lists(inner, max_size=2))
    odd = st.dictionaries(st.sampled_from(keys), value, max_size=3)

    def changed(parts: tuple[dict[str, Any], dict[str, Any], dict[str, Any]]) -> dict[str, Any]:
        told = {**parts[0], **parts[1]}
        for key in ("message", "payload", "attachment"):
            if isinstance(below := told.get(key), dict):
                told[key] = {**below, **parts[2]}
        return told

    nothing: st.SearchStrategy[dict[str, Any]] = st.just({})
    return st.tuples(st.sampled_from(bases), nothing | odd, nothing | odd).map(changed)


_CLAUDE = [claude.placed(told, "x", "/") for told in (*claude.talk(), *claude.talk("More", 5))]
_CLAUDE += [claude.named("Chosen"), claude.generated("Made"), {"type": "relocated"}]
_CLAUDE += [{"type": "permission-mode"}, {"type": "last-prompt"}, {"type": "attachment"}, {}]
_CLAUDE_KEYS: tuple[str, ...] = (
    "type",
    "message",
    "content",
    "text",
    "role",
    "model",
    "timestamp",
    "cwd",
    "gitBranch",
    "sessionId",
    "isSidechain",
    "entrypoint",
    "permissionMode",
    "effort",
    "teamName",
    "customTitle",
    "aiTitle",
    "summary",
    "leafUuid",
    "uuid",
    "lastPrompt",
    "isMeta",
    "relocatedCwd",
    "attachment",
    "identity",
    "modelId",
    "sessionKind",
    "isCompactSummary",
    "archived",
    "at",
)
_THREAD = codex.thread_id(2)
_CODEX = [*codex.exchange(_THREAD, "/"), codex.item("Hi"), codex.turn("/"), codex.said("Hi"), {}]
_CODEX_KEYS: tuple[str, ...] = (
    "type",
    "payload",
    "id",
    "timestamp",
    "cwd",
    "source",
    "git",
    "branch",
    "message",
    "approval_policy",
    "sandbox_policy",
    "model",
    "permission_profile",
    "effort",
    "thread_settings",
    "item",
    "content",
    "text",
    "role",
    "thread_source",
    "originator",
    "approvals_reviewer",
    "writable_roots",
    "file_system",
    "entries",
    "access",
    "mode",
)


def _dumped(pair: tuple[Any, bool]) -> bytes:
    told = json.dumps(pair[0], ensure_ascii=pair[1], separators=(",", ":"))
    return told.encode("utf-8", "surrogatepass")


def files(line: st.SearchStrategy[Any]) -> st.SearchStrategy[bytes]:
    """JSON Lines as they come: torn, glued, with junk between, ended by anything."""
    dumped = st.tuples(line, st.booleans()).map(_dumped)
    torn = st.tuples(dumped, st.integers(0, 200)).map(lambda pair: pair[0][: pair[1]])
    junk = st.one_of(st.binary(max_size=60), st.just(b"\0" * 100), st.just(b"\xef\xbb\xbf"))
    end = st.sampled_from([b"\n", b"\n", b"\n", b"\r\n", b""])
    part = st.tuples(st.one_of(dumped, dumped, dumped, torn, junk), end).map(b"".join)
    return st.lists(part, max_size=10).map(b"".join)


TRANSCRIPTS = files(record(_CLAUDE, _CLAUDE_KEYS)) | st.binary(max_size=400)
ROLLOUTS = files(record(_CODEX, _CODEX_KEYS)) | st.binary(max_size=400)
_NAME = {"id": codex.thread_id(1), "thread_name": "Named"}
INDEXES = files(record([_NAME, {}], tuple(_NAME))) | st.binary(max_size=200)
_NOTE = {"pid": os.getpid(), "sessionId": uuid(1), "startedAt": 0, "procStart": "", "pidDomain": ""}
NOTES = files(record([_NOTE, {}], tuple(_NOTE))) | st.binary(max_size=200)


def toml() -> st.SearchStrategy[bytes]:
    """A configuration that may say where the databases lie."""
    basic = text(10).map(json.dumps).map(str.encode)
    value = st.one_of(basic, st.binary(max_size=30), st.sampled_from([b"5", b"[", b"{", b"''"]))
    line = st.tuples(st.sampled_from([b"sqlite_home = ", b"[a]\nx = ", b"sqlite_home="]), value)
    return st.lists(line.map(b"".join), max_size=3).map(b"\n".join)


def damaged(whole: Callable[[], bytes]) -> st.SearchStrategy[bytes]:
    """The file `whole` with bytes changed, put in, left out; or cut."""
    change = st.tuples(st.floats(0, 1), st.integers(0, 40), st.binary(max_size=20))

    def apply(changes: list[tuple[float, int, bytes]]) -> bytes:
        data = whole()
        for place, length, put in changes:
            at = int(place * len(data))
            data = data[:at] + put + data[at + length :]
        return data

    return st.lists(change, min_size=1, max_size=6).map(apply)
