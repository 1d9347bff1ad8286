"""The one walk over the tree, iterative because a hostile page may nest 100,000 deep.

Stepping through a page of 37 KB and 1,100 nodes and reading its texts costs 0.17 ms, the walk as a whole 0.58. With a
method for each kind of element it was 0.73, so `_run` is one long function that handles text, blocks, inline elements
and links; only what happens at most once per block or link has a function of its own.

Invariant: each character of visible text is in exactly one raw block, unless a bound cut the page (`truncated`).
"""

from functools import lru_cache
from typing import Any, Final

from opilio.core.limits import Limits

from . import tags
from .names import Vocabulary
from .preformatted import split_preformatted
from .runs import Place, Runs
from .table_rows import join_cells
from .tags import (
    ANCHOR,
    BLOCK,
    BREAK,
    CONTAINERS,
    FLAGS,
    GROUPS,
    HEAD,
    IMAGE,
    INLINE,
    KIND,
    KNOWN_TAGS,
    NAME,
    PAGE_TAGS,
    SKIP,
    TEXT,
)
from .tree import HREF_CHARS, LINE_BREAK, Attributes, Tree

_ANCHORS_PER_LINK: Final = 4  # raw anchors kept for each link that a page may have: several merge into one
_PATH_TAGS: Final = 12
_MOST_HEAD_TAGS: Final = 500  # of a kind; the pages of a large corpus have up to 200
_TITLE_CHARS: Final = 4_000
_STYLE_CHARS: Final = 1_000
_UNSEEN_STYLES: Final = ("display:none", "visibility:hidden")


def walk(root: Any, limits: Limits, *, paths: bool = True) -> Tree:
    """Reads the tree. If `paths` is false, anchors do not say where in it they are, which saves a join for each."""
    tree = Tree()
    _run(root, tree, limits, paths)
    split_preformatted(tree)
    join_cells(tree)
    return tree


