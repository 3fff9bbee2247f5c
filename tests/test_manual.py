"""sf(1) is what the commands and the README say, and man has nothing against it."""

import pytest

from sessidx import cli
from tests.kit import ROOT, run, which
from tests.manual.page import page

FILE = ROOT / "shell" / "sf.1"


def test_it_is_in_step() -> None:
    assert FILE.read_text("utf-8") == page(), "python -m tests.manual writes it anew"


@pytest.mark.parametrize("name", [n for n, c in cli.main.commands.items() if not c.hidden])
def test_each_command_and_option_is_there(name: str) -> None:
    told = FILE.read_text("utf-8").replace("\\-", "-")
    part = told.partition(f".SS sf {name} ")[2].partition("\n.S")[0]
    for param in cli.main.commands[name].params:
        for option in [o for o in param.opts if o[0] == "-" and o not in ("-V", "--version")]:
            assert option in part, option


def test_man_reads_it() -> None:
    lint = run([which("mandoc"), "-T", "lint", "-W", "warning", FILE], {})
    assert (lint.code, lint.out, lint.err) == (0, "", "")
    told = run([which("mandoc"), "-T", "utf8", FILE], {}).out
    assert "find a coding agent" in told
