"""The prose of a text: what is surely its author's running text, and nothing that stands beside it.

Judges and leads go by the prose, and the corpus has the whole text. Menus of pages that are hardly more than lists of links, and
remarks that lead elsewhere ("read this in German: …") say what other pages are about, and would speak for this one.

In the prose each block is a line, and so is each cell of a table, because a row is not a sentence.
"""

from collections.abc import Sequence

from .items import TextBlock


def prose_of(text: str, blocks: Sequence[TextBlock]) -> str:
    """Returns the prose of a text that consists of these blocks. A text without blocks, such as that of an older document, is
    prose."""
    if not blocks:
        return text
    return "\n".join([_line(block.kind, text[block.start : block.end]) for block in blocks if not block.aside])


def _line(kind: str, text: str) -> str:
    return text.replace("\t", "\n") if kind == "tr" else text.replace("\n", " ")
