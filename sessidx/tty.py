"""The person at the terminal: one question, one key."""

import os


def confirm(question: str) -> bool | None:
    """Ask `question` on the terminal: True for y, False for any other key, None without a terminal.

    A single key in cbreak mode. What was typed before the question is no answer, and what is typed
    on reaches no program: both are thrown away.
    """
    import termios

    from . import signals
    from .text import clean

    signals.unwind()
    try:
        fd = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        before = termios.tcgetattr(fd)
        mode = termios.tcgetattr(fd)
        mode[0] |= termios.ICRNL
        mode[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG)  # ^C is an answer: no
        termios.tcsetattr(fd, termios.TCSAFLUSH, mode)
        try:
            os.write(fd, f"sf: {clean(question)}. Resume anyway? [y/N] ".encode("utf-8", "replace"))
            key = os.read(fd, 1)
        finally:
            termios.tcsetattr(fd, termios.TCSAFLUSH, before)
        yes = key in (b"y", b"Y")
        os.write(fd, b"y\r\n" if yes else b"n\r\n")
        return yes
    except (termios.error, OSError):
        return None
    finally:
        os.close(fd)
