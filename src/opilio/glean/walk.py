"""The one walk over the tree, iterative because a hostile page may nest 100,000 deep.

`run` steps from node to node; `_enter` and `_leave` know what a tag means. A step costs about 0.1 µs before we do anything, a page of
30 KB has 900 of them, so text nodes are handled in the loop and whatever can be remembered per page is.

Invariant: a character of visible text lands in exactly one raw block, unless a bound cut the page (`truncated`).
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final

from opilio.core.limits import Limits

from . import tags
from .hints import HIDDEN, hint_flags
from .tags import CONTAINERS, FLAGS, KIND, NAME, TEXT
from .tree import Anchor, Attributes, RawBlock, Tree

_MOST_CLASSES: Final = 2_000
_ANCHORS_PER_LINK: Final = 4  # raw anchors kept for each link that may remain after merging
_PATH_TAGS: Final = 12
_BREAK: Final = "\n"


def walk(root: Any, limits: Limits) -> Tree:
    steps = _Walk(limits)
    steps.run(root)
    return steps.finish()


class _Walk:
    __slots__ = (
        "_anchor", "_chars_left", "_container", "_enter", "_flags", "_kinds", "_labels", "_most_anchors", "_most_depth", "_parts",
        "_pending", "_seen_classes", "_stack", "_tag", "_tree",
    )  # fmt: skip

    def __init__(self, limits: Limits) -> None:
        self._tree = Tree()
        self._parts: list[str] = []  # text since the last block boundary
        self._pending: list[Anchor] = []  # anchors that touch those parts
        self._anchor: Anchor | None = None  # the open one
        self._stack: list[tuple[Any, int, int, int, int]] = []  # node, kind, and what to restore: tag, flags, container
        self._labels: list[str] = []
        self._tag = self._flags = self._container = 0
        self._seen_classes: set[str] = set()
        self._chars_left = limits.text_chars
        self._most_depth = limits.tree_depth
        self._most_anchors = limits.links_per_page * _ANCHORS_PER_LINK
        # Indexed by kind: INLINE, BLOCK, SKIP, ANCHOR, BREAK, IMAGE, HEAD, PRE.
        self._enter: tuple[Callable[[Any, int], Any], ...] = (
            self._inline, self._block, self._skip, self._link, self._line_break, self._image, self._head, self._block,
        )  # fmt: skip

    def run(self, node: Any) -> None:
        stack, parts, enter, kinds = self._stack, self._parts, self._enter, KIND
        while True:
            tag = node.tag_id
            if tag == TEXT:
                if self._tag in _PRE_TAGS:
                    self._preformatted(node.text_content)
                else:
                    parts.append(node.text_content)
            else:
                child = enter[kinds.get(tag, 0)](node, tag)
                if child is not None:
                    node = child
                    continue
            while (after := node.next) is None:
                if not stack:
                    return
                node = self._leave()
            if not stack:  # siblings of the root (comments) are not ours
                return
            node = after

    def finish(self) -> Tree:
        self._close_anchor()
        self._flush()
        return self._tree

    # Entering: each returns the first child if the walk shall go down, after having pushed what `_leave` needs.

    def _inline(self, node: Any, tag: int) -> Any:
        child = node.first_child
        if child is None or len(self._stack) >= self._most_depth:
            self._tree.truncated |= child is not None
            return None
        attributes = node.attributes
        self._labels.append(self._label(node, tag, attributes) if attributes else NAME.get(tag) or node.tag)
        self._stack.append((node, 0, 0, 0, 0))
        return child

    def _block(self, node: Any, tag: int) -> Any:
        if self._parts:
            self._flush()
        child = node.first_child
        if child is None or len(self._stack) >= self._most_depth:
            self._tree.truncated |= child is not None
            return None
        self._stack.append((node, 1, self._tag, self._flags, self._container))
        self._tag = tag
        flags = FLAGS.get(tag, 0)
        attributes = node.attributes
        if attributes:
            self._labels.append(self._label(node, tag, attributes))
            flags |= self._hints(tag, attributes)
        else:
            self._labels.append(NAME[tag])
        self._flags |= flags
        if tag in CONTAINERS:
            self._tree.containers.append(self._container)
            self._container = len(self._tree.containers) - 1
        return child

    def _skip(self, _node: Any, _tag: int) -> None:
        return None

    def _link(self, node: Any, tag: int) -> Any:
        attributes = node.attributes
        if not attributes.get("href"):
            return self._inline(node, tag)
        tree = self._tree
        if len(tree.anchors) >= self._most_anchors:
            tree.truncated = True
            return self._inline(node, tag)
        path = " ".join([*self._labels[1 - _PATH_TAGS :], self._label(node, tag, attributes)])
        anchor = Anchor(attributes, path, len(tree.blocks), len(self._parts), -1, 0, attributes.get("alt") or "")
        tree.anchors.append(anchor)
        self._close_anchor()
        self._pending.append(anchor)
        self._anchor = anchor
        child = self._inline(node, tag)
        if child is None:
            self._close_anchor()
        else:
            self._stack[-1] = (node, tags.ANCHOR, 0, 0, 0)
        return child

    def _line_break(self, _node: Any, _tag: int) -> None:
        """Two breaks with nothing between them are how old pages end a paragraph."""
        parts = self._parts
        if parts and (parts[-1] is _BREAK or (len(parts) > 1 and parts[-2] is _BREAK and parts[-1].isspace())):
            self._flush()
        elif parts:
            parts.append(_BREAK)

    def _image(self, node: Any, _tag: int) -> None:
        if self._anchor is not None and not self._anchor.alt:
            self._anchor.alt = node.attributes.get("alt") or ""

    def _head(self, node: Any, tag: int) -> None:
        tree = self._tree
        if tag == tags.TITLE:
            tree.title = tree.title or node.text()
        elif tag == tags.META:
            tree.metas.append(node.attributes)
        elif tag == tags.LINK:
            tree.link_tags.append(node.attributes)
        elif not tree.base:
            tree.base = node.attributes.get("href") or ""

    # Leaving and block boundaries.

    def _leave(self) -> Any:
        node, kind, tag, flags, container = self._stack.pop()
        self._labels.pop()
        if kind == tags.BLOCK:
            if self._parts:
                self._flush()
            self._tag, self._flags, self._container = tag, flags, container
        elif kind == tags.ANCHOR:
            self._close_anchor()
        return node

    def _close_anchor(self) -> None:
        anchor = self._anchor
        if anchor is not None:
            anchor.last, anchor.end = len(self._tree.blocks), len(self._parts)
            self._anchor = None

    def _flush(self) -> None:
        """Ends a block. Anchors, which remembered the number of a part, now learn their offset in the block's text."""
        raw = "".join(self._parts)
        if raw and not raw.isspace():
            if len(raw) > self._chars_left:
                raw = raw[: self._chars_left]
                self._tree.truncated = True
            self._chars_left -= len(raw)
            link_chars = self._place_anchors([0, *accumulate(map(len, self._parts))]) if self._pending else 0
            if raw:
                self._tree.blocks.append(RawBlock(raw, self._tag, self._flags, self._container, link_chars))
        elif self._pending:
            self._place_anchors([0] * (len(self._parts) + 1))
        self._pending = [self._anchor] if self._anchor is not None else []
        self._parts.clear()

    def _place_anchors(self, offsets: list[int]) -> int:
        number, link_chars = len(self._tree.blocks), 0
        for anchor in self._pending:
            start = 0
            if anchor.block == number:
                start = anchor.start = offsets[anchor.start]
            if anchor.last == number:
                anchor.end = offsets[anchor.end]
                link_chars += anchor.end - start
            else:
                link_chars += offsets[-1] - start
        return link_chars

    def _preformatted(self, text: str) -> None:
        """A blank line ends a paragraph here, and only here."""
        first, *others = text.replace("\r\n", "\n").split("\n\n")
        self._parts.append(first)
        for other in others:
            self._flush()
            self._parts.append(other)

    # Names.

    def _label(self, node: Any, tag: int, attributes: Attributes) -> str:
        css_class = attributes.get("class")
        if css_class and css_class not in self._seen_classes:
            self._note_classes(css_class)
        return _label(NAME.get(tag) or node.tag, css_class or "", attributes.get("id") or "")

    def _note_classes(self, css_class: str) -> None:
        if len(self._tree.classes) < _MOST_CLASSES:
            self._seen_classes.add(css_class)
            self._tree.classes.update(dict.fromkeys(css_class.split()))

    def _hints(self, tag: int, attributes: Attributes) -> int:
        if tag == tags.HTML:
            self._tree.language = attributes.get("lang") or attributes.get("xml:lang") or ""
        flags = hint_flags(attributes.get("class") or "", attributes.get("id") or "")
        if "hidden" in attributes or "display:none" in (attributes.get("style") or "").replace(" ", ""):
            flags |= HIDDEN
        return flags


_PRE_TAGS: Final = frozenset(tag for tag, kind in KIND.items() if kind == tags.PRE)


@lru_cache(maxsize=16_384)
def _label(name: str, css_class: str, css_id: str) -> str:
    """An id with digits names one page's element, not a kind of place: it is left out."""
    first = css_class.split(None, 1)[0] if css_class.strip() else ""
    known = (
        f"#{css_id[:40]}"
        if css_id and css_id.isascii() and not any(map(str.isdigit, css_id)) and " " not in css_id
        else ""
    )
    return f"{name}{known}.{first[:40]}" if first else f"{name}{known}"
