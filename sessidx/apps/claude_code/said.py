"""What is said in a Claude Code transcript, and the lines that may hold it: the one place that decides.

Seen in 1.0.128, 2.0.76, 2.1.112 and 2.1.332. A person's words stand in user records, but also: beside
the result of a tool they allowed (2.1.112), inside the result of one they refused, in the answers to
its questions, and, typed while the agent worked, in an attachment (in 2.0.76 nowhere else than in the
queue). Requests and the queue (`api-request-blob`, `queue-operation`) only repeat.
"""

from ... import times

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...session import Message, Record

# 2.1.332 wraps what is pasted; it belongs to the prompt.
_PASTED, _PASTED_END = '<pasted_content id="', '\n</pasted_content id="'
_HEX = frozenset("0123456789abcdef")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_NAME = _LETTERS | frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_LONGEST = 100  # characters of an id or a tag's name
_REFUSED = "The user doesn't want to proceed with this tool use."
_INSTEAD = "the user said:\n"
_PERSONS = ("human", "channel")  # whose prompts are a person's, where the record tells that

_CONTENT = b'"content":'
_NEAR = 1024
# How the content of a record begins that holds no words, or none but behind its first block.
_WORDLESS = frozenset(
    (
        b'[{"type":"thi',  # thinking
        b'[{"type":"red',  # redacted_thinking
        b'[{"type":"ser',  # server_tool_use
        b'[{"type":"too',  # tool_use, tool_result
        b'[{"tool_use_i',
    )
)
_OPENING = len(next(iter(_WORDLESS)))
_RESULT = b'[{"type":"tool_result","content":"'
_REPLIES = (b"The user ", b"User has answered")
_TEXT = b',{"type":"text"'


def may_hold(data: bytes, start: int, end: int) -> bool:
    """Whether the line `data[start:end]` may hold something said; only what is known is left out."""
    at = data.find(_CONTENT, start, end if end - start < _NEAR else start + _NEAR)
    if at < 0:
        return _may_hold_far(data, start, end)
    if data[at + 10 : at + 10 + _OPENING] in _WORDLESS:
        if data.startswith(_RESULT, at + 10) and data.startswith(_REPLIES, at + 10 + len(_RESULT)):
            return True
        # As quick as it gets: rfind looks at every tenth byte.
        return data.rfind(_TEXT, at, end) >= 0
    return not data.startswith(b'{"type":"', start) or _is_talk(data, start)


def _may_hold_far(data: bytes, start: int, end: int) -> bool:
    """The same of a line in whose first 1 KiB there is no content."""
    kind = data.find(b'"attachment"', start, min(end, start + 160))
    if kind >= 0:
        return data.find(b'"queued_command"', kind, min(end, kind + 48)) >= 0
    if end - start <= _NEAR or (data.startswith(b'{"type":"', start) and not _is_talk(data, start)):
        return False
    at = data.find(_CONTENT, start + _NEAR - len(_CONTENT), end)
    if at < 0 or data[at + 10 : at + 10 + _OPENING] not in _WORDLESS:
        return at >= 0
    return data.startswith(_RESULT, at + 10) or data.rfind(_TEXT, at, end) >= 0


def _is_talk(data: bytes, start: int) -> bool:
    return data.startswith((b'user"', b'assistant"', b'attachment"', b'system"'), start + 9)


def messages(record: "Record") -> "list[Message]":
    """What is said in a record: who says it, when (ISO 8601, UTC; None: not told) and the words."""
    if record.get("isSidechain") is True:
        return []
    who = "you"
    if kind(record) == "assistant":
        who, words = "agent", _answer(record)
    elif kind(record) == "user":
        words = "\n".join(filter(None, _typed(record)))
    else:
        words = "\n".join(filter(None, _typed_aside(record)))
    return [(who, times.canonical(record.get("timestamp")), words)] if words.strip() else []


def kind(record: "Record") -> str | None:
    """`user` or `assistant` for a record of the conversation, else None."""
    found = record.get("type")
    if record.get("capped") and found not in ("user", "assistant"):
        found = record.get("role")
    return found if found in ("user", "assistant") else None


def texts(record: "Record") -> "Iterator[str]":
    """The text blocks of a user record that could be a prompt."""
    if kind(record) != "user" or _is_injected(record):
        return
    if record.get("capped"):
        if record.get("role") == "user" and "tool_use_id" not in record:
            yield str(record.get("text") or "")
        return
    yield from _text_blocks(record)


def words(text: str) -> str:
    """What the person typed of a text block, with its lines; "" when it is anything else.

    A slash command counts with its arguments alone.
    """
    if _PASTED in text:
        text = _unwrapped(text)
    begun = text.lstrip()
    if begun.startswith("<bash-input>"):
        return "! " + _inside(begun, "bash-input")
    if told := command(begun):
        return told if " " in told else ""
    if _opens_with_a_tag(begun) or begun.startswith("[Request interrupted by user"):
        return ""
    return text


def command(text: str) -> str:
    """A slash command with its arguments, from the tags it is recorded in; "" for none."""
    if not text.lstrip().startswith("<command-"):
        return ""
    name = _inside(text, "command-name").strip()
    if not name or "<" in name:
        return ""
    return f"{name} {_inside(text, 'command-args')}".strip()


