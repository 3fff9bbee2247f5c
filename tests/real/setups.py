"""The other apps' CLIs: how each release is installed, and led to a stand-in for its model."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MODELS = ("mock-default", "mock-large", "mock-small")  # the first is the one that is configured
DEFAULT = MODELS[0]

# Given the home and the stand-in's URL, writes what the CLI wants to be told; its variables.
Setup = Callable[[Path, str], dict[str, str]]


@dataclass(frozen=True)
class Cli:
    """One release: the package of npm or PyPI, the recorded home, a start that allows too much."""

    app: str
    package: str
    home: str
    setup: Setup
    loose: str = ""
    dialogs: tuple[tuple[str, str], ...] = ()
    modern: bool = False  # wants Node 22
    programs: str = "node_modules/.bin"

    def install(self, base: Path) -> list[str]:
        """The folders for PATH, installed below `base` unless they are there."""
        folder = base / self.package.replace("/", "-")
        if self.package.count("=") == 2:
            if not (folder / "bin" / self.app).exists():
                _run(sys.executable, "-m", "venv", str(folder))
                _run(str(folder / "bin/pip"), "install", "-q", self.package)
            return [str(folder / "bin")]
        _npm(folder, self.package)
        paths = [str(folder / self.programs)]
        if self.modern:
            _npm(base / "node@22", "node@22")
            paths.insert(0, str(base / "node@22/node_modules/node/bin"))
        return paths


def _npm(folder: Path, package: str) -> None:
    if not (folder / "node_modules").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        quiet = ["--no-audit", "--no-fund", "--no-save", "--loglevel=error"]
        _run("npm", "install", "--prefix", str(folder), *quiet, package)


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=900)


def _put(path: Path, told: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(told if isinstance(told, str) else json.dumps(told))


def _gemini(home: Path, url: str) -> dict[str, str]:
    security = {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}}
    _put(home / ".gemini/settings.json", {"security": security})
    return {"GEMINI_API_KEY": "made-up", "GOOGLE_GEMINI_BASE_URL": url}


def _qwen(home: Path, url: str) -> dict[str, str]:
    _put(home / ".qwen/settings.json", {"security": {"auth": {"selectedType": "openai"}}})
    return {"OPENAI_API_KEY": "made-up", "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_MODEL": DEFAULT}


def _opencode(name: str) -> Setup:
    def setup(home: Path, url: str) -> dict[str, str]:
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "mock",
            "options": {"baseURL": f"{url}/v1", "apiKey": "made-up"},
            "models": {model: {"name": model} for model in MODELS},
        }
        told = {"provider": {"mock": provider}, "model": f"mock/{DEFAULT}", "autoupdate": False}
        _put(home / f".config/{name}/{name}.json", told)
        return {f"{name.upper()}_DISABLE_MODELS_FETCH": "1"}

    return setup


def _pi(home: Path, url: str) -> dict[str, str]:
    models = [{"id": model, "name": model} for model in MODELS]
    mock = {"baseUrl": f"{url}/v1", "api": "openai-completions", "apiKey": "x", "models": models}
    _put(home / ".pi/agent/models.json", {"providers": {"mock": mock}})
    told = {"defaultProvider": "mock", "defaultModel": DEFAULT}
    _put(home / ".pi/agent/settings.json", told)
    return {"PI_OFFLINE": "1"}


def _kimi(home: Path, url: str) -> dict[str, str]:
    told = [f'default_model = "{DEFAULT}"', "[providers.mock]", 'type = "openai"']
    told += [f'base_url = "{url}/v1"', 'api_key = "made-up"']
    for model in MODELS:
        told += [f'[models."{model}"]', 'provider = "mock"', f'model = "{model}"']
        told += ["max_context_size = 100000"]
    _put(home / ".kimi-code/config.toml", "\n".join(told))
    return {}


def _copilot(home: Path, url: str) -> dict[str, str]:
    _put(home / ".copilot/config.json", {"trusted_folders": [str(home)], "banner": "never"})
    keys = {"BASE_URL": f"{url}/v1", "TYPE": "openai", "API_KEY": "made-up"}
    provider = {f"COPILOT_PROVIDER_{key}": value for key, value in keys.items()}
    return provider | {"COPILOT_MODEL": DEFAULT, "COPILOT_OFFLINE": "true"}


def _grok(home: Path, url: str) -> dict[str, str]:
    told = ["[models]", f'default = "{DEFAULT}"', "[cli]", "auto_update = false"]
    for model in MODELS:
        told += [f'[model."{model}"]', f'model = "{model}"', f'base_url = "{url}/v1"']
        told += ['api_key = "made-up"', 'api_backend = "chat_completions"']
    _put(home / ".grok/config.toml", "\n".join(told))
    return {"XAI_API_KEY": "made-up"}


def _cline(home: Path, url: str) -> dict[str, str]:
    name = "openai-compatible"
    settings = {"provider": name, "apiKey": "x", "baseUrl": f"{url}/v1", "model": DEFAULT}
    mock = {"settings": settings, "updatedAt": "2026-11-30T00:00:00.000Z", "tokenSource": "manual"}
    told = {"version": 1, "lastUsedProvider": name, "providers": {name: mock}}
    _put(home / ".cline/data/settings/providers.json", told)
    return {}


def _hermes(home: Path, url: str) -> dict[str, str]:
    told = {"default": DEFAULT, "provider": "custom", "base_url": f"{url}/v1", "api_key": "x"}
    _put(home / ".hermes/config.yaml", {"model": told})  # JSON is YAML
    return {}


def _vibe(home: Path, url: str) -> dict[str, str]:
    told = [f'active_model = "{DEFAULT}"', "enable_telemetry = false", "[[providers]]"]
    told += ['name = "mock"', f'api_base = "{url}/v1"', 'api_key_env_var = "MOCK_KEY"']
    told += ['api_style = "openai"', 'backend = "generic"']
    for model in MODELS:
        told += ["[[models]]", f'name = "{model}"', 'provider = "mock"', f'alias = "{model}"']
    _put(home / ".vibe/config.toml", "\n".join(told))
    return {"MOCK_KEY": "made-up"}


def _droid(home: Path, url: str) -> dict[str, str]:
    return {"FACTORY_API_KEY": "fk-made-up"}


_KILO = "node_modules/@kilocode/cli-linux-x64/bin"
CLIS = (
    Cli("gemini", "@google/gemini-cli@0.61.0", "gemini-cli-home-0.61.0", _gemini, "gemini --yolo -m gemini-2.5-pro"),
    Cli("opencode", "opencode-ai@1.18.33", "opencode-home-1.18.33", _opencode("opencode"), "opencode --auto"),
    Cli("kilo", "@kilocode/cli-linux-x64@7.7.7", "kilo-home-7.7.7", _opencode("kilo"), "kilo --auto", programs=_KILO),
    Cli("copilot", "@github/copilot@1.0.102", "copilot-cli-home-1.0.102", _copilot, "copilot --yolo", modern=True),
    Cli("qwen", "@qwen-code/qwen-code@0.24.4", "qwen-code-home-0.24.4", _qwen, "qwen --yolo"),
    Cli("kimi", "@moonshot-ai/kimi-code@2.1.0", "kimi-code-home-2.1.0", _kimi, "kimi --auto", (("Trust this folder?", "Enter"),), modern=True),
    Cli("pi", "@earendil-works/pi-coding-agent@1.6.0", "pi-home-1.6.0", _pi, modern=True),
    Cli("grok", "@xai-official/grok@1.0.41", "grok-home-1.0.41", _grok, "grok --always-approve"),
    Cli("vibe", "mistral-vibe==3.0.2", "vibe-home-3.0.2", _vibe, "vibe --agent auto-approve"),
    Cli("cline", "cline@3.0.65", "cline-home-3.0.65", _cline, "cline --auto-approve true", (("Press Enter to open, any other key", "x"),), modern=True),
    Cli("hermes", "hermes-agent==0.19.0", "hermes-home-0.19.0", _hermes, "hermes --yolo"),
    Cli("droid", "droid@0.215.0", "droid-home-0.215.0", _droid),
)  # fmt: skip
