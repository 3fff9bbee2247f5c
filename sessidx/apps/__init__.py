"""The supported apps at one glance. A new app is a module and a line here.

Knows where each keeps its sessions; a module is loaded only when its place is there. Must not know
what lies in a place.
"""

import os

from .. import paths
from ..output import Failure

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ..session import App, Place


class Entry:
    """One app. `variables`: each that chooses its home, with the folder that the home is below it.

    The first that is set wins, else the home is `folder` below the person's. `also`: variables that
    lead the CLI to more of its data and go with the line, too. `inherited`: those that it sets for
    what it starts, by which a CLI takes itself for a part of that. `wishes`: ours with words that the
    person adds to its lines. `profiles`: a folder of its home with more homes. `untried`: no home
    that its CLI wrote was ever read, and its line was never run.
    """

    __slots__ = (
        "also",
        "folder",
        "inherited",
        "module",
        "name",
        "profiles",
        "untried",
        "variables",
        "wishes",
    )

    def __init__(
        self,
        name: str,
        variables: tuple[tuple[str, str], ...],
        folder: str,
        module: str,
        also: tuple[str, ...] = (),
        inherited: tuple[str, ...] = (),
        untried: bool = False,
        profiles: str = "",
        wishes: str | None = None,
    ) -> None:
        self.name = name
        self.variables = variables
        self.folder = folder
        self.module = module
        self.also = also
        self.inherited = inherited
        self.untried = untried
        self.profiles = profiles
        self.wishes = wishes


TABLE = (
    Entry(
        "claude-code",
        (("CLAUDE_CONFIG_DIR", ""),),
        ".claude",
        "claude_code",
        # Run with the releases: 2.1.50 refuses to start below the first, 2.1.172 to 2.1.332 keep no
        # transcript below the second, and what the third says is recorded: sdk-ts, a script's, hides
        # the session. Empty counts as unset in each.
        inherited=("CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT"),
        wishes="SESSIDX_CLAUDE_ARGS",
    ),
    Entry(
        "codex",
        (("CODEX_HOME", ""),),
        ".codex",
        "codex",
        ("CODEX_SQLITE_HOME",),
        # Run with 0.130, 0.145, 0.171: below the first (macOS) it goes round the proxies, both tell
        # its commands of a sandbox that is another's. Empty counts as unset. The ids of the thread
        # it is started in are replaced, and every session is kept.
        inherited=("CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"),
        wishes="SESSIDX_CODEX_ARGS",
    ),
    Entry("gemini", (("GEMINI_CLI_HOME", ".gemini"),), ".gemini", "gemini"),
    Entry("opencode", (("XDG_DATA_HOME", "opencode"),), ".local/share/opencode", "opencode"),
    Entry("kilo", (("XDG_DATA_HOME", "kilo"),), ".local/share/kilo", "kilo"),
    Entry("copilot", (("COPILOT_HOME", ""),), ".copilot", "copilot"),
    Entry("qwen", (("QWEN_RUNTIME_DIR", ""), ("QWEN_HOME", "")), ".qwen", "qwen"),
    Entry("kimi", (("KIMI_CODE_HOME", ""),), ".kimi-code", "kimi"),
    Entry(
        "pi",
        (("PI_CODING_AGENT_SESSION_DIR", ""), ("PI_CODING_AGENT_DIR", "")),
        ".pi/agent",
        "pi",
    ),
    Entry("grok", (("GROK_HOME", ""),), ".grok", "grok"),
    Entry("vibe", (("VIBE_HOME", ""),), ".vibe", "vibe"),
    Entry("cline", (("CLINE_DATA_DIR", ""),), ".cline/data", "cline"),
    Entry("hermes", (("HERMES_HOME", ""),), ".hermes", "hermes", profiles="profiles"),
    Entry("droid", (("FACTORY_HOME_OVERRIDE", ".factory"),), ".factory", "droid"),
    Entry("cursor", (("CURSOR_DATA_DIR", ""),), ".cursor", "cursor", untried=True),
    Entry(
        "goose",
        (("GOOSE_PATH_ROOT", "data/sessions"),),
        ".local/share/goose/sessions",
        "goose",
        untried=True,
    ),
)
_ENTRIES = {entry.name: entry for entry in TABLE}
NAMES = tuple(_ENTRIES)
UNTRIED = frozenset(entry.name for entry in TABLE if entry.untried)
_loaded: "dict[str, App]" = {}


