"""The supported apps, by the name that `--app` takes. A new app is a module and a line here."""

from . import claude_code, codex

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ..session import App

APPS: "dict[str, App]" = {
    claude_code.NAME: claude_code,
    codex.NAME: codex,
}
