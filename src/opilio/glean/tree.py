"""The parser, and what the walk collects from its tree: raw blocks, anchors, head elements. Nothing here is folded,
resolved or scored yet.
"""

from typing import Any, Final

import msgspec
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

LINE_BREAK: Final = "\u2028"  # stands in a raw block where the page breaks a line; source code breaks lines elsewhere
HREF_CHARS: Final = 4_000  # longer ones are not even resolved; scope.url_chars refuses shorter ones yet
Attributes = dict[str, str | None]


class RawBlock(msgspec.Struct, gc=False):
    """Text between two block-level tags as it is in the source; `link_chars` of its characters are inside anchors."""

    raw: str
    tag: int
    flags: int
    container: int
    link_chars: int


class Anchor(msgspec.Struct, gc=False):
    """An `a` or `area` with a href. Its text runs from `start` in block `block` to `end` in block `last`."""

    attributes: Attributes
    path: str
    block: int
    start: int
    last: int
    end: int
    alt: str


class Tree(msgspec.Struct):
    title: str = ""
    language: str = ""
    base: str = ""
    metas: list[Attributes] = []
    link_tags: list[Attributes] = []
    classes: dict[str, None] = {}  # an ordered set
    blocks: list[RawBlock] = []
    anchors: list[Anchor] = []
    containers: list[int] = msgspec.field(default_factory=lambda: [0])  # parent of each container; parents come first
    groups: set[int] = set()  # the containers that are lists or tables
    items: list[int] = []  # the block with which each list item begins
    rows: list[int] = []  # the block with which each row of a table begins
    truncated: bool = False


def parse(html: str | bytes) -> Any:
    """Returns the root node. Events are off because they make a `select` with many options quadratic; scripting is on
    because then `noscript` is one text that the walk skips, and does not push the rest of the head into the body."""
    return LexborHTMLParser(html, options=LexborDocumentOptions.WO_EVENTS, scripting=True).root


def without_scripts(root: Any) -> str:
    """Takes scripts and styles out of the tree, and returns what is left: on news sites, a fifth of the markup."""
    for node in root.css("script, style, noscript"):
        node.decompose()
    return root.html or ""
