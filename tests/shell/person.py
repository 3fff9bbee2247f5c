"""A person at a shell's prompt, in the steps that the tests are told in."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable

from . import rc
from .terminal import Terminal
from .world import World

CTRL_C, CTRL_G, CTRL_U, CTRL_Z, ENTER, ESC, TAB, UP = (
    "\x03",
    "\x07",
    "\x15",
    "\x1a",
    "\r",
    "\x1b",
    "\t",
    "\x1b[A",
)


class Person:
    """Types at one shell and knows what to wait for; use it as a context manager."""

    def __init__(
        self,
        world: World,
        vi: bool = False,
        before: str = "",
        after: str = "",
        load: str | None = None,
    ) -> None:
        self.world = world
        self.vi = vi
        argv = rc.write(world, vi, before, after, load)
        self.prompt = ""
        kinds = ("fzf", "agent", "continued", "prompt")
        self._seen = {kind: len(world.events(kind)) for kind in kinds}
        self.terminal = Terminal(argv, world.env, world.root)

    def __enter__(self) -> Person:
        try:
            self.at_prompt()
        except AssertionError:
            self.terminal.__exit__()
            raise
        return self

    def __exit__(self, *_exc: object) -> None:
        self.terminal.__exit__()

    # What is waited for

    def wait(self, true: Callable[[], object], what: str) -> None:
        """Wait, with the journal in the report of a failure."""
        try:
            self.terminal.wait(true, what)
        except AssertionError as error:
            raise AssertionError(f"{error}\njournal {self.world.journal.read_bytes()!r}") from None

    def next(self, kind: str) -> list[str]:
        """The journal's next record of that kind, once it is there."""
        index = self._seen[kind]
        self.wait(lambda: len(self.world.events(kind)) > index, f"{kind} {index + 1}")
        self._seen[kind] = index + 1
        return self.world.events(kind)[index]

    def at_prompt(self) -> tuple[int, str]:
        """The next prompt is drawn: the status that it shows and the folder."""
        number, status, folder = self.next("prompt")
        self.prompt = f"[{number}:{status}]>"
        self.shows(self.prompt)
        return int(status), folder

    def ended(self) -> None:
        """The shell has come to its end, its history written."""
        self.terminal.ended()

    def shows(self, text: str) -> None:
        """The text comes to stand on the screen."""
        self.wait(lambda: text in self.terminal.text(), f"{text!r} on the screen")

    def typed(self) -> str:
        """What stands after the prompt."""
        return self.terminal.from_last(self.prompt).partition(self.prompt)[2].strip()

    def has_typed(self, text: str) -> None:
        """The line being typed comes to be this."""
        self.wait(lambda: self.typed() == text, f"the typed line {text!r}, now {self.typed()!r}")

    def has_typed_line(self, text: str) -> None:
        """The line being typed is this, whatever stands below it."""
        self.wait(
            lambda: f"{self.prompt} {text}\n" in self.terminal.text() + "\n", f"the line {text!r}"
        )

    # What is done

    def types(self, text: str) -> None:
        """Type part of a line and see it."""
        self.terminal.send(text)
        self.has_typed(text.rstrip(" "))

    def enters(self, line: str) -> None:
        """Type a whole line."""
        self.types(line)
        self.terminal.send(ENTER)

    def runs(self, line: str) -> int:
        """Type a line and wait for the prompt after it; its status."""
        self.enters(line)
        return self.at_prompt()[0]

    def clears(self) -> None:
        """Throw away what is typed; a Ctrl-C while another program is ending goes to that one."""
        fish, before = self.world.shell == "fish", len(self.world.events("prompt"))

        def cleared() -> bool:  # fish draws no new prompt
            return self.typed() == "" if fish else len(self.world.events("prompt")) > before

        for _ in range(3):
            self.terminal.send(CTRL_C)  # in zsh's vi mode Ctrl-U spares what was there before
            with contextlib.suppress(AssertionError):
                self.terminal.wait(cleared, "an empty line", 8)
                break
        if not fish:
            self.at_prompt()
        self.has_typed("")

    def to_command_mode(self) -> None:
        """In vi mode: leave the insert mode and see that it is left."""
        marks = {"bash": "(command)", "fish": "(default)"}
        self.terminal.send(ESC)
        if self.world.shell == "zsh":
            self.wait(lambda: ["vicmd"] in self.world.events("mode"), "zsh in command mode")
        else:
            self.shows(marks[self.world.shell])

    def recalls(self, beginning: str) -> None:
        """Go up in the history to a line; each press is waited for, fish may still be reading."""
        for _ in range(8):
            self.terminal.send(UP)
            with contextlib.suppress(AssertionError):
                self.terminal.wait(lambda: self.typed().startswith(beginning), beginning, 3)
                return
        raise AssertionError(f"{beginning!r} is not in the history\n{self.terminal.dump()}")

    def opens(self, key: str = CTRL_G) -> None:
        """Press the key and see the list."""
        self.terminal.send(key)
        self.sees_list()

    def sees_list(self) -> None:
        """fzf has loaded and drawn it, and takes keys."""
        assert self.next("fzf") == ["load"]
        self.wait(self.terminal.is_raw, "fzf at the keys")
        self.wait(lambda: re.search(r"\d+/\d+", self.terminal.text()), "a list")

    def leaves(self, key: str = ESC) -> None:
        """Leave the list without a choice."""
        self.terminal.send(key)
        assert self.next("fzf") == ["exit", "130"]

    def picks(self, query: str, title: str) -> None:
        """Search in the open list and take the only match."""
        self.terminal.send(query)
        self.wait(lambda: re.search(r"\b1/\d+", self.terminal.text()), "one match left")
        self.shows(title)
        self.terminal.send(ENTER)
        assert self.next("fzf") == ["exit", "0"]

    def in_agent(self) -> dict[str, object]:
        """The agent has started: how."""
        self.next("agent")
        self.shows("READY")
        return self.world.agents()[-1]

    def continues_agent(self) -> None:
        """Bring the suspended agent back, and see that the keys go to it."""
        self.enters("fg")
        self.next("continued")
        group = self.world.agents()[-1]["group"]
        self.wait(lambda: self.terminal.foreground() == group, "the agent in the foreground")
        self.wait(lambda: not self.terminal.is_raw(), "the modes of the agent")

    def ends_agent(self, status: int) -> None:
        """Make the agent exit with that status."""
        self.terminal.send(f"exit {status}{ENTER}")
