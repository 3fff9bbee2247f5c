"""`python -m tests.picture`: the README's picture, made from the real picker on a real terminal.

Runs `sf demo` on a pseudo-terminal, types a word, and writes what stands on the screen as SVG.
"""

import os
import sys
import sysconfig
from html import escape
from pathlib import Path

from tests.shell.terminal import Screen, Terminal

SIZE = (27, 112)
WORDS = "shop"
SAID = "timeouts and 5xx"
CELL = (8.4, 18.0)
FONT = 'font-family="ui-monospace,Menlo,DejaVu Sans Mono,monospace" font-size="14"'
PAGE, TEXT = "#14181f", "#c8d0da"
COLOURS = {
    "black": "#3b4252",
    "red": "#e06c75",
    "green": "#98c379",
    "brown": "#e5c07b",
    "blue": "#61afef",
    "magenta": "#c678dd",
    "cyan": "#56b6c2",
    "white": "#dfe5ec",
}


def colour(name: str, otherwise: str) -> str:
    """A pyte colour as SVG takes it."""
    if name == "default":
        return otherwise
    if name in COLOURS:
        return COLOURS[name]
    return f"#{name}" if len(name) == 6 else otherwise


def runs(screen: Screen, row: int) -> list[tuple[int, str, str, str, bool]]:
    """The stretches of one look in a row: column, text, foreground, background, bold."""
    found: list[tuple[int, str, str, str, bool]] = []
    for column in range(screen.columns):
        cell = screen.buffer[row][column]
        front, back = colour(cell.fg, TEXT), colour(cell.bg, PAGE)
        if cell.reverse:
            front, back = back, front
        if found and found[-1][2:] == (front, back, cell.bold):
            start, text = found[-1][:2]
            found[-1] = (start, text + cell.data, front, back, cell.bold)
        else:
            found.append((column, cell.data, front, back, cell.bold))
    return found


def svg(screen: Screen) -> str:
    """The screen as a picture."""
    wide, high = CELL
    width, height = screen.columns * wide + 24, screen.lines * high + 24
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" {FONT}>',
        f'<rect width="100%" height="100%" rx="8" fill="{PAGE}"/>',
    ]
    for row in range(screen.lines):
        top = 12 + row * high
        for column, text, front, back, bold in runs(screen, row):
            left = 12 + column * wide
            if back != PAGE:
                box = f'x="{left:.1f}" y="{top:.1f}" width="{len(text) * wide:.1f}" height="{high}"'
                out.append(f'<rect {box} fill="{back}"/>')
            if text.strip():
                weight = ' font-weight="bold"' if bold else ""
                out.append(
                    f'<text x="{left:.1f}" y="{top + 13:.1f}" fill="{front}"{weight} '
                    f'textLength="{len(text) * wide:.1f}" xml:space="preserve">{escape(text)}</text>'
                )
    return "\n".join([*out, "</svg>", ""])


def _take(terminal: Terminal, name: str) -> None:
    terminal.settle(0.6)
    Path(__file__).with_name(name).write_text(svg(terminal.screen), encoding="utf-8")
    sys.stdout.write(terminal.text() + "\n")


def main() -> None:
    """Take both pictures and put them beside this file: of titles, and of what was said."""
    bin_folder = sysconfig.get_path("scripts")
    env = {
        "PATH": f"{bin_folder}:{os.environ['PATH']}",
        "TERM": "xterm-256color",
        "LC_ALL": "C.UTF-8",
        "SESSIDX_FZF_OPTS": "--height=100%",
    }
    with Terminal([f"{bin_folder}/sf", "demo"], env, Path.cwd(), SIZE) as terminal:
        terminal.wait(lambda: "&& c" in terminal.text(), "the preview")
        terminal.send(WORDS)
        terminal.wait(lambda: f"> {WORDS}" in terminal.text(), "what was typed")
        _take(terminal, "picker.svg")
        terminal.send("\x15\x1bs")
        terminal.wait(lambda: "said>" in terminal.text(), "what was said")
        terminal.send(SAID)
        terminal.wait(lambda: terminal.text().count(SAID) > 2, "the message")
        _take(terminal, "said.svg")
        terminal.send("\x1b")
        terminal.ended()


if __name__ == "__main__":
    main()
