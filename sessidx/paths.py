"""The only reader of the environment: homes, the index's place, programs on PATH.

Each variable is read exactly as the app that owns it reads it. Must not open any file.
"""

import os

CODEX_DATABASES = "CODEX_SQLITE_HOME"


def home() -> str:
    """The home to look in: SESSIDX_HOME, else HOME, else the account's; always absolute."""
    return os.path.abspath(setting("SESSIDX_HOME") or own_home())


def own_home() -> str:
    """HOME, else the account's."""
    if found := setting("HOME"):
        return found
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return "/"


def setting(variable: str) -> str | None:
    """A variable's value; None when unset or empty, which every app here takes for the same."""
    return os.environ.get(variable) or None


def cache() -> str:
    """The folder of the index: $XDG_CACHE_HOME/sessidx when that is absolute, else ~/.cache."""
    return os.path.join(cache_home() or os.path.join(own_home(), ".cache"), "sessidx")


def cache_home() -> str | None:
    """$XDG_CACHE_HOME when that is absolute: a relative one is ignored, as the standard says."""
    base = setting("XDG_CACHE_HOME")
    return base if base is not None and base.startswith("/") else None


def program(name: str) -> tuple[str | None, bool]:
    """Where PATH has `name`, looked for in absolute entries only, and whether that hit is sure.

    Not sure: a relative or empty entry stands before it, from which a shell in another folder
    would start whatever lies there.
    """
    sure = True
    for entry in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if not entry.startswith("/"):
            sure = False
            continue
        path = os.path.join(entry, name)
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path, sure
    return None, sure


def shown(path: str) -> str:
    """`path` with the home written as `~`."""
    own = own_home().rstrip("/")
    return "~" + path[len(own) :] if own and (path == own or path.startswith(own + "/")) else path
