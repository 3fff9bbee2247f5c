"""`sf doctor`: what is wrong or unusual, each finding with the command that mends it.

Names files and reasons, never what stands in them.
"""

import os
from time import time

from . import (
    apps,
    files,
    find,
    fzf,
    index,
    integration,
    nearby,
    output,
    paths,
    place,
    release,
    rows,
    status,
    text,
    words,
)
from .session import LISTED, UNREADABLE

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .release import Release
    from .store import Store

_FZF_FLOOR = (0, 38, 0)
# How the shells forget a variable; the others do it in ways of their own.
_UNSET = {
    **dict.fromkeys(("zsh", "bash", "sh", "dash", "ash", "ksh", "ksh93", "mksh", "oksh"), "unset"),
    "fish": "set -e",
    "nu": "hide-env",
}
_SHELLS = (*_UNSET, "yash", "csh", "tcsh", "pwsh", "xonsh", "elvish", "osh")
_OTHERS = 3  # bindings that are named
_NAMED, _FEW = 20, 3  # files of each reason, where it is wrong and where not; --json has them all


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
    most = _NAMED if finding.wrong else _FEW
    for path in finding.files[:most]:
        yield f"    {text.path(path)}"
    if len(finding.files) > most:
        yield f"    … and {len(finding.files) - most} more (--json names them)"


def _examine(stores: "list[Store]") -> "Iterator[Finding]":
    yield _fzf()
    yield from _integration()
    yield _index()
    yield from _inherited()
    for store in stores:
        yield from _store(store)
    if not stores:
        yield _no_agent()
    if near := nearby.homes():
        told = f"{len(near)} more hold sessions and are not looked in"
        yield Finding("homes", told, mend=nearby.line(near), files=tuple(root for _, root in near))


def _no_agent() -> Finding:
    places = tuple(f"{root}  ({name})" for name, root in apps.homes())
    told = f"none of {len(apps.NAMES)} has kept a session here; looked for"
    mend = "run one once, or try sf demo; SESSIDX_HOME=/where/it/is for another home"
    return Finding("agents", told, mend=mend, files=places)


def _inherited() -> "Iterator[Finding]":
    """What an agent that this shell was started in says to its like."""
    for name in apps.NAMES:
        if found := apps.inherited(name):
            told = f"this shell was started inside of it; a line of ours empties {', '.join(found)}"
            unset = _UNSET.get(paths.setting("SESSIDX_LOADED") or _shell())
            mend = f"{unset} {' '.join(found)}" if unset else "open another terminal"
            yield Finding(name, told, mend=mend)


def _fzf() -> Finding:
    found = fzf.find()
    if found is None:
        return Finding("fzf", "not found", wrong=True, mend=fzf.advice())
    known = release.asked(found, os.path.realpath(found))
    if known and known < _FZF_FLOOR:
        told = f"{found} {_dotted(known)} is older than 0.38"
        return Finding("fzf", told, wrong=True, mend=fzf.advice())
    return Finding("fzf", f"{found} {_dotted(known) if known else ''}".rstrip())


def _dotted(known: "Release") -> str:
    return ".".join(map(str, known))


def _integration() -> "Iterator[Finding]":
    """What the shell function hands over: that it is loaded, and what its key is bound to."""
    shell = paths.setting("SESSIDX_LOADED")
    key = os.environ.get("SESSIDX_KEY", "ctrl-g")
    if shell is None:
        yield _not_loaded(_shell())
    else:
        yield _key(shell, key, paths.setting("SESSIDX_BOUND") or "")
    if paths.setting("TERM_PROGRAM") == "vscode" and key == "ctrl-g":
        mend = (
            '"terminal.integrated.commandsToSkipShell": '
            '["-workbench.action.terminal.goToRecentDirectory", "-workbench.action.gotoLine"]'
        )
        yield Finding("VS Code", "keeps Ctrl-G for itself unless its settings say", mend=mend)


def _shell() -> str:
    """The shell that one types in: what has started us, where that is one, else the login shell."""
    try:
        parent = files.small(f"/proc/{os.getppid()}/comm", 64).decode().strip()
    except (OSError, ValueError):
        parent = ""
    return parent if parent in _SHELLS else os.path.basename(paths.setting("SHELL") or "zsh")


def _not_loaded(shell: str) -> Finding:
    word = integration.word()
    if shell not in integration.SHELLS:
        told = f"there is none for {shell}: `{word} resume --run ID` starts the agent itself"
        return Finding("integration", told)
    call = f"{word} init {shell}"
    load = f"{call} | source" if shell == "fish" else f'eval "$({call})"'
    return Finding("integration", "not loaded in this shell", wrong=True, mend=load)


def _key(shell: str, key: str, bound: str) -> Finding:
    """Whether the key is ours, by the lines of the shell for it and for what begins with it."""
    if not key:
        return Finding("integration", f"loaded in {shell}, no key by choice")
    native = "^\\" if shell == "zsh" else "\\"
    if key[:-1] not in ("ctrl-", "alt-") and (key[0] not in native or len(key) < 2):
        told = f"loaded in {shell}, but SESSIDX_KEY={key} is no key"
        mend = f"SESSIDX_KEY=alt-g (ctrl-x, alt-x, or {shell}'s own notation, after {native[-1]})"
        return Finding("integration", told, wrong=True, mend=mend)
    lines = bound.splitlines()
    others = [line.strip() for line in lines if "sf-pick" not in line and "__sf" not in line]
    named = ", ".join(others[:_OTHERS]) + (", …" if len(others) > _OTHERS else "")
    if not others and lines:
        return Finding("integration", f"loaded in {shell}, {key} is bound to it")
    if len(others) < len(lines):
        told = f"loaded in {shell}, but longer keys begin with {key}, which comes late or never: {named}"
        mend = "choose another: SESSIDX_KEY=alt-g"
    elif paths.setting("TERM") == "dumb":
        return Finding("integration", f"loaded in {shell}, no key on a dumb terminal")
    else:
        told = f"loaded in {shell}, but {key} does: {named or 'nothing'}"
        mend = "load it after what took the key, or choose another: SESSIDX_KEY=alt-g"
    return Finding("integration", told, wrong=True, mend=mend)


