"""The rows as Markdown: for each app and axis, what was recorded against what was in force, release by release."""

from __future__ import annotations

from collections.abc import Iterable

from tests.real.matrix import Row

AXES = {
    "claude-code": ("model", "effort", "mode"),
    "codex": ("model", "effort", "approval", "sandbox", "reviewer", "provider"),
}


def summary(rows: list[Row]) -> str:
    """How many lines were run and how many of them left everything as wanted."""
    ran = [row for row in rows if row.kind not in ("make", "bare")]
    good = sum(not row.trouble for row in ran)
    accepted = sum(row.now is not None for row in ran)
    return f"{len(ran)} lines run, {accepted} accepted with the turn recorded, {good} with everything in force as wanted."


def matrix(rows: list[Row], app: str) -> str:
    """One table for each kind of line: a row for each recorded value, a column for each pair of releases."""
    parts = []
    for kind in ("resume", "permissive", "fork", "bare"):
        mine = [
            row for row in rows if row.app == app and row.kind == kind and row.now and row.recorded
        ]
        pairs = list(dict.fromkeys((row.recorded_by, row.resumed_by) for row in mine))
        if not pairs:
            continue
        heads = [f"{by} → {then}" if by != then else by for by, then in pairs]
        lines = [["axis", "recorded", *heads]]
        for axis in AXES[app]:
            values = dict.fromkeys(_recorded(row, axis) for row in mine)
            for value in values:
                cells = [
                    _cell(
                        [r for r in mine if _pair(r) == pair and _recorded(r, axis) == value], axis
                    )
                    for pair in pairs
                ]
                lines.append([axis, value, *cells])
        parts.append(f"### {app}: {kind}\n\n" + _table(lines))
    return "\n\n".join(parts)


def details(rows: Iterable[Row]) -> str:
    """Every row: recorded, in force, the line, what is not as wanted."""
    lines = [
        [
            "app",
            "recorded by",
            "resumed by",
            "kind",
            "case",
            "recorded",
            "in force",
            "line",
            "not as wanted",
            "notes",
        ]
    ]
    for row in rows:
        recorded = row.recorded.settings.text() if row.recorded else "-"
        now = row.now.force().text() if row.now else "-"
        if row.now and row.now.shown:
            now += f" (screen: {row.now.shown})"
        texts = ["; ".join(row.trouble) or "-", "; ".join(row.notes) or "-"]
        head = [row.app, row.recorded_by, row.resumed_by, row.kind, row.case]
        lines.append([*head, recorded, now, f"`{row.line}`", *texts])
    return _table(lines)


def _pair(row: Row) -> tuple[str, str]:
    return row.recorded_by, row.resumed_by


def _recorded(row: Row, axis: str) -> str:
    return str(getattr(row.recorded.settings, axis) or "nothing") if row.recorded else "nothing"


def _cell(rows: list[Row], axis: str) -> str:
    facts = dict.fromkeys(_fact(row, axis) for row in rows)
    return ", ".join(facts) or " "


def _fact(row: Row, axis: str) -> str:
    if row.now is None:
        return "-"
    return str(getattr(row.now.force(), axis) or "-")


def _table(lines: list[list[str]]) -> str:
    texts = [[cell.replace("|", "\\|").replace("\n", " ⏎ ") for cell in line] for line in lines]
    texts.insert(1, ["---"] * len(lines[0]))
    return "\n".join("| " + " | ".join(line) + " |" for line in texts)
