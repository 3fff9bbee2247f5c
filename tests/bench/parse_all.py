"""The plainest script: parse every line of every file with json, each time."""

import glob
import json
import os
from contextlib import suppress

for path in glob.glob(os.path.expanduser("~/.c*/*s/**/*.jsonl"), recursive=True):
    title = os.path.basename(path)
    with open(path, "rb") as file:
        for line in file:
            with suppress(ValueError):
                title = json.loads(line).get("aiTitle") or title
    if "checkout" in title:
        print(title)
