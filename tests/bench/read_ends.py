"""A plain script instead of sf: 80 lines and the last 512 KiB of every file, with json, each time."""

import glob
import json
import os
from contextlib import suppress

for path in glob.glob(os.path.expanduser("~/.c*/*s/**/*.jsonl"), recursive=True):
    with open(path, "rb") as file:
        lines = [file.readline(1 << 18) for _ in range(80)]
        file.seek(max(file.tell(), os.path.getsize(path) - (512 << 10)))
        lines += file.read().split(b"\n")
    title = os.path.basename(path)
    for line in lines:
        with suppress(ValueError):
            title = json.loads(line).get("aiTitle") or title
    if "checkout" in title:
        print(title)