def _index() -> Finding:
    folder = paths.cache()
    if found := place.trouble(paths.setting("SESSIDX_LOADED") or "posix"):
        told, mend = found
        return Finding("index", told, wrong=True, mend=mend)
    try:
        size = os.stat(os.path.join(folder, "index")).st_size
    except OSError:
        return Finding("index", f"none in {folder}")
    return Finding("index", f"{folder}/index, {size} bytes")


def _store(store: "Store") -> "Iterator[Finding]":
    app = apps.load(store.app)
    told = status.counted(store)
    home = store.root if os.path.isdir(store.root) else f"{store.root} (none)"
    yield Finding(store.app, f"{home}: {told['listed']} listed, {told['hidden']} hidden (--all)")
    if store.app in apps.UNTRIED and told["listed"]:
        yield Finding(store.app, "untried: read by its published source, its line was never run")
    cli = app.commands()
    by_shell, program = words.told(cli.PROGRAM)
    sure = True
    if not by_shell:
        program, sure = paths.program(cli.PROGRAM)
    if by_shell and program is None:
        yield Finding(store.app, f"{cli.PROGRAM} is a function or alias; its release is not known")
    elif program is None and told["listed"]:
        mend = f"npm install -g {cli.PACKAGE}, or add its folder to PATH"
        yield Finding(store.app, f"{cli.PROGRAM} is not on PATH", wrong=True, mend=mend)
    elif program is not None:
        known = release.installed(program, cli.PACKAGE)
        number = _dotted(known) if known else "of an unknown release"
        yield Finding(store.app, f"{program} {number}")
        if not sure:
            yield Finding(
                "PATH", "has a relative entry before it", wrong=True, mend="use absolute entries"
            )
    if store.unread:
        unread = tuple(f"{store.root}/{path}" for path in store.unread)
        mend = "chmod u+rx each, or ask whose they are"
        yield Finding(store.app, "not to be read", wrong=True, mend=mend, files=unread)
    yield from _interrupted(store)
    yield from _kept(store)
    yield from _odd(store)
    for reason, skipped in sorted(status.skipped(store).items()):
        told_why = f"{len(skipped)} skipped: {reason}"
        wrong, mend = reason == UNREADABLE, "chmod u+r each, or ask whose they are"
        found = Finding(store.app, told_why, wrong=wrong, files=tuple(skipped))
        found.mend = mend if wrong else ""
        yield found
    for trouble in app.trouble(store.root):
        yield Finding(store.app, trouble, wrong=True, mend=f"quit {cli.PROGRAM}, then sf build")


def _interrupted(store: "Store") -> "Iterator[Finding]":
    tell = find.Asked("interrupted")
    open_then = tuple(s.path for s in store.sessions() if s.origin in LISTED and tell(s))
    if open_then:
        told = f"{len(open_then)} open when the process ended, and not gone back to"
        yield Finding(store.app, told, mend="sf find --interrupted", files=open_then)


def _kept(store: "Store") -> "Iterator[Finding]":
    """How many sessions their app removes within a week, and the newest of them."""
    tell, week = find.Asked("kept_until"), (time() + 7 * 86_400) * 1000
    going = [s for s in store.sessions() if s.by_default and (tell(s) or week) < week]
    if going:
        going.sort(key=lambda s: s.updated or "", reverse=True)
        setting = getattr(apps.load(store.app), "KEEPS", "")
        told = f"{len(going)} are removed by {store.app} itself within a week"
        mend = f"a larger {setting} in {store.root}/settings.json"
        yield Finding(store.app, told, mend=mend, files=tuple(s.path for s in going))


def _odd(store: "Store") -> "Iterator[Finding]":
    """What is named like a session and is no regular file, by its kind."""
    kinds: dict[str, list[str]] = {}
    for path in sorted(f"{store.root}/{path}" for path in store.odd):
        kinds.setdefault(files.kind(path), []).append(path)
    for kind, odd in sorted(kinds.items()):
        told = f"{len(odd)} skipped: {kind} with a session's name"
        yield Finding(store.app, told, files=tuple(odd))


def _why(word: str, stores: "list[Store]") -> "Iterator[Finding]":
    """Why each session or file that holds `word` is, or is not, in the list."""
    folded = text.fold(word)
    met = False
    for store in stores:
        for session in store.sessions():
            told = "\n".join(filter(None, (session.title, session.cwd, session.id, session.path)))
            if folded not in text.fold(told):
                continue
            met = True
            path = (session.path,)
            if session.origin not in LISTED:
                yield Finding(session.id or store.app, f"not listed: {session.origin}", files=path)
            elif not session.by_default:
                why = "archived" if session.archived else session.origin
                if session.continued_in:
                    why = f"goes on as {session.continued_in}"
                yield Finding(
                    session.id, f"only with --all: {why}", mend=f"sf find --all {session.id}"
                )
            else:
                yield Finding(session.id, "listed", files=path)
        for odd in (f"{store.root}/{path}" for path in store.odd):
            if folded in text.fold(odd):
                met = True
                yield Finding(store.app, f"not listed: {files.kind(odd)}, no file", files=(odd,))
    if not met:
        homes = ", ".join(store.root for store in stores)
        yield Finding(word, f"nothing like it below {homes}", wrong=True, mend="sf apps")
