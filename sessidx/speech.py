"""What stands in a message's content, as most apps record it.  (pure)"""

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from typing import Any

YOU, AGENT = "you", "agent"
_WHO = {"user": YOU, "human": YOU, "assistant": AGENT, "model": AGENT, "gemini": AGENT}


def who(role: object) -> str | None:
    """Who speaks in a message of that role: a person or the agent; None for anything else."""
    return _WHO.get(role) if isinstance(role, str) else None


def words(content: "Any") -> str:
    """The text of a content: text itself, or the text blocks of a list, one a line.

    A block counts where it is of the type `text` or of none (Gemini's and Qwen's parts).
    """
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    blocks = [b for b in content if isinstance(b, dict) and b.get("type", "text") == "text"]
    return "\n".join(text for b in blocks if isinstance(text := b.get("text"), str))


def typed(text: str, injected: tuple[str, ...]) -> str:
    """`text` where a person typed it: "" where it begins with what the app itself puts there."""
    return "" if text.lstrip()[:200].startswith(injected) else text


def between(text: str, opening: str, closing: str) -> str | None:
    """What stands between the first `opening` and the last `closing` behind it; None without."""
    start = text.find(opening)
    end = text.rfind(closing)
    return text[start + len(opening) : end] if 0 <= start < end else None
