"""Torture the reader beside a writer, each mode for a while, and print what came of it.

`python -m tests.sqlite [SECONDS]`, 30 by default. The last two are without the proof: they must find wrong
reads, or the others show nothing.
"""

import sys
import tempfile
from pathlib import Path

from tests.sqlite.torture import MODES, torture

MANY = 1 << 30


def main(seconds: float) -> int:
    """Run all modes; 1 when one of them was not as it should be."""
    failed = 0
    runs = [(*mode, True) for mode in MODES] + [("wal", True, False), ("delete", True, False)]
    for mode, shared, proved in runs:
        with tempfile.TemporaryDirectory(prefix="sessidx-torture-") as folder:
            path = Path(folder, "torture.sqlite")
            counted = torture(path, mode, shared=shared, proved=proved, reads=MANY, seconds=seconds)
        ways = ("" if shared else ", without -shm") + ("" if proved else ", WITHOUT THE PROOF")
        print(f"{mode}{ways}: {counted}", flush=True)
        failed |= bool(counted.wrong) == proved or not counted.reads
    return failed


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 30.0))