def _run(node: Any, tree: Tree, limits: Limits, paths: bool) -> None:  # noqa: C901, PLR0912, PLR0915  see the head
    runs, vocabulary = Runs(tree, limits.text_chars), Vocabulary(tree.classes)
    parts, flush, open_anchor, close_anchor = runs.parts, runs.flush, runs.open_anchor, runs.close_anchor
    known, learn = vocabulary.known, vocabulary.learn
    anchors, containers, kinds = tree.anchors, tree.containers, KIND
    blocks, groups, items, rows = tree.blocks, tree.groups, tree.items, tree.rows
    most_depth, most_anchors = limits.tree_depth, limits.links_per_page * _ANCHORS_PER_LINK
    stack: list[tuple[Any, int, Place]] = []  # open elements: node, kind, the place to return to
    labels: list[str] = []  # labels of the open elements
    place: Place = (0, 0, 0)
    while True:
        tag = node.tag_id
        if tag == TEXT:
            text = node.text_content
            if parts or not text.isspace():  # a third of all text nodes is only indentation
                parts.append(text)
        elif (kind := kinds[tag] if tag < KNOWN_TAGS else INLINE) == SKIP:
            pass
        elif kind == BLOCK:
            if parts:
                flush(place)
            child = node.first_child
            if child is None:
                pass
            elif len(stack) < most_depth:
                label, own = NAME[tag], FLAGS[tag]
                attributes = node.attributes
                if attributes:
                    if "class" in attributes or "id" in attributes:
                        names = tag, attributes.get("class"), attributes.get("id")
                        label, own = known.get(names) or learn(names, label)
                    if "style" in attributes or "hidden" in attributes:
                        own |= tags.UNSEEN if _is_unseen(attributes) else 0
                _, flags, container = place
                if tag in CONTAINERS:
                    containers.append(container)
                    container = len(containers) - 1
                    if tag in GROUPS:
                        groups.add(container)
                    elif tag in PAGE_TAGS:
                        own &= tags.UNSEEN  # what is said of the whole page does not tell its parts apart
                        if tag == tags.HTML:
                            tree.language = attributes.get("lang") or attributes.get("xml:lang") or ""
                elif tag == tags.LI:
                    items.append(len(blocks))
                elif tag == tags.TR:
                    rows.append(len(blocks))
                inner = tag, flags | own, container
                if child.tag_id == TEXT and child.next is None:  # half of them hold only one text, and are not pushed
                    parts.append(child.text_content)
                    flush(inner)
                else:
                    stack.append((node, BLOCK, place))
                    labels.append(label)
                    node, place = child, inner
                    continue
            else:
                tree.truncated = True
        elif kind <= ANCHOR:
            attributes = node.attributes
            label = ""
            if kind == ANCHOR:
                if attributes.get("href") and len(anchors) < most_anchors:
                    label = NAME[tag]
                    if "class" in attributes or "id" in attributes:
                        names = tag, attributes.get("class"), attributes.get("id")
                        label, _ = known.get(names) or learn(names, label)
                    open_anchor(attributes, f"{' '.join(labels[1 - _PATH_TAGS :])} {label}" if paths else "")
                else:
                    kind = INLINE
                    tree.truncated |= "href" in attributes and len(anchors) >= most_anchors
            child = node.first_child
            if child is None or (
                kind == INLINE
                and attributes
                and ("style" in attributes or "hidden" in attributes)
                and _is_unseen(attributes)
            ):
                pass
            elif len(stack) < most_depth:
                if attributes and kind == INLINE and ("class" in attributes or "id" in attributes):
                    names = tag, attributes.get("class"), attributes.get("id")
                    label, _ = known.get(names) or learn(names, node.tag)
                if child.tag_id == TEXT:  # most elements hold only one text, and then nothing is pushed
                    text = child.text_content
                    if parts or not text.isspace():
                        parts.append(text)
                    child = child.next
                if child is not None:
                    stack.append((node, kind, place))
                    labels.append(label or node.tag)
                    node = child
                    continue
            elif kind == INLINE:
                tree.truncated = True
            if kind == ANCHOR:
                close_anchor()
        elif kind == BREAK:
            # Old pages end a paragraph with two breaks in a row.
            if parts and (
                parts[-1] is LINE_BREAK or (len(parts) > 1 and parts[-2] is LINE_BREAK and parts[-1].isspace())
            ):
                flush(place)
            elif parts:
                parts.append(LINE_BREAK)
        elif kind == IMAGE:
            if runs.open is not None and not runs.open.alt:
                runs.open.alt = node.attributes.get("alt") or ""
        elif kind == HEAD:
            _head(node, tag, tree)
        while (after := node.next) is None:
            node, kind, outer = stack.pop()
            labels.pop()
            if kind == BLOCK:
                if parts:
                    flush(place)
                place = outer
            elif kind == ANCHOR:
                close_anchor()
            if not stack:
                return
        node = after


def _head(node: Any, tag: int, tree: Tree) -> None:
    if tag == tags.TITLE:
        tree.title = tree.title or node.text()[:_TITLE_CHARS]
    elif tag == tags.META:
        if len(tree.metas) < _MOST_HEAD_TAGS:
            tree.metas.append(node.attributes)
    elif tag == tags.LINK:
        if len(tree.link_tags) < _MOST_HEAD_TAGS:
            tree.link_tags.append(node.attributes)
    elif not tree.base:
        tree.base = (node.attributes.get("href") or "")[: HREF_CHARS + 1]  # one that is too long is seen to be


def _is_unseen(attributes: Attributes) -> bool:
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        return True
    return _hides((attributes.get("style") or "")[:_STYLE_CHARS])


@lru_cache(maxsize=1_024)
def _hides(style: str) -> bool:
    style = style.replace(" ", "").lower()
    return any(unseen in style for unseen in _UNSEEN_STYLES)
