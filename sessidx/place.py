"""What is wrong with the place of our own files, and the command that mends it. Only doctor asks."""

import os

from . import cache, files, paths, shells, text

_ELSEWHERE = "choose another place: XDG_CACHE_HOME=/a/folder/of/yours"


def trouble(shell: str) -> tuple[str, str] | None:
    """What is wrong with the folder, and what mends it, quoted for `shell`; None when nothing is."""
    folder = paths.cache()
    uid = os.geteuid()
    if uid == 0 and cache.is_of_another():  # what root makes there, its owner could not change
        told = f"{text.path(folder)} is another person's, so root keeps nothing there"
        return told, "sf without sudo, or XDG_CACHE_HOME=/root/.cache"
    if not os.path.lexists(folder):
        return _above(folder, shell)
    status = os.lstat(folder)
    kind = files.kind(folder)
    name = _quoted(folder, shell)
    if kind != files.FOLDER:
        return f"{text.path(folder)} is {kind}, no folder; it is not used", f"rm {name}"
    if status.st_uid != uid:
        return f"{text.path(folder)} is not yours; it is not used", f"sudo chown -R {uid} {name}"
    if status.st_mode & 0o022:
        return f"others may write in {text.path(folder)}; it is not used", f"chmod go-w {name}"
    if not _may(folder, os.R_OK | os.W_OK | os.X_OK):
        return _closed(folder, name)
    return _within(folder, shell)


def _above(folder: str, shell: str) -> tuple[str, str] | None:
    """Why it could not be made."""
    home = paths.own_home()
    if paths.cache_home() is None and not os.path.isdir(home):
        return "there is no home", f"mkdir -p {_quoted(home, shell)}"
    while not os.path.lexists(folder):
        folder = os.path.dirname(folder) or "."
    name = _quoted(folder, shell)
    if not os.path.exists(folder):
        return (
            f"{text.path(folder)} leads nowhere",
            f"mkdir -p {_quoted(os.path.realpath(folder), shell)}",
        )
    if not os.path.isdir(folder):
        return f"{text.path(folder)} is no folder", f"mv {name} {_quoted(folder + '.old', shell)}"
    owner, uid = os.stat(folder).st_uid, os.geteuid()
    if _may(folder, os.W_OK | os.X_OK):
        return None
    if owner == uid:
        return _closed(folder, name)
    inside = folder.startswith(home.rstrip("/") + "/") and home != "/"
    return f"{text.path(folder)} is not yours", f"sudo chown {uid} {name}" if inside else _ELSEWHERE


def _may(folder: str, mode: int) -> bool:
    return os.access(folder, mode, effective_ids=os.access in os.supports_effective_ids)


def _closed(folder: str, name: str) -> tuple[str, str]:
    if os.stat(folder).st_mode & 0o700 == 0o700:
        return f"{text.path(folder)} is on a file system that cannot be written", _ELSEWHERE
    return f"nothing can be made in {text.path(folder)}", f"chmod u+rwx {name}"


def _within(folder: str, shell: str) -> tuple[str, str] | None:
    """What is wrong though the folder is right: something in the way of the index, or a full disk."""
    index = os.path.join(folder, "index")
    kind = files.kind(index)
    if kind == files.FOLDER:
        return (
            f"{text.path(index)} is a folder, in the way of the index",
            f"rm -r {_quoted(index, shell)}",
        )
    trial = os.path.join(folder, f"trial.{os.getpid()}")
    try:
        fd = os.open(trial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            os.write(fd, b"x")
        finally:
            os.close(fd)
            os.unlink(trial)
    except OSError as error:
        return f"{text.path(folder)} cannot be written: {error.strerror}", _ELSEWHERE
    return None


def _quoted(path: str, shell: str) -> str:
    try:
        return shells.quote(path, shell)
    except shells.Unprintable:  # not to be pasted, but to be found
        return text.path(path)
