"""Everything that a page claims about itself, gathered from its head, its JSON-LD and its elements, ready to be asked."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Final

from opilio.glean.tree import Attributes

from .json_ld import Node, every, linked_nodes, page_node, types
from .marked import Marked, read_marked

_NAME_CHARS: Final = 100
_VALUE_CHARS: Final = 2_000
_MOST_VALUES: Final = 20


class Claims:
    """What is in the head is read at once, JSON-LD and elements of the body only when somebody asks, because most pages say
    enough in their head: looking for elements takes a third as long as walking through the tree."""

    def __init__(self, root: Any, source: str, metas: Iterable[Attributes], title: str) -> None:
        self.metas = _named(metas)  # contents of <meta>, by name, property, itemprop or http-equiv in small letters
        self._root = root
        self._source = source
        self._title = title

    @cached_property
    def marked(self) -> Marked:
        return read_marked(self._root)

    @property
    def has_read_body(self) -> bool:
        return "marked" in vars(self)

    @cached_property
    def nodes(self) -> list[Node]:
        """Returns the nodes of JSON-LD."""
        return linked_nodes(self._source)

    @cached_property
    def node(self) -> Node:
        """Returns the one that describes the page."""
        titles = (self._title, *self.metas.get("og:title", ()))
        return page_node(self.nodes, frozenset(titles))

    def said(self, *names: str) -> str:
        """Returns the first content of the first of these metas that has any."""
        return next((self.metas[name][0] for name in names if name in self.metas), "")

    def linked(self, *names: str) -> list[str]:
        """Returns the values of the first of these properties that the page's node has."""
        if not self.node:
            return []
        found = (every(self.node[name], self.nodes) for name in names if name in self.node)
        return next((values for values in found if values), [])

    def property(self, *names: str) -> list[str]:
        """Returns the values of the first of these properties that an element of the page has."""
        return next((values for name in names if (values := self.marked.properties.get(name))), [])

    def linked_of(self, kind: str, *names: str) -> list[str]:
        """Returns values of the first JSON-LD node of a type."""
        node = next((one for one in self.nodes if kind in types(one)), {})
        return next((values for name in names if (values := every(node.get(name), self.nodes))), [])


def _named(metas: Iterable[Attributes]) -> dict[str, list[str]]:
    named: dict[str, list[str]] = {}
    for meta in metas:
        content = " ".join((meta.get("content") or "")[:_VALUE_CHARS].split())
        if content:
            for name in _names(meta):
                values = named.setdefault(name, [])
                if len(values) < _MOST_VALUES:
                    values.append(content)
    return named


def _names(meta: Attributes) -> Sequence[str]:
    keys = (meta.get(key) for key in ("name", "property", "itemprop", "http-equiv"))
    return [name for key in keys if key for name in key[:_NAME_CHARS].lower().split()]
