"""One key from a terminal, without Enter; or the first letter of the next line where standard input is not a terminal."""

import os
import sys


def read_key() -> str:
    """Returns a lower-case letter, or "" at the end of the input."""
    if not sys.stdin.isatty():
        line = sys.stdin.readline()
        return line.strip()[:1].lower() or (line and " ")
    import termios
    import tty

    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number)  # Ctrl-C still interrupts
        return _key(os.read(number, 64))
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)


def _key(read: bytes) -> str:
    """Takes the first character. An arrow key sends several, and means nothing here; Ctrl-D ends the input."""
    text = read.decode("utf-8", "replace")
    return "" if text == "\x04" else text[:1].lower() if text.isprintable() else " "
