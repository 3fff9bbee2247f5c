"""Who may import whom: the house as a reader finds it from the list of its files."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit import ROOT

HOUSE = ROOT / "sessidx"
MODULES = sorted(HOUSE.rglob("*.py"))
PURE = ("header", "query", "rows", "times")  # told all they need, so they open nothing
NETWORK = {"socket", "ssl", "urllib", "http", "asyncio", "ftplib", "smtplib", "socketserver"}
# Where programs are started: fzf and a CLI that is asked for its release by posix_spawn and the like.
STARTS = {"clipboard", "fzf", "release", "trial", "said.source"}
# Of the apps those that keep their sessions in the same way.
SHARED = {("kilo", "opencode")}


def name(path: Path) -> str:
    return ".".join(path.relative_to(HOUSE).with_suffix("").parts).removesuffix(".__init__")


def imported(path: Path) -> Iterator[str]:
    """What a module imports at any depth, less what only a type checker does; ours as `sessidx.x`."""
    tree = ast.parse(path.read_text("utf-8"))
    typing = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and getattr(block.test, "id", "") == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    package = ["sessidx", *path.relative_to(HOUSE).parent.parts]
    for node in ast.walk(tree):
        if id(node) in typing:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*up, *filter(None, [node.module])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


GRAPH = {name(path): set(imported(path)) for path in MODULES}


def users(*modules: str) -> set[str]:
    """The modules that import one of these, or something of it."""
    return {
        user
        for user, told in GRAPH.items()
        if any(t == m or t.startswith(f"{m}.") for t in told for m in modules)
    }


def test_click_is_for_the_commands_alone() -> None:
    assert users("click") == {
        "cli",
        "cli_options",
        "spread",
    }  # the last for its bar, when it is slow
    assert users("sessidx.cli") <= {"__main__"}
    assert users("sessidx.cli_options") == {"cli"}


def test_nothing_opens_a_connection() -> None:
    assert users(*NETWORK) == set()


def test_few_start_a_program() -> None:
    assert users("subprocess") <= STARTS
    spawning = {
        name(p) for p in MODULES if ".posix_spawn" in p.read_text() or "os.exec" in p.read_text()
    }
    assert spawning <= STARTS | {"resume"}


@pytest.mark.parametrize("module", PURE)
def test_a_pure_module_opens_nothing(module: str) -> None:
    assert not {"os", "io", "pathlib", "sessidx.files", "sessidx.paths"} & GRAPH[module]


def test_an_app_is_known_to_the_table_alone() -> None:
    apps = {path.stem if path.is_file() else path.name for path in (HOUSE / "apps").iterdir()}
    apps -= {"__init__", "__pycache__"}
    for app in apps:
        outside = {u for u in users(f"sessidx.apps.{app}") if u.split(".")[:2] != ["apps", app]}
        assert outside <= {f"apps.{by}" for by, of in SHARED if of == app}, app


def test_a_reader_of_databases_knows_none_of_the_house() -> None:
    for module, told in GRAPH.items():
        if module.partition(".")[0] == "sqlite":
            ours = {
                t for t in told if t.startswith("sessidx.") and not t.startswith("sessidx.sqlite")
            }
            assert ours <= {"sessidx.files", "sessidx.text"} | {
                t for t in ours if t.startswith(("sessidx.files.", "sessidx.text."))
            }, module


def test_modules_stay_small() -> None:
    lines = {name(path): len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert {module for module, count in lines.items() if count > 330} == set()
