"""The story of a URL for the terminal: the steps, then commands that can be copied.

Rule: a command that is too long for a line goes on after a backslash, as in a shell.
"""

import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from .labelled import fill, labelled_lines, wrap
from .tables import printable

_NEXT: Final = "next"
_MARGIN: Final = "  "
_CONTINUED: Final = " \\"


def why_lines(steps: Sequence[tuple[str, str]], width: int) -> Iterator[Text]:
    story = [step for step in steps if step[0] != _NEXT]
    yield from labelled_lines(story, width, bold="verdict")
    if len(story) < len(steps):
        yield Text("\nNext steps:")
    for heading, words in steps:
        if heading == _NEXT:
            yield from (Text(_MARGIN + line) for line in _command(printable(words), width - len(_MARGIN)))


def _command(words: str, width: int) -> Iterator[str]:
    """Puts the comment on a line of its own if there is not enough room beside the command."""
    if cell_len(words) <= width:
        yield words
        return
    command, _, comment = words.rpartition("  # ")
    yield from wrap(f"# {comment}", width)
    *lines, last = fill(map(shlex.quote, shlex.split(command)), width - len(_CONTINUED))
    yield from (line + _CONTINUED for line in lines)
    yield last
