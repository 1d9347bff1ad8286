"""text/plain: blank lines separate paragraphs; there are no links, and no block counts as boilerplate."""

import re
from typing import Final

from opilio.core.items import Block

_BLANK_LINE: Final = re.compile(r"\n[ \t\f\v]*\n")


def paragraphs(text: str) -> tuple[Block, ...]:
    pieces = (piece.split() for piece in _BLANK_LINE.split(text.replace("\r\n", "\n").replace("\r", "\n")))
    return tuple(Block(" ".join(words), "p", len(words), 0.0, 0.0) for words in pieces if words)
