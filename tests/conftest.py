"""What every test gets: a home of its own, and nothing from outside that sf, an agent or fzf reads."""

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

FOREIGN = ("CLAUDE", "CODEX_", "FZF_", "NO_COLOR", "SESSIDX_", "XDG_", "PYTHONDONTWRITEBYTECODE")


@pytest.fixture(scope="session", autouse=True)
def _clean_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(FOREIGN)]:
            patch.delenv(name)
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home folder of this test, empty."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failure that shows a folder's odd bytes is still text that a worker can hand over."""
    report = yield
    if report.failed and not str(report.longrepr).isascii():
        report.longrepr = str(report.longrepr).encode("utf-8", "backslashreplace").decode()
    return report
