"""The supported apps, by the name that `--app` takes. A new app is a module and a line here."""

from typing import TYPE_CHECKING

from . import claude_code, codex

if TYPE_CHECKING:
    from ..session import App

APPS: "dict[str, App]" = {
    claude_code.NAME: claude_code,
    codex.NAME: codex,
}
