"""The one walk over the tree, iterative because a hostile page may nest 100,000 deep.

`run` steps from node to node; the methods below it know what a tag means. A step costs 0.15 µs before anything is
done and a page of 30 KB has 900 of them, so text is handled in the loop, and what the names of an element mean is
remembered per page.

Invariant: a character of visible text lands in exactly one raw block, unless a bound cut the page (`truncated`).
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final

from opilio.core.limits import Limits

from . import tags
from .hints import HIDDEN, hint_flags
from .preformatted import split_preformatted
from .tags import ANCHOR, BLOCK, CONTAINERS, FLAGS, KIND, KNOWN_TAGS, NAME, SKIP, TEXT
from .tree import Anchor, Attributes, RawBlock, Tree

_MOST_CLASSES: Final = 2_000
_MOST_NAMES: Final = 5_000  # a page with more pairs of class and id makes them up
_ANCHORS_PER_LINK: Final = 4  # raw anchors kept for each link that may remain after merging
_PATH_TAGS: Final = 12
_BREAK: Final = "\n"
_Names = tuple[int, str | None, str | None]  # tag, class, id
_Context = tuple[int, int, int]  # tag, flags and container of the open block


def walk(root: Any, limits: Limits) -> Tree:
    steps = _Walk(limits)
    steps.run(root)
    tree = steps.finish()
    split_preformatted(tree)
    return tree


class _Walk:
    __slots__ = (
        "_anchor", "_chars_left", "_context", "_enter", "_most_anchors", "_most_depth", "_names", "_parts", "_pending",
        "_stack", "_tree",
    )  # fmt: skip

    def __init__(self, limits: Limits) -> None:
        self._tree = Tree()
        self._parts: list[str] = []  # text since the last block boundary
        self._pending: list[Anchor] = []  # anchors that touch those parts
        self._anchor: Anchor | None = None  # the open one
        self._stack: list[tuple[Any, int, str, _Context]] = []  # node, kind, label, what to return to
        self._names: dict[_Names, tuple[str, int]] = {}  # → label, flags
        self._context: _Context = (0, 0, 0)
        self._chars_left = limits.text_chars
        self._most_depth = limits.tree_depth
        self._most_anchors = limits.links_per_page * _ANCHORS_PER_LINK
        # Indexed by kind: INLINE, BLOCK, SKIP, ANCHOR, BREAK, IMAGE, HEAD.
        self._enter: tuple[Callable[[Any, int], Any], ...] = (
            self._inline, self._block, _skip, self._link, self._line_break, self._image, self._head,
        )  # fmt: skip

    def run(self, node: Any) -> None:
        stack, parts, enter, kinds, pop = self._stack, self._parts, self._enter, KIND, self._stack.pop
        while True:
            tag = node.tag_id
            if tag == TEXT:
                text = node.text_content
                if parts or not text.isspace():  # a third of all text is the indentation of the source
                    parts.append(text)
            elif tag >= KNOWN_TAGS or (kind := kinds[tag]) != SKIP:
                child = enter[kind if tag < KNOWN_TAGS else 0](node, tag)
                if child is not None:
                    node = child
                    continue
            while (after := node.next) is None:
                node, left, _, outer = pop()
                if left == BLOCK:
                    if parts:
                        self._flush()
                    self._context = outer
                elif left:
                    self._close_anchor()
                if not stack:
                    return
            node = after

    def finish(self) -> Tree:
        self._close_anchor()
        self._flush()
        return self._tree

    # Entering: each returns the first child if the walk shall go down, after having pushed what leaving needs.

    def _inline(self, node: Any, tag: int) -> Any:
        child = node.first_child
        if child is None or len(self._stack) >= self._most_depth:
            self._tree.truncated |= child is not None
            return None
        attributes = node.attributes
        label = self._named(node, tag, attributes)[0] if attributes else NAME.get(tag) or node.tag
        self._stack.append((node, 0, label, self._context))
        return child

    def _block(self, node: Any, tag: int) -> Any:
        if self._parts:
            self._flush()
        child = node.first_child
        if child is None or len(self._stack) >= self._most_depth:
            self._tree.truncated |= child is not None
            return None
        outer = self._context
        _, flags, container = outer
        attributes = node.attributes
        if attributes:
            label, own = self._named(node, tag, attributes)
            if "style" in attributes or "hidden" in attributes:
                own |= _hidden(attributes)
        else:
            label, own = NAME[tag], FLAGS[tag]
        self._stack.append((node, BLOCK, label, outer))
        if tag in CONTAINERS:
            containers = self._tree.containers
            containers.append(container)
            container = len(containers) - 1
            if tag == tags.HTML:
                self._tree.language = attributes.get("lang") or attributes.get("xml:lang") or ""
        self._context = tag, flags | own, container
        return child

    def _link(self, node: Any, tag: int) -> Any:
        attributes = node.attributes
        tree = self._tree
        if not attributes.get("href") or len(tree.anchors) >= self._most_anchors:
            tree.truncated |= "href" in attributes and len(tree.anchors) >= self._most_anchors
            return self._inline(node, tag)
        label = self._named(node, tag, attributes)[0]
        self._close_anchor()
        path = " ".join([entry[2] for entry in self._stack[1 - _PATH_TAGS :]] + [label])
        anchor = Anchor(attributes, path, len(tree.blocks), len(self._parts), -1, 0, attributes.get("alt") or "")
        tree.anchors.append(anchor)
        self._pending.append(anchor)
        self._anchor = anchor
        child = node.first_child
        if child is None or len(self._stack) >= self._most_depth:
            self._close_anchor()
            return None
        self._stack.append((node, ANCHOR, label, self._context))
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

    def _close_anchor(self) -> None:
        anchor = self._anchor
        if anchor is not None:
            anchor.last, anchor.end = len(self._tree.blocks), len(self._parts)
            self._anchor = None

    def _flush(self) -> None:
        """Ends a block. Anchors, which remembered the number of a part, now learn their offset in the block's text."""
        parts, pending = self._parts, self._pending
        raw = parts[0] if len(parts) == 1 else "".join(parts)
        if len(raw) > self._chars_left:
            raw = raw[: self._chars_left]
            self._tree.truncated = True
        if raw and not raw.isspace():
            self._chars_left -= len(raw)
            link_chars = self._place_anchors([0, *accumulate(map(len, parts))]) if pending else 0
            tag, flags, container = self._context
            self._tree.blocks.append(RawBlock(raw, tag, flags, container, min(link_chars, len(raw))))
        elif pending:
            self._place_anchors([0] * (len(parts) + 1))
        if pending:
            self._pending = [self._anchor] if self._anchor is not None else []
        parts.clear()

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

    def _named(self, node: Any, tag: int, attributes: Attributes) -> tuple[str, int]:
        """Label and flags of an element; the first sight of a class name on the page also notes it."""
        key = (tag, attributes.get("class"), attributes.get("id"))
        return self._names.get(key) or self._learn(node, key)

    def _learn(self, node: Any, key: _Names) -> tuple[str, int]:
        tag, css_class, css_id = key[0], key[1] or "", key[2] or ""
        name = NAME.get(tag) or node.tag
        flags = FLAGS[tag] if tag < KNOWN_TAGS else 0
        if len(self._names) >= _MOST_NAMES:
            return name, flags
        classes = self._tree.classes
        classes.update(dict.fromkeys(css_class.split()[: _MOST_CLASSES - len(classes)]))
        known = self._names[key] = _label(name, css_class, css_id), flags | hint_flags(css_class, css_id)
        return known


def _skip(_node: Any, _tag: int) -> None:
    return None


def _hidden(attributes: Attributes) -> int:
    styled = "display:none" in (attributes.get("style") or "").replace(" ", "")
    return HIDDEN if styled or "hidden" in attributes else 0


@lru_cache(maxsize=16_384)
def _label(name: str, css_class: str, css_id: str) -> str:
    """Such as div#nav.menu. An id with digits names one element, not a kind of place: it is left out."""
    first = css_class.split(None, 1)[0] if css_class.strip() else ""
    known = f"#{css_id[:40]}" if css_id.replace("-", "").replace("_", "").isalpha() else ""
    return f"{name}{known}.{first[:40]}" if first else f"{name}{known}"