def _inside(text: str, tag: str) -> str:
    """What stands in the first `tag` of `text`."""
    inside, closed, _ = text.partition(f"<{tag}>")[2].partition(f"</{tag}>")
    return inside if closed else ""


def _opens_with_a_tag(text: str) -> bool:
    """Whether it begins with a tag as the CLI's own texts do: `<name>`, `<name …` or `<name/`."""
    name = text[1:_LONGEST]
    if text[:1] != "<" or name[:1] not in _LETTERS:
        return False
    end = next((at for at, char in enumerate(name) if char not in _NAME), _LONGEST)
    return name[end : end + 1] in (" ", ">", "/")


def _unwrapped(text: str) -> str:
    """`text` with what was pasted on lines of its own in the place of its tags.

    Whatever it is, no part of it is looked at twice.
    """
    parts = []
    at = close = 0  # what is done with, and where the next end of something pasted stands
    while (opening := text.find(_PASTED, at)) >= 0:
        body = _behind_id(text, opening + len(_PASTED)) + 1
        if close < body:
            close = _end_of_pasted(text, body)
        if not body or not text.startswith("\n", body - 1) or close == len(text):
            parts.append(text[at : opening + 1])
            at = opening + 1
            continue
        before = text[at:opening].removesuffix("\n").removesuffix("\n")
        parts += [before, "\n", text[body:close], "\n"]
        at = _behind_id(text, close + len(_PASTED_END))
        at += len(text[at : at + 2]) - len(text[at : at + 2].lstrip("\n"))
    return "".join((*parts, text[at:]))


def _end_of_pasted(text: str, at: int) -> int:
    """Where the next end tag from `at` on begins, with its line break; the end of `text` for none."""
    while (at := text.find(_PASTED_END, at)) >= 0:
        if _behind_id(text, at + len(_PASTED_END)) >= 0:
            return at
        at += 1
    return len(text)


def _behind_id(text: str, at: int) -> int:
    """Behind the `">` of the tag whose id begins at `at`; -1 where that is none."""
    end = text.find('"', at, at + _LONGEST)
    if end <= at or text[end + 1 : end + 2] != ">" or not _HEX.issuperset(text[at:end]):
        return -1
    return end + 2


def _is_injected(record: "Record") -> bool:
    return any(record.get(key) is True for key in ("isMeta", "isCompactSummary", "isSidechain"))


def _content(record: "Record") -> object:
    message = record.get("message")
    return message.get("content") if isinstance(message, dict) else None


def _blocks(record: "Record") -> "Iterator[Record]":
    content = _content(record)
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict):
            yield block


def _text_blocks(record: "Record") -> "Iterator[str]":
    content = _content(record)
    if isinstance(content, str):
        yield content
    for block in _blocks(record):
        if block.get("type") == "text" and isinstance(block.get("text"), str):
            yield block["text"]


def _answer(record: "Record") -> str:
    """The words of an answer; what the CLI puts there itself is none ("No response requested.")."""
    message = record.get("message")
    if record.get("capped"):
        return str(record.get("text") or "")
    if isinstance(message, dict) and message.get("model") == "<synthetic>":
        return ""
    return "\n".join(_text_blocks(record))


def _typed(record: "Record") -> "Iterator[str]":
    """What the person typed in a user record, and where it was recorded as a tool's result."""
    if _is_injected(record) or not _is_persons(record):
        return
    for text in texts(record):
        yield words(text)
    for block in _blocks(record):
        if block.get("type") == "tool_result":
            yield _refusal(block)
            yield from _replies(record.get("toolUseResult"))


def _is_persons(record: "Record") -> bool:
    origin = record.get("origin")
    return not isinstance(origin, dict) or origin.get("kind") in (None, *_PERSONS)


def _refusal(result: "Record") -> str:
    """What the person said as they refused a tool, else ""."""
    content = result.get("content")
    if result.get("is_error") is not True or not isinstance(content, str):
        return ""
    return content.partition(_INSTEAD)[2] if content.startswith(_REFUSED) else ""


def _replies(result: object) -> "Iterator[str]":
    """The answers to the agent's questions that the person typed: no option offered them."""
    answers = result.get("answers") if isinstance(result, dict) else None
    if not isinstance(result, dict) or not isinstance(answers, dict):
        return
    asked = result.get("questions")
    offered = {
        option.get("label")
        for question in (asked if isinstance(asked, list) else [])
        if isinstance(question, dict) and isinstance(question.get("options"), list)
        for option in question["options"]
        if isinstance(option, dict) and isinstance(option.get("label"), str)
    }
    for answer in answers.values():
        if isinstance(answer, str) and answer not in offered:
            yield answer


def _typed_aside(record: "Record") -> "Iterator[str]":
    """What the person typed while the agent worked, and commands that only the CLI acts on."""
    attachment = record.get("attachment")
    if record.get("type") == "system" and isinstance(record.get("content"), str):
        told = command(record["content"])
        yield told if " " in told else ""
    elif isinstance(attachment, dict) and _is_queued_prompt(attachment):
        for text in _text_blocks({"message": {"content": attachment.get("prompt")}}):
            yield words(text)


def _is_queued_prompt(attachment: "Record") -> bool:
    mode = attachment.get("commandMode", "prompt")
    return (attachment.get("type"), mode) == ("queued_command", "prompt") and _is_persons(
        attachment
    )
