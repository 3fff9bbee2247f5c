"""What is installed is what the tree holds, where the shells look for it, and it starts fast."""

import importlib.util
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

import sessidx

ROOT = Path(__file__).parent.parent
DATA = f"sessidx-{sessidx.__version__}.data"
SCRIPTS = ("sf", "sessidx")


def run(*words: str | Path, cwd: Path | None = None) -> str:
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def build(tree: Path, target: str, folder: Path) -> Path:
    run(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", folder, cwd=tree)
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel in it; what it depends on comes from the running one."""
    env = tmp_path_factory.mktemp("env")
    venv.create(env, symlinks=True)
    pip = (sys.executable, "-m", "pip", "--python", env / "bin/python", "install", "--quiet")
    run(*pip, "--no-index", "--no-deps", wheel)
    (site,) = env.glob("lib/python*/site-packages")
    spec = importlib.util.find_spec("click")
    assert spec
    assert spec.origin
    (site / "dependencies.pth").write_text(os.path.dirname(os.path.dirname(spec.origin)))
    return env


def names(archive: Path) -> set[str]:
    with zipfile.ZipFile(archive) as file:
        return set(file.namelist())


def test_the_wheel_holds_every_module_and_no_script_twice(wheel: Path) -> None:
    modules = {str(path.relative_to(ROOT)) for path in ROOT.glob("sessidx/**/*.py")}
    package = {name for name in names(wheel) if name.startswith("sessidx/")}
    assert {name for name in package if not name.startswith("sessidx/_data/")} == modules


def test_the_wheel_carries_the_shell_files_beside_the_code_and_in_share(wheel: Path) -> None:
    expected = {
        "sessidx/_data/shell/sf.zsh": "shell/sf.zsh",
        "sessidx/_data/shell/sf.bash": "shell/sf.bash",
        "sessidx/_data/shell/sf.fish": "shell/sf.fish",
        "sessidx/_data/completions/_sf": "completions/_sf",
        "sessidx/_data/completions/_sf_agents": "completions/_sf_agents",
        "sessidx/_data/completions/_sf_sessions": "completions/_sf_sessions",
        "sessidx/_data/completions/sf.bash": "completions/sf.bash",
        "sessidx/_data/completions/sf.fish": "completions/sf.fish",
        f"{DATA}/data/share/sf/sf.zsh": "shell/sf.zsh",
        f"{DATA}/data/share/sf/sf.bash": "shell/sf.bash",
        f"{DATA}/data/share/sf/sf.fish": "shell/sf.fish",
        f"{DATA}/data/share/zsh/site-functions/_sf": "completions/_sf",
        f"{DATA}/data/share/zsh/site-functions/_sf_agents": "completions/_sf_agents",
        f"{DATA}/data/share/zsh/site-functions/_sf_sessions": "completions/_sf_sessions",
        f"{DATA}/data/share/man/man1/sf.1": "shell/sf.1",
        f"{DATA}/data/share/bash-completion/completions/sf": "completions/sf.bash",
        f"{DATA}/data/share/fish/vendor_completions.d/sf.fish": "completions/sf.fish",
    }
    with zipfile.ZipFile(wheel) as file:
        held = {name: file.read(name) for name in expected}
    assert held == {name: (ROOT / source).read_bytes() for name, source in expected.items()}


def test_both_console_scripts_are_the_same_program_for_pip_to_finish(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        infos = [file.getinfo(f"{DATA}/scripts/{name}") for name in SCRIPTS]
        texts = {file.read(info) for info in infos}
    sources = {(ROOT / "sessidx" / "bin" / name).read_bytes() for name in SCRIPTS}
    assert len(sources) == 1
    assert texts == {b"#!python\n" + text.partition(b"\n")[2] for text in sources}
    assert all(info.external_attr >> 16 & 0o111 for info in infos)  # pip keeps the mode as it is


def test_the_source_archive_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    archive = build(ROOT, "sdist", tmp_path / "sdist")
    run("tar", "-xf", archive, cwd=tmp_path)
    tree = tmp_path / archive.name.removesuffix(".tar.gz")
    assert names(build(tree, "wheel", tmp_path / "again")) == names(wheel)


def test_both_names_and_the_module_run(installed: Path, tmp_path: Path) -> None:
    calls: list[list[str | Path]] = [[installed / "bin" / name] for name in SCRIPTS]
    calls.append([installed / "bin/python", "-m", "sessidx"])
    answers = {run(*call, "--version", cwd=tmp_path) for call in calls}
    assert answers == {f"sf {sessidx.__version__}\n"}


def test_a_plain_call_costs_no_regular_expressions_no_click_and_no_metadata(
    installed: Path,
) -> None:
    def imported(*words: str | Path) -> set[str]:
        lines = run(installed / "bin/python", "-X", "importtime", *words).splitlines()
        return {line.rpartition("|")[2].strip() for line in lines if line.startswith("import ")}

    added = imported(installed / "bin/sf") - imported("-c", "pass")
    assert "sessidx.__main__" in added
    assert not added & {"re", "click", "importlib.metadata"}


@pytest.fixture(scope="module")
def getpip() -> ModuleType:
    spec = importlib.util.spec_from_file_location("getpip", ROOT / ".ci/getpip.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_getpip_takes_the_newest_wheel_that_this_python_can_run(getpip: ModuleType) -> None:
    page = """
    <a href="/p/pip-9.0.1-py2.py3-none-any.whl#sha256=0">pip-9.0.1-py2.py3-none-any.whl</a>
    <a href="/p/pip-24.9-py3-none-any.whl#sha256=a" data-requires-python="&gt;=3.8">…</a>
    <a href="/p/pip-24.10-py3-none-any.whl#sha256=b" data-requires-python="&gt;=3.9">…</a>
    <a href="/p/pip-24.11b1-py3-none-any.whl#sha256=c" data-requires-python="&gt;=3.9">…</a>
    <a href="/p/pip-24.12-py3-none-any.whl#sha256=d" data-yanked="broken">…</a>
    <a href="/p/pip-99.0-py3-none-any.whl#sha256=e" data-requires-python="&gt;=3.99">…</a>
    <a href="/p/pip-99.1.tar.gz#sha256=f">…</a>
    """
    name, link = getpip.newest(page)
    assert name == "pip-24.10-py3-none-any.whl"
    assert link == "/p/pip-24.10-py3-none-any.whl#sha256=b"


def test_getpip_reads_the_index_as_pip_does(
    getpip: ModuleType, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PIP_INDEX_URL", raising=False)
    (home / ".config/pip").mkdir(parents=True)
    (home / ".config/pip/pip.conf").write_text("[global]\nindex-url = https://a.example/simple\n")
    assert getpip.setting("index-url") == "https://a.example/simple"
    monkeypatch.setenv("PIP_INDEX_URL", "https://b.example/simple")
    assert getpip.setting("index-url") == "https://b.example/simple"
