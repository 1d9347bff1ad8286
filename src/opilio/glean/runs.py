"""Gathers the pieces of text between two block boundaries into a raw block with its anchors.

Rules: the walk appends to `parts` itself and calls `flush` at each boundary. An anchor's offsets are counted when it
opens and closes, each part once, so a paragraph of 2,000 links costs 2,000 steps. At most one anchor is open, the last
one that was opened.

Invariant: after `flush` there are no parts, and every offset in an anchor points into the text of a finished block (or
is 0 if the run was blank and made no block).
"""

from typing import Final

from .tree import Anchor, Attributes, RawBlock, Tree

_MOST_BLOCKS: Final = 100_000  # without links; the text of a page ends there
Place = tuple[int, int, int]  # tag, flags and container of the open block


class Runs:
    __slots__ = (
        "_anchors", "_anchors_before", "_blocks", "_chars", "_chars_left", "_counted", "_has_links", "_link_chars", "_tree",
        "open", "parts",
    )  # fmt: skip

    def __init__(self, tree: Tree, most_chars: int) -> None:
        self.parts: list[str] = []
        self.open: Anchor | None = None
        self._tree = tree
        self._blocks, self._anchors = tree.blocks, tree.anchors
        self._chars_left = most_chars
        self._chars = 0  # characters in the first `_counted` parts
        self._counted = 0
        self._link_chars = 0  # characters of anchors that closed in this run
        self._anchors_before = 0
        self._has_links = False  # some of this run is inside an anchor

    def flush(self, place: Place) -> None:
        """Ends a block; call it only when there are parts."""
        parts = self.parts
        raw = parts[0] if len(parts) == 1 else "".join(parts)
        parts.clear()
        size = len(raw)
        if self._has_links or size > self._chars_left or not raw or raw.isspace():
            self._end(raw, size, place)
        else:
            self._chars_left -= size
            tag, flags, container = place
            self._blocks.append(RawBlock(raw, tag, flags, container, 0))
            if len(self._blocks) >= _MOST_BLOCKS:
                self._chars_left = 0

    def _end(self, raw: str, size: int, place: Place) -> None:
        link_chars, anchor = self._link_chars, self.open
        if anchor is not None:
            link_chars += size if anchor.block < len(self._blocks) else size - anchor.start
        if size > self._chars_left:
            raw, size = raw[: self._chars_left], self._chars_left
            self._tree.truncated = True
        if raw and not raw.isspace():
            self._chars_left -= size
            self._blocks.append(RawBlock(raw, *place, min(link_chars, size)))
        else:
            self._forget_offsets()
        self._link_chars = self._chars = self._counted = 0
        self._anchors_before = len(self._anchors)
        self._has_links = anchor is not None

    def open_anchor(self, attributes: Attributes, path: str) -> None:
        if self.open is not None:
            self.close_anchor()
        self._has_links = True
        start = self._offset() if self.parts else 0
        anchor = self.open = Anchor(attributes, path, len(self._blocks), start, -1, 0, attributes.get("alt") or "")
        self._anchors.append(anchor)

    def close_anchor(self) -> None:
        anchor = self.open
        if anchor is None:
            return
        self.open = None
        number = anchor.last = len(self._blocks)
        if self.parts:
            end = anchor.end = self._offset()
            self._link_chars += end if anchor.block < number else end - anchor.start

    def _offset(self) -> int:
        """Returns the length of the parts so far."""
        parts, counted = self.parts, self._counted
        self._counted = len(parts)
        if self._counted - counted == 1:
            self._chars += len(parts[-1])
        else:
            self._chars += sum(map(len, parts[counted:]))
        return self._chars

    def _forget_offsets(self) -> None:
        number = len(self._blocks)
        for anchor in self._anchors[max(0, self._anchors_before - 1) :]:
            if anchor.block == number:
                anchor.start = 0
            if anchor.last == number:
                anchor.end = 0
