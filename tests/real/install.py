"""Real releases by npm, each in a folder of its own, kept for the next run."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.real.model import number


def newest(base: Path, package: str) -> str:
    """The release that npm calls latest; without a network the newest that is there."""
    command = ["npm", "view", package, "dist-tags.latest", "--json", "--fetch-retries=0"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    if done.returncode == 0:
        return str(json.loads(done.stdout))
    there = [folder.name.rsplit("-", 1)[1] for folder in base.glob(f"{_name(package)}-*")]
    if not there:
        raise SystemExit(f"no release of {package} is there and npm says: {done.stderr.strip()}")
    return max(there, key=number)


def install(base: Path, package: str, release: str) -> Path:
    """Install `package` at `release` below `base` unless it is there; the folder that goes on PATH."""
    folder = base / f"{_name(package)}-{release}"
    programs = folder / "node_modules" / ".bin"
    if not programs.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        quiet = ["--no-audit", "--no-fund", "--no-save", "--loglevel=error"]
        command = ["npm", "install", "--prefix", str(folder), *quiet, f"{package}@{release}"]
        subprocess.run(command, check=True, capture_output=True, timeout=600)
    return programs


def _name(package: str) -> str:
    return package.rsplit("/", 1)[-1]