def load(name: str) -> "App":
    """The app itself: its module, the APP in it, or what that tells of a file or a row a session."""
    if name not in _loaded:
        module: Any = __import__(f"{__name__}.{_ENTRIES[name].module}", fromlist=("NAME",))
        if hasattr(module, "LAYOUTS"):
            from ..filed import Filed

            module = Filed(name, module)
        elif hasattr(module, "TABLE"):
            from ..tabled import Tabled

            module = Tabled(name, module)
        _loaded[name] = getattr(module, "APP", module)
    return _loaded[name]


def homes(names: "Iterable[str]" = NAMES) -> "list[Place]":
    """Where to look for the sessions of the apps `names`: of each its own home, then SESSIDX_HOMES.

    The same folder under two names counts once. Raises Failure when a home is not to be understood.
    """
    more = paths.setting("SESSIDX_HOMES")
    if not more:
        return [(name, own(name)) for name in names]
    told = [_named(part) for part in more.split(":") if part]
    found: list[Place] = []
    seen = set()
    for name in names:
        for root in (own(name), *(root for app, root in told if app == name)):
            real = name, os.path.realpath(root)
            if real not in seen:
                seen.add(real)
                found.append((name, root))
    return found


def own(name: str) -> str:
    """The home that an app finds by itself here, absolute."""
    entry = _ENTRIES[name]
    for variable, folder in entry.variables:
        if chosen := paths.setting(variable):
            return os.path.abspath(os.path.join(chosen, folder) if folder else chosen)
    return f"{paths.home()}/{entry.folder}"


def _named(part: str) -> "Place":
    """One APP=PATH of SESSIDX_HOMES."""
    name, _, path = part.partition("=")
    if name not in _ENTRIES:
        raise Failure(f"SESSIDX_HOMES: no app {name!r}; there are {', '.join(NAMES)}", 2)
    if path == "~" or path.startswith("~/"):
        path = paths.own_home() + path[1:]
    if not path.startswith("/"):
        raise Failure(
            f"SESSIDX_HOMES: {part!r} names no absolute path (APP=/path or APP=~/path)", 2
        )
    root = os.path.normpath(path)
    _, below = _chooser(_ENTRIES[name])
    if below and not root.endswith("/" + below):
        raise Failure(f"SESSIDX_HOMES: a home of {name} ends in /{below}: {path!r}", 2)
    return name, root


def _chooser(entry: Entry) -> tuple[str, str]:
    """The variable that chooses a home, and the folder below: the one that is set, else the last."""
    for pair in entry.variables:
        if paths.setting(pair[0]):
            return pair
    return entry.variables[-1]


def environment(name: str, root: str) -> dict[str, str]:
    """The variables that a resumed CLI needs to look in `root`; none when it would by itself."""
    entry = _ENTRIES[name]
    told = {}
    variable, below = _chooser(entry)
    by_itself = f"{paths.own_home().rstrip('/')}/{entry.folder}"
    if root != by_itself or paths.setting(variable):
        told[variable] = root.removesuffix("/" + below) if below else root
    for more in entry.also:
        if value := paths.setting(more):
            told[more] = os.path.abspath(value.strip())
    return told


def wishes(name: str) -> str | None:
    """The variable with words that the person adds to each line of the app."""
    return _ENTRIES[name].wishes


def inherited(name: str) -> list[str]:
    """The variables that are to be emptied for a CLI: sf itself was started inside of one."""
    return [variable for variable in _ENTRIES[name].inherited if paths.setting(variable)]
