"""Drive one CLI once: start it in a terminal, answer its questions, send one prompt, read what it recorded, end it."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.real.model import Agent, Found, Place
from tests.real.standin import StandIn
from tests.real.terminal import Terminal, Timeout

PROMPT = "READY$"


@dataclass
class Outcome:
    """What came of one start."""

    found: Found | None = None
    reached: bool = False
    asked: list[str] = field(default_factory=list)
    refused: str = ""


def place(base: Path, programs: Path) -> Place:
    """The one made-up home at which every release runs in turn (sessions record its path), and its environment."""
    home = base / "home"
    path = os.pathsep.join([str(programs), *_node(), "/usr/local/bin", "/usr/bin", "/bin"])
    env = {
        "HOME": str(home),
        "PATH": path,
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "USER": "alex",
        "SHELL": "/bin/bash",
        "PS1": PROMPT + " ",
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "NO_PROXY": "127.0.0.1,localhost",
    }
    return Place(home, home / "code" / "shop-api", env)


def _node() -> list[str]:
    node = shutil.which("node")
    return [str(Path(node).parent)] if node else []


def run(
    agent: Agent, where: Place, standin: StandIn, cwd: Path, line: str, *, stay: bool = False
) -> Outcome:
    """Type `line` into a bash that stands in `cwd`; what the CLI recorded of a prompt sent after it.

    With `stay`, what it started in the background goes on.
    """
    token = f"note {secrets.token_hex(4)}"
    outcome = Outcome()
    screen = ""
    with Terminal(where.home.parent / f"tmux-{token[5:]}", where.env, cwd) as terminal:
        terminal.wait(lambda screen: screen.endswith(PROMPT), what="bash")
        terminal.line(line)
        try:
            screen = _settle(agent, terminal, outcome)
            if not outcome.refused:
                screen = _prompt(agent, terminal, standin, token, outcome)
                outcome.found = _recorded(agent, where, standin, token, screen)
        except Timeout as late:
            outcome.refused = str(late)
        if not outcome.refused:
            _leave(agent, terminal)
    if not stay:
        end_all(where.home)
    return outcome


def _settle(agent: Agent, terminal: Terminal, outcome: Outcome, seconds: float = 90) -> str:
    """Wait for the CLI's prompt, answering its questions; or note that it went back to the shell."""
    end = time.monotonic() + seconds
    last = ""
    while time.monotonic() < end:
        screen = terminal.screen()
        question = next(((text, keys) for text, keys in agent.dialogs if text in screen), None)
        if question and screen == last:
            if question[0] not in outcome.asked:
                outcome.asked.append(question[0])
            for key in question[1]:
                terminal.key(key)
                time.sleep(0.4)
        elif screen.endswith("\n" + PROMPT) and screen == last:
            outcome.refused = screen
            return screen
        elif agent.ready(screen) and screen == last:
            return screen
        last = screen
        time.sleep(0.5)
    raise Timeout(f"no prompt within {seconds:.0f} s; the screen was:\n{last}")


def _prompt(
    agent: Agent, terminal: Terminal, standin: StandIn, token: str, outcome: Outcome
) -> str:
    """Type the prompt until it is to be seen, send it, and wait until it reached the stand-in."""
    terminal.type(f"Please {token}")
    terminal.wait(lambda screen: token in screen, 15, "the typed prompt")
    for _ in range(4):
        time.sleep(0.3)
        terminal.key("Enter")
        end = time.monotonic() + 8
        while time.monotonic() < end:
            if standin.that_say(token):
                outcome.reached = True
                return _settle(agent, terminal, Outcome())
            time.sleep(0.1)
    raise Timeout(f"the turn did not reach the stand-in; the screen was:\n{terminal.screen()}")


def _recorded(
    agent: Agent, where: Place, standin: StandIn, token: str, screen: str
) -> Found | None:
    """What the CLI wrote of it, as soon as the answer is there too."""
    end = time.monotonic() + 15
    while time.monotonic() < end:
        found = agent.read(where, token, screen, standin)
        if found:
            return found
        time.sleep(0.2)
    return None


def _leave(agent: Agent, terminal: Terminal) -> None:
    """Quit as a person does, so that all is written."""
    for word in (agent.quit, agent.quit):
        terminal.line(word)
        try:
            terminal.wait(lambda screen: screen.endswith(PROMPT), 6, "the shell")
            return
        except Timeout:
            continue


def end_all(home: Path) -> None:
    """End what was started with this home and stayed (a CLI's background server); Linux only, elsewhere nothing."""
    mark = f"HOME={home}".encode()
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark in entry.read_bytes().split(b"\0"):
                os.kill(int(entry.parent.name), signal.SIGKILL)
        except (OSError, ValueError):
            continue
