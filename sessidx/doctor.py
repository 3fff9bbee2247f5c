"""`sf doctor`: what is wrong or unusual, each finding with the command that mends it.

Names files and reasons, never what stands in them.
"""

import os

from . import index, output, paths, release, rows, status, text
from .apps import APPS
from .session import LISTED, UNREADABLE

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .index import Store

_NAMED = 20  # files of each reason; --json has them all


class Finding:
    """One line of the report. `wrong` makes the exit code 1; `mend` is a command or a hint."""

    def __init__(
        self,
        about: str,
        told: str,
        *,
        wrong: bool = False,
        mend: str = "",
        files: tuple[str, ...] = (),
    ) -> None:
        self.about = about
        self.told = told
        self.wrong = wrong
        self.mend = mend
        self.files = files


def doctor(word: str | None = None, style: str = "text") -> int:
    """Print the findings (with `word`: why sessions that it names are not listed); 1 when one is bad."""
    stores = index.stores()
    found = list(_why(word, stores) if word else _examine(stores))
    if style == "json":
        told = [
            {name: getattr(f, name) for name in ("about", "told", "wrong", "mend", "files")}
            for f in found
        ]
        output.lines([rows.json(told, indent=True)])
    else:
        for finding in found:
            output.lines(_text(finding))
    return 1 if any(finding.wrong for finding in found) else 0


def _text(finding: Finding) -> "Iterator[str]":
    mark = "✗" if finding.wrong else "·"
    mend = f"  → {finding.mend}" if finding.mend else ""
    yield text.clean(f"{mark} {finding.about}: {finding.told}{mend}")
    for path in finding.files[:_NAMED]:
        yield f"    {text.path(path)}"
    if len(finding.files) > _NAMED:
        yield f"    … and {len(finding.files) - _NAMED} more (--json names them)"


def _examine(stores: "list[Store]") -> "Iterator[Finding]":
    yield _fzf()
    yield _index()
    for store in stores:
        yield from _store(store)


def _fzf() -> Finding:
    from .picker import ABSENT, find_fzf

    found = find_fzf()
    if found is None:
        return Finding("fzf", "not found", wrong=True, mend=ABSENT)
    return Finding("fzf", found)


def _index() -> Finding:
    folder = paths.cache()
    try:
        if not paths.is_private(os.lstat(folder)):
            told = f"{folder} is a link, not yours, or others may write in it; it is not used"
            return Finding("index", told, wrong=True, mend=f"chmod go-w {folder}")
        size = os.stat(os.path.join(folder, "index")).st_size
    except OSError:
        return Finding("index", f"none in {folder}")
    return Finding("index", f"{folder}/index, {size} bytes")


def _store(store: "Store") -> "Iterator[Finding]":
    app = APPS[store.app]
    told = status.counted(store)
    home = store.root if os.path.isdir(store.root) else f"{store.root} (none)"
    yield Finding(store.app, f"{home}: {told['listed']} listed, {told['hidden']} hidden (--all)")
    cli = app.cli()
    program, sure = paths.program(cli.PROGRAM)
    if program is None and told["listed"]:
        yield Finding(store.app, f"{cli.PROGRAM} is not on PATH", wrong=True)
    elif program is not None:
        known = release.installed(program, cli.PACKAGE)
        number = ".".join(map(str, known)) if known else "of an unknown release"
        yield Finding(store.app, f"{program} {number}")
        if not sure:
            yield Finding(
                "PATH", "has a relative entry before it", wrong=True, mend="use absolute entries"
            )
    if store.unread:
        files = tuple(f"{store.root}/{path}" for path in store.unread)
        yield Finding(store.app, "folders that cannot be read", wrong=True, files=files)
    for reason, skipped in sorted(status.skipped(store).items()):
        wrong = reason == UNREADABLE
        yield Finding(
            store.app, f"{len(skipped)} skipped: {reason}", wrong=wrong, files=tuple(skipped)
        )
    for trouble in app.trouble(store.root):
        yield Finding(store.app, trouble, wrong=True)


def _why(word: str, stores: "list[Store]") -> "Iterator[Finding]":
    """Why each session or file that holds `word` is, or is not, in the list."""
    low = word.lower()
    met = False
    for store in stores:
        for line in store.lines:
            session = index.session(store.app, line)
            told = "\n".join(filter(None, (session.title, session.cwd, session.id, session.path)))
            if low not in told.lower():
                continue
            met = True
            path = (f"{store.root}/{session.path}",)
            if session.origin not in LISTED:
                yield Finding(session.id or store.app, f"not listed: {session.origin}", files=path)
            elif not session.by_default:
                why = "archived" if session.archived else session.origin
                yield Finding(
                    session.id, f"only with --all: {why}", mend=f"sf find --all {session.id}"
                )
            else:
                yield Finding(session.id, "listed", files=path)
    if not met:
        homes = ", ".join(store.root for store in stores)
        yield Finding(word, f"nothing like it below {homes}", wrong=True)
