"""The floor: list the folders of both stores and stat every transcript, nothing else."""

import os


def walk(folder: str) -> None:
    for entry in os.scandir(folder):
        if entry.name.endswith(".jsonl"):
            entry.stat()
        elif "." not in entry.name and len(entry.name) != 36:
            walk(entry.path)


for store in ("~/.claude/projects", "~/.codex/sessions", "~/.codex/archived_sessions"):
    walk(os.path.expanduser(store))
