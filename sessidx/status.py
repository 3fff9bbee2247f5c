"""`sf build` and `sf apps`: what each store holds, and how long it took to read."""

import os
from time import perf_counter

from . import apps, index, nearby, output, paths, query, release, rows, text, words
from .session import LISTED
from .store import Store

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from typing import Any


def build(style: str = "text") -> int:
    """Bring the index up to date, app by app, and say what was found and how long it took."""
    told = []
    for name in apps.NAMES:
        before = perf_counter()
        for store in index.stores([name]):
            told.append(counted(store) | {"ms": round((perf_counter() - before) * 1000, 1)})
            before = perf_counter()
    if style == "json":
        output.lines([rows.json(told, indent=True)])
        return 0
    for app in told:
        held = f"{app['listed']} sessions, {app['hidden']} hidden, {app['skipped']} skipped"
        output.lines([f"{app['app']}: {held}; {app['read']} read again in {app['ms']} ms"])
    return 0


def counted(store: "Store") -> "dict[str, Any]":
    """How many sessions of a store are listed, hidden but for --all, and skipped, by reason."""
    everything, _ = query.select([store], query.Query(everything=True))
    listed = sum(session.by_default for session in everything)
    return {
        "app": store.app,
        "home": store.root,
        "listed": listed,
        "hidden": len(everything) - listed,
        "skipped": len(store) - len(everything),
        "read": store.read,
    }


def table(style: str = "table") -> int:
    """Each supported app: where its sessions lie, how many there are, its CLI found or not."""
    told, clis = [], []
    there = {store.place: store for store in index.stores()}
    for place in apps.homes():
        store = there.get(place) or Store(place)
        cli = apps.load(store.app).commands()
        program, otherwise = words.found(cli.PROGRAM)
        known = release.installed(program, cli.PACKAGE) if program else None
        number = ".".join(map(str, known)) if known else None
        clis.append(f"{program} {number or ''}" if program else otherwise)
        count = counted(store)
        told.append(
            {
                "app": store.app,
                "home": store.root,
                "sessions": count["listed"],
                "hidden": count["hidden"],
                "program": program,
                "release": number,
                "untried": store.app in apps.UNTRIED,
            }
        )
    if style == "json":
        output.lines([rows.json(told, indent=True)])
        return 0
    cells: list[tuple[str, ...]] = [("APP", "SESSIONS", "HIDDEN", "HOME", "CLI")]
    for app, cli_found in zip(told, clis, strict=True):
        cli_found += " (untried)" if app["untried"] else ""
        home = paths.shown(app["home"]) + ("" if os.path.isdir(app["home"]) else " (none)")
        cells.append((app["app"], str(app["sessions"]), str(app["hidden"]), home, cli_found))
    output.lines(_aligned(cells))
    if near := nearby.homes():
        named = ", ".join(paths.shown(root) for _, root in near)
        output.note(f"{named}: sessions, not looked in; {nearby.line(near)}")
    return 0


def _aligned(cells: list[tuple[str, ...]]) -> list[str]:
    clean = [[text.path(cell) for cell in line] for line in cells]
    widths = [max(map(rows.width, column)) for column in zip(*clean, strict=True)]
    return [
        "  ".join(rows.fit(cell, width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in clean
    ]


def skipped(store: "Store") -> dict[str, list[str]]:
    """The files of a store that are no listed session, by reason."""
    found: dict[str, list[str]] = {}
    for session in store.sessions():
        if session.origin not in LISTED:
            found.setdefault(session.origin, []).append(session.path)
    return found
