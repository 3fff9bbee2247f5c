"""The model provider of a session: where what is said in it goes.

Seen with two providers (0.130, 0.140, 0.145, 0.156, 0.160, 0.171): any fork goes to the default one,
and so does a resume with a model or an effort on the line up to 0.160, and any resume up to 0.144.0.
`-c model_provider="NAME"` holds it in each. 0.171 refuses another name than the session's own, and
every release one that is no longer configured.
"""

import os

from ...plan import Refusal, at_least, is_model
from ...session import UNSEEN
from . import databases

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...plan import Plan, Wish
    from ...release import Release
    from ...session import Session

_KEY = "model_provider"
_BUILT_IN = "openai"
_MARKS = (_KEY.encode(), b"profile", b"\\u", b"\\U")  # without one of them no parser is loaded
_RESTORED = (0, 144, 5)  # by a resume without model and effort
# What an administrator sets counts before the person's or behind it (seen in 0.130 and 0.171).
_OF_THE_MACHINE = ("/etc/codex/config.toml", "/etc/codex/managed_config.toml")


def name(plan: "Plan", session: "Session", known: "Release | None", wish: "Wish") -> bool:
    """Have `plan` name the provider of `session`, unless it is the default; raises Refusal.

    False: it cannot be, so neither may the model and the effort, which would lead elsewhere.
    """
    own = session.provider
    if own and own != UNSEEN and is_model(own):
        words = (*wish.standing, *wish.arguments)
        profile = any("profile" in word or word.startswith("-p") for word in words)
        if profile or own != default(session.home) or _is_named(wish.standing):
            plan.argv += ["-c", f'{_KEY}="{own}"']
        return True
    if _is_named(wish.arguments):
        return True
    why = "is no plain name" if own and own != UNSEEN else "is not on record"
    if own and (wish.fork or not at_least(known, _RESTORED)):
        raise Refusal(
            f"the session's model provider {why}, and codex would go on with its default one: "
            f"-c '{_KEY}=\"NAME\"' behind the id names it"
        )
    if session.effort or (session.model and wish.model):
        plan.notes.append(f"the session's model provider {why}: model and effort were left out")
    return False


def _is_named(arguments: "Iterable[str]") -> bool:
    """Whether the person names a provider: the last one on a line counts."""
    before = ""
    for word in arguments:
        if before in ("-c", "--config") and word.startswith(f"{_KEY}="):
            return True
        before = word
    return False


def default(root: str) -> str | None:
    """The provider that Codex starts with by itself; None: not known.

    A profile may name another (0.130; 0.145 refuses the key). A project's own config.toml does not
    count: neither release lets it choose.
    """
    if any(map(os.path.lexists, _OF_THE_MACHINE)):
        return None
    try:
        config = databases.config(root)
    except FileNotFoundError:
        return _BUILT_IN
    except OSError:
        return None
    if not any(mark in config for mark in _MARKS):
        return _BUILT_IN
    told = databases.parsed(config)
    if told is None or "profile" in told:
        return None
    found = told.get(_KEY, _BUILT_IN)
    return found if isinstance(found, str) else None
