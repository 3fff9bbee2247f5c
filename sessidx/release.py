"""Which release of an app's CLI is installed: read from where the program lies.

Only where that says nothing, the program is asked, once: `--version`, from `/`, with a time limit;
the answer (also none) is remembered by the program's path, size and time.
"""

import os
from time import time

from . import cache

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    Release = tuple[int, ...]

_NAME = "releases"
_SECONDS = 5
_LIMIT = 64 * 1024
_ENTRIES = 50
_DAY = 86_400
_OF_ANY = ("cli", "version")
_NO_YEAR = 1000  # a manager that answers for itself may be numbered by the year


def installed(program: str, package: str) -> "Release | None":
    """The release of the program at the path `program`, of the npm package `package`.

    None when neither its place nor itself tells. The names of both are the words by which it is
    known among what managers and notices say before it.
    """
    real = os.path.realpath(program)
    folder, name = os.path.split(real)
    if "/versions/" in real + "/":  # the native installer's: …/claude/versions/2.1.332
        found = number(name) if os.path.basename(folder) == "versions" else None
        if found:
            return found
    for _ in range(4):
        if found := _from_package(os.path.join(folder, "package.json"), package):
            return found
        folder = os.path.dirname(folder)
    return asked(program, real, f"{os.path.basename(program)} {package}")


def number(text: str) -> "Release | None":
    """The first `1.2.3` in `text`, as numbers."""
    for word in text.replace("(", " ").replace("v", " ").split():
        parts = word.split("-")[0].split(".")
        if len(parts) == 3 and all(p.isascii() and p.isdigit() and len(p) < 10 for p in parts):
            return tuple(map(int, parts))
    return None


def of_itself(text: str, names: str) -> "Release | None":
    """The release that a CLI of these names tells in `text`, whatever else stands in it.

    That is the number on a line with words of its own alone (`2.1.332 (Claude Code)`, `codex-cli
    0.171.0`), else one that is all of a line; never that of `Node v18.20.4` or `2.1.300 -> 2.1.400`.
    """
    own = {*_OF_ANY, *_words(names)}
    alone = None
    for line in text.split("\n"):
        found = [number(word) for word in line.split()]
        numbers = [told for told in found if told]
        beside = _words(
            " ".join(word for word, told in zip(line.split(), found, strict=True) if not told)
        )
        if len(numbers) == 1 and own.issuperset(beside):
            if beside:
                return numbers[0]
            alone = alone or numbers[0]
    return alone


def _words(text: str) -> list[str]:
    return "".join(char if char.isalnum() else " " for char in text.lower()).split()


def _from_package(path: str, package: str) -> "Release | None":
    from .files import small
    from .jsonl import parse

    try:
        record = parse(small(path, _LIMIT))
    except OSError:
        return None
    if not record or not str(record.get("name")).startswith(package):
        return None
    return number(str(record.get("version")))


def asked(program: str, real: str, names: str = "") -> "Release | None":
    """What `program` says of itself, as found on PATH: a version manager's shim looks at its name.

    `names`: those by which it is known; without any, its first number counts.
    """
    try:
        status = os.stat(program)
    except OSError:
        return None
    key = f"{program}\t{status.st_size}\t{status.st_mtime_ns}\t"
    if os.path.basename(real) != os.path.basename(program):
        # A manager's own program: what stands behind it may change with nothing to be seen.
        key += f"{int(time()) // _DAY}\t"
    known = _remembered()
    for line in known:
        if line.startswith(key):
            return number(line[len(key) :])
    answer = _ask(program, names)
    if "\n" not in program and "\t" not in program:
        told = key + (".".join(map(str, answer)) if answer else "-")
        cache.replace(_NAME, "\n".join([*filter(None, known[-_ENTRIES:]), told, ""]))
    return answer


def _ask(program: str, names: str) -> "Release | None":
    import subprocess

    try:
        done = subprocess.run(
            [program, "--version"],
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    told = done.stdout[:_LIMIT].decode("utf-8", "replace")
    found = of_itself(told, names) if names else number(told)
    return found if found and found[0] < _NO_YEAR else None


def _remembered() -> list[str]:
    try:
        return cache.read(_NAME, _LIMIT).split("\n")
    except (OSError, ValueError):
        return []
