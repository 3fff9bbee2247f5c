"""What a session is called: the app's own order, and nothing in it that could act on a terminal."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases import codex, threads
from tests.cases.claude import (
    Record,
    answer,
    at,
    dump,
    generated,
    named,
    placed,
    talk,
    transcript,
    typed,
)
from tests.cases.look import assert_inert, listed, only, refused, shown
from tests.kit import uuid
from tests.warm import sf

ID = uuid(1)
CWD = "/srv/shop"
THREAD = codex.thread_id(1)

ESCAPES = {
    "colours": ("a \x1b[31mred\x1b[0m b", "a red b"),
    "screen and cursor": ("\x1b[2J\x1b[Ha\x1b[?25l\x1b[10;20Hb", "ab"),
    "window title": ("a \x1b]0;owned\x07b", "a b"),
    "window title, ended by ST": ("a \x1b]2;owned\x1b\\b", "a b"),
    "link": ("\x1b]8;;http://example.invalid\x1b\\click\x1b]8;;\x1b\\", "click"),
    "clipboard": ("a\x1b]52;c;c2YtY2FuYXJ5\x07b", "ab"),
    "one of 8 bits": ("a \x9b31mred\x9b0m b", "a red b"),
    "string of 8 bits": ("a\x9d0;owned\x9cb\x90q\x9cc", "abc"),
    "device control": ("a\x1bPq#0;2\x1b\\b", "ab"),
    "keypad, charset, reset": ("a\x1b=b\x1b(0c\x1bcd", "abcd"),
    "overwriting": ("real\x08\x08\x08\x08fake\rrow", "realfake row"),
    "bell, delete, nul": ("a\x07b\x7fc\0d", "abcd"),
    "bidi": ("a\u202etxet\u202c \u2066b\u2069\u200f\u061c", "atxet b"),
    "zero width": ("a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg", "abcdefg"),
    "filling letters": ("a\u3164b\u115f\u1160c\u034fd\uffa0e", "abcde"),
    "variations": ("a\U000e0100b\ufe00c", "abc"),
    "set aside": ("a\u2065b\ufff0c\U000e0fffd", "abcd"),
    "tags": ("a\U000e0041\U000e0042b", "ab"),
    "white space": ("a\t\n\r\n\x0b\x0c\x85\u2028 \u3000\u00a0b", "a b"),
    "unfinished": ("a\x1b[31", "a31"),
    "unfinished string": ("a\x1b]0;owned", "a"),
}


@pytest.mark.parametrize("case", ESCAPES)
def test_sequences_never_reach_the_terminal(home: Path, case: str) -> None:
    # vshulcz/deja-vu#1083: a title cleared the screen, named the window, filled the clipboard
    raw, clean = ESCAPES[case]
    records = [*talk(raw, 1, gitBranch=f"feat/{raw}"), answer(raw, 2), named(raw)]
    transcript(home, ID, CWD, records)
    codex.rollout(home, THREAD, CWD, codex.exchange(THREAD, CWD, raw))
    codex.names(home, (THREAD, raw))
    for told in listed(home):
        if case != "unfinished":
            assert told["title"] == clean
        for left_over in ("[31m", "52;c;", "]0;", "owned", "\x1b"):
            assert left_over not in f"{told['title']} {told['branch']}"
        shown(home, told["id"])
    for words in (
        ["@ids"],
        ["find", "--format", "table"],
        ["doctor"],
        ["find", "--format", "jsonl"],
    ):
        assert_inert(sf(*words, home=home).out, but="\t\n" if words == ["@ids"] else "\n")


@pytest.mark.parametrize(
    "blank", ["", " ", " \t\n ", "\u00a0\u3000", "\u200b\u200d", "\x1b[0m", "\x00"]
)
def test_blank_titles_are_none(home: Path, blank: str) -> None:
    # angristan/fast-resume#70: rows without a word
    transcript(home, uuid(1), CWD, [*talk("Write it", 1), generated(blank), named(blank)])
    transcript(home, uuid(2), CWD, talk(blank, 3))
    codex.rollout(home, THREAD, CWD, codex.exchange(THREAD, CWD, "Prompt", 6))
    codex.names(home, (THREAD, blank))
    threads.database(home, [threads.thread(THREAD, CWD, blank, name=blank, preview=blank)])
    assert [told["title"] for told in listed(home)] == ["Prompt", None, "Write it"]
    assert sf(home=home).rows[1][5] == "-"


def test_tabs_and_lines_in_every_field(home: Path) -> None:
    # mikelward/scripts#88: one entry of the picker became several
    cwd = "/srv/a\tb\nc"
    transcript(home, ID, cwd, talk("line one\nline two\tcol\r\n  three", 1, gitBranch="x\ty\nz"))
    told = only(home)
    assert (told["title"], told["branch"]) == ("line one line two col three", "x y z")
    assert told["cwd"] == cwd
    assert sf(home=home).rows[0][3] == "/srv/a\\tb\\nc"


@pytest.mark.parametrize("length", [199, 200, 201, 5_000])
def test_a_title_has_at_most_200_characters(home: Path, length: int) -> None:
    transcript(home, ID, CWD, [*talk(), named("ä" * length)])
    title = only(home)["title"]
    assert title == ("ä" * length if length <= 200 else "ä" * 199 + "…")


# --- what counts as a prompt


COMMAND = "<command-name>/clear</command-name>\n<command-message>clear</command-message>"
NO_PROMPTS: dict[str, Record] = {
    "caveat": typed("<local-command-caveat>Caveat: made here</local-command-caveat>", isMeta=True),
    "old caveat": typed("Caveat: The messages below were generated", isMeta=True),
    "command": typed(COMMAND + "\n<command-args></command-args>"),
    "output": typed("<local-command-stdout></local-command-stdout>"),
    "shell output": typed("<bash-stdout>README.md</bash-stdout><bash-stderr></bash-stderr>"),
    "skill": typed([{"type": "text", "text": "Base directory for this skill: /x"}], isMeta=True),
    "reminder": typed([{"type": "text", "text": "<system-reminder>be brief</system-reminder>"}]),
    "task": typed("<task-notification>done</task-notification>"),
    "teammate": typed('  <teammate-message from="x">hi</teammate-message>'),
    "interrupted": typed([{"type": "text", "text": "[Request interrupted by user for tool use]"}]),
    "result": typed([{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]),
    "summary": typed("This session is being continued", isCompactSummary=True),
    "helper": typed("Find the tests", isSidechain=True),
    "picture": typed([{"type": "image", "source": {"type": "base64", "data": "QUJD"}}]),
    "blank": typed(" \n "),
}


@pytest.mark.parametrize("record", NO_PROMPTS.values(), ids=NO_PROMPTS)
def test_what_the_app_puts_in_is_no_prompt(home: Path, record: Record) -> None:
    # splunk/token-meter#25: rows were named after injected text
    transcript(home, ID, CWD, [record, typed("Tidy the models", 6), answer(minute=7)])
    assert only(home)["title"] == "Tidy the models"


def test_a_prompt_behind_a_reminder(home: Path) -> None:
    blocks = ["<system-reminder>be brief</system-reminder>", "Tidy the order models"]
    said = typed([{"type": "text", "text": text} for text in blocks])
    transcript(home, ID, CWD, [said, answer()])
    assert only(home)["title"] == "Tidy the order models"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("<bash-input>ls</bash-input>", "! ls"),
        ("<bash-input>git log\n-3</bash-input>", "! git log -3"),
        (
            "<command-name>/review-pr</command-name>\n<command-args>42</command-args>",
            "/review-pr 42",
        ),
        (
            "<command-message>x</command-message>\n<command-name>/x</command-name>\n<command-args>4",
            "/x",
        ),
        (
            "<command-message>x</command-message><command-name>/x</command-name><command-args>4</command-args>",
            "/x 4",
        ),
        ("<3 this library", "<3 this library"),
        ("< b comes first", "< b comes first"),
        ("<Button> does nothing", "<Button> does nothing"),
        ("a <b> c", "a <b> c"),
        (
            '\n\n<pasted_content id="8e46">\nTrace\nfrom prod\n</pasted_content id="8e46">\n\nwhy?',
            "Trace from prod why?",
        ),
        ('see \n\n<pasted_content id="8e46">\nx\n</pasted_content id="8e46">', "see x"),
    ],
)
def test_what_a_person_typed(home: Path, text: str, title: str) -> None:
    transcript(home, ID, CWD, [typed(text), answer()])
    assert only(home)["title"] == title


def test_a_lone_command_is_better_than_nothing(home: Path) -> None:
    bare = typed("<command-name>/init</command-name>\n<command-args></command-args>")
    transcript(home, ID, CWD, [bare, answer()])
    assert only(home)["title"] == "/init"


# As 2.1.332 begins the session that follows a /clear.
CAVEAT = (
    "<local-command-caveat>The command below was run directly in Claude Code, not sent to you as a "
    "request, and its output goes straight to the user.</local-command-caveat>"
)
CLEARED: list[Record] = [
    {"type": "mode", "mode": "normal"},
    {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}, "isSnapshotUpdate": False},
    typed(CAVEAT, 5, isMeta=True, permissionMode=...),
    typed(
        "<command-name>/clear</command-name>\n            <command-message>clear</command-message>\n"
        "            <command-args></command-args>",
        5,
        permissionMode=...,
    ),
    {
        "type": "system",
        "subtype": "local_command",
        "content": "<local-command-stdout></local-command-stdout>",
    },
]


def test_what_follows_a_clear_is_a_session_once_something_is_said(home: Path) -> None:
    path = transcript(home, ID, CWD, CLEARED)
    assert listed(home, "--all") == []
    assert refused(home, ID).startswith("sf: no such session")
    with path.open("ab") as file:
        file.write(dump(placed(typed("<command-name>/init</command-name>", 6), ID, CWD)) + b"\n")
    assert only(home)["title"] == "/init"
    with path.open("ab") as file:
        file.write(dump(placed(typed("Second topic", 7), ID, CWD)) + b"\n")
    assert only(home)["title"] == "Second topic"


def test_a_cleared_session_that_goes_on_without_a_prompt(home: Path) -> None:
    transcript(home, ID, CWD, [*CLEARED, answer(minute=6)])
    assert only(home)["title"] is None


# --- which of several


def last_prompt(text: str) -> Record:
    return named(text, "last-prompt", "lastPrompt")


def summary(text: str, leaf: str) -> Record:
    return {"type": "summary", "summary": text, "leafUuid": leaf}


FIRST = typed("first prompt", 0)
ORDER: list[Record] = [
    last_prompt("last prompt"),
    summary("summed up", str(FIRST["uuid"])),
    generated("generated"),
    named("chosen"),
]
WORDS = ["first prompt", "last prompt", "summed up", "generated", "chosen"]


@pytest.mark.parametrize("count", range(5))
@pytest.mark.parametrize("step", [1, -1])
def test_the_order_of_titles(home: Path, count: int, step: int) -> None:
    transcript(home, ID, CWD, [FIRST, answer(), *ORDER[:count][::step]])
    assert only(home)["title"] == WORDS[count]


@pytest.mark.parametrize("make", [named, generated, last_prompt])
def test_the_last_of_a_kind_counts_and_a_blank_one_clears(
    home: Path, make: Callable[[str], Record]
) -> None:
    transcript(home, ID, CWD, [make("one"), *talk("prompt"), make("two")])
    assert only(home)["title"] == "two"
    transcript(home, ID, CWD, [make("one"), *talk("prompt and more"), make("two"), make("")])
    assert only(home)["title"] in ("prompt and more", "two" if make is last_prompt else None)


def test_a_summary_of_another_session_does_not_count(home: Path) -> None:
    transcript(home, ID, CWD, [summary("Of the one before", uuid(9)), *talk("Mine")])
    assert only(home)["title"] == "Mine"


def test_names_that_the_picker_does_not_show(home: Path) -> None:
    others = [{"type": "agent-name", "agentName": "x"}, {"type": "tag", "tag": "y"}]
    transcript(home, ID, CWD, [*talk("Mine"), *others])
    assert only(home)["title"] == "Mine"


# --- Codex


@pytest.mark.parametrize(
    "text",
    [
        "# AGENTS.md instructions for /srv/shop\n\n<INSTRUCTIONS>be nice</INSTRUCTIONS>",
        "<environment_context>\n  <cwd>/srv/shop</cwd>\n</environment_context>",
        "<user_instructions>be nice</user_instructions>",
        "<skill>tidy</skill>",
        "<turn_aborted>",
        "<user_shell_command>ls</user_shell_command>",
    ],
)
def test_what_codex_puts_in_is_no_prompt(home: Path, text: str) -> None:
    records = [codex.meta(THREAD, CWD), codex.item(text), codex.turn(CWD)]
    codex.rollout(home, THREAD, CWD, [*records, codex.item("Rename the field", 8)])
    told = only(home)
    assert (told["title"], told["updated"]) == ("Rename the field", at(8))


def test_what_codex_says_was_typed_is_a_prompt(home: Path) -> None:
    text = "<environment_context> is what I ask about"
    codex.rollout(home, THREAD, CWD, codex.exchange(THREAD, CWD, text))
    assert only(home)["title"] == text


def test_the_request_behind_an_editors_context(home: Path) -> None:
    text = "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nFix it\n"
    codex.rollout(home, THREAD, CWD, codex.exchange(THREAD, CWD, text))
    assert only(home)["title"] == "Fix it"


def test_a_prompt_as_an_item(home: Path) -> None:
    content = [{"type": "text", "text": "From 0.150 on"}]
    said = codex.record(
        "event_msg", 3, type="item_completed", item={"type": "UserMessage", "content": content}
    )
    codex.rollout(home, THREAD, CWD, [codex.meta(THREAD, CWD), said])
    assert only(home)["title"] == "From 0.150 on"
