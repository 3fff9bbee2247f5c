"""What the person typed first in a Codex rollout; the app's own additions are no prompts."""

from ...text import one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ...session import Record
    from ...transcript import Transcript

REQUEST = "## My request for Codex:"  # an editor puts its own context before it
_EVENTS = (b'"user_message"', b'"UserMessage"')
_ITEMS = (b'"user"',)
# What Codex itself puts into the conversation as the user's (read in its source, core/src/context).
_INJECTED = (
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions for ",
    "<skill>",
    "<skills_instructions>",
    "<user_shell_command>",
    "<turn_aborted>",
    "<subagent_notification>",
    "<codex_internal_context",
    "<goal_context>",
    "<hook_prompt",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<apps_instructions>",
    "<plugins_instructions>",
    "<realtime_conversation>",
    "<multi_agent_mode>",
    "<image",
    "Warning: apply_patch was requested via",
    "Warning: The maximum number of unified exec",
    "Warning: Your account was flagged",
)


def first_prompt(transcript: "Transcript") -> str | None:
    """The first text that the person typed, from the head, else from the tail.

    An event that says so is authoritative (a person may well type `<environment_context>`); only
    a rollout without one is asked for the first message that nothing injected.
    """
    return transcript.opening(_EVENTS, event) or transcript.opening(_ITEMS, _message)


def event(record: "Record") -> str | None:
    """The words of a user_message event, or of a completed UserMessage item (0.150 and later)."""
    payload = record.get("payload")
    if record.get("capped"):
        return request(record.get("text"))
    if record.get("type") != "event_msg" or not isinstance(payload, dict):
        return None
    if payload.get("type") == "user_message":
        return request(payload.get("message"))
    item = payload.get("item")
    if isinstance(item, dict) and item.get("type") == "UserMessage":
        return _texts(item.get("content"))
    return None


def _message(record: "Record") -> str | None:
    payload = record.get("payload")
    if record.get("type") != "response_item" or not isinstance(payload, dict):
        return None
    if payload.get("type") != "message" or payload.get("role") != "user":
        return None
    return _texts(payload.get("content"), injected=_INJECTED)


def _texts(content: object, injected: tuple[str, ...] = ()) -> str | None:
    if not isinstance(content, list):
        return None
    for part in content:
        text = part.get("text") if isinstance(part, dict) else None
        if not isinstance(text, str) or (injected and text.lstrip().startswith(injected)):
            continue
        if words := request(text):
            return words
    return None


def request(text: object) -> str | None:
    """`text` as a title, without what an editor puts before the request."""
    if not isinstance(text, str):
        return None
    return one_line(text.partition(REQUEST)[2]) or one_line(text)
