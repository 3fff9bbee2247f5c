"""What Claude Code's settings say of `auto`, in which newer releases start by themselves.

Seen by running the releases with a fresh home and a made-up key, `auto` being recorded:

| what | plain `claude` starts in | `--resume ID --permission-mode auto` goes on in |
|---|---|---|
| 2.1.112 to 2.1.282 | default | auto |
| 2.1.283 to 2.1.332 | auto | auto |
| `permissions.defaultMode` of the person or of managed settings | that mode | auto |
| `permissions.defaultMode` of the project's settings | that mode, `auto` left out | auto |
| `disableAutoMode: "disable"`, also in `permissions`, in any settings | default | default |
| a model without it: haiku-4-5, sonnet-4-5, opus-4-5 | default | default |
| a folder that is not trusted yet | asks, then as above | |

So the flag is never refused, and where auto is not to be had the session goes on in `default`; but
a stricter setting does not stand against it: whoever passes it has to look. Read, not run: the
CLI's own order is plan, default and dontAsk, acceptEdits, auto, bypassPermissions; what an account
prescribes is kept in remote-settings.json; up to 2.1.282 the server could switch accounts to auto.
"""

import os
import sys

from ...documents import at
from ...files import GONE, names, whole
from ...jsonl import document
from ...plan import at_least

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...release import Release
    from ...session import Record

_FIRST = (2, 1, 283)
_AS_LOOSE = (None, "auto", "bypassPermissions")
_LIMIT = 512 * 1024
_DROPPED_IN = 100  # files that an administrator may have put there
MANAGED = (
    "/Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "/etc/claude-code"
)


def starts_in_auto(home: str, known: "Release | None") -> bool:
    """Whether the release `known` starts in `auto` by itself and no setting of `home` is stricter.

    Not where a file of settings cannot be read or understood. What a project's settings say counts
    for nothing: whoever wrote them is not the person.
    """
    return at_least(known, _FIRST) and all(map(_lets, files(home)))


def files(home: str) -> "Iterator[str]":
    """The settings that count, the person's first; where one cannot be told, what is no file."""
    yield os.path.join(home, "settings.json")
    yield os.path.join(home, "remote-settings.json")
    yield os.path.join(MANAGED, "managed-settings.json")
    folder = os.path.join(MANAGED, "managed-settings.d")
    dropped_in = [name for name in names(folder) if name.endswith(".json")]
    for name in dropped_in[:_DROPPED_IN]:
        yield os.path.join(folder, name)
    if len(dropped_in) > _DROPPED_IN:
        yield folder  # no file: so many are not understood


def read(path: str) -> "Record | None":
    """The settings at `path`, or where a link of that name leads; None for what is not understood."""
    try:
        return document(whole(os.path.realpath(path), _LIMIT))
    except GONE:
        return {}
    except OSError:
        return None


def _lets(path: str) -> bool:
    """Whether the settings at `path` allow `auto`."""
    settings = read(path)
    if settings is None:
        return False
    of_modes = settings.get("permissions")
    off = "disable" in (settings.get("disableAutoMode"), at(of_modes, "disableAutoMode"))
    return not off and at(of_modes, "defaultMode") in _AS_LOOSE
