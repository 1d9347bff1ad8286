"""A document as Markdown: what its blocks say of headings, items, rows and preformatted text becomes marks.

Rule: the words are those of the text. A line that would be taken for a mark gets a backslash.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import msgspec

from opilio.core.items import Record, TextBlock

_LOOKS_MARKED: Final = re.compile(r"(?=#{1,6}\s|>|[-+*]\s|```|\|)")
_LOOKS_NUMBERED: Final = re.compile(r"(\d{1,9})([.)]\s)")
_CLOSE: Final = frozenset(
    {("li", "li"), ("tr", "tr"), ("dt", "dd"), ("dd", "dd")}
)  # kinds without a blank line between them
_FENCE: Final = "```"


def as_markdown(record: Record) -> str:
    """Returns the document with its URL, title and language in front, as many tools expect them."""
    facts = {"url": record.url, "title": record.title, "language": record.language}
    front = "".join(f"{name}: {msgspec.json.encode(value).decode()}\n" for name, value in facts.items() if value)
    return f"---\n{front}---\n\n{marked(record.text, record.blocks)}\n"


def marked(text: str, blocks: Sequence[TextBlock]) -> str:
    """Returns the text with marks. Without blocks, each line is a paragraph."""
    if not blocks:
        return "\n\n".join(map(_plain, text.split("\n")))
    parts = []
    for before, block in pairwise([None, *blocks]):
        assert block is not None
        kinds = (before.kind if before else "", block.kind)
        if before:
            parts.append("\n" if kinds in _CLOSE else "\n\n")
        parts.append(_mark(block.kind, text[block.start : block.end], first=kinds[0] != kinds[1]))
    return "".join(parts)


def _mark(kind: str, text: str, *, first: bool) -> str:
    if kind[0] == "h":
        return f"{'#' * int(kind[1])} {' '.join(text.split())}"
    if kind == "pre":
        fence = _FENCE if _FENCE not in text else "~~~~"
        return f"{fence}\n{text}\n{fence}"
    if kind == "tr":
        return _row(text, first=first)
    lines = text.split("\n")
    if kind == "li":
        return "- " + "\n  ".join(lines)
    if kind == "quote":
        return "> " + "\n> ".join(lines)
    if kind == "dt":
        return f"**{' '.join(lines)}**"
    return f": {' '.join(lines)}" if kind == "dd" else "  \n".join(map(_plain, lines))


def _row(text: str, *, first: bool) -> str:
    cells = [" ".join(cell.split()).replace("|", "\\|") for cell in text.split("\t")]
    row = f"| {' | '.join(cells)} |"
    return f"{row}\n|{' --- |' * len(cells)}" if first else row


def _plain(line: str) -> str:
    if _LOOKS_NUMBERED.match(line):
        return _LOOKS_NUMBERED.sub(r"\1\\\2", line, count=1)
    return f"\\{line}" if _LOOKS_MARKED.match(line) else line
