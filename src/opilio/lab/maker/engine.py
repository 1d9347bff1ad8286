"""The software of hosts: templates with the class names and order of well-known blog, wiki, forum and news engines.

A file in the folder `engines` begins with the page; the other parts follow under lines such as `=== teaser`. So
boilerplate differs from host to host as it does on the web, and comments have the markup of each engine.
"""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from string import Template
from typing import Final

_PARTS: Final = frozenset({"page", "item", "teaser", "comments", "comment"})


class Engine:
    def __init__(self, source: str) -> None:
        page, *others = source.split("\n=== ")
        parts = dict(each.split("\n", 1) for each in others) | {"page": page}
        if not parts.keys() <= _PARTS:
            raise ValueError(f"an engine cannot have the parts {sorted(parts.keys() - _PARTS)}")
        self._parts = {name: Template(text.strip()) for name, text in parts.items()}

    def fill(self, part: str, slots: dict[str, str]) -> str:
        return self._parts[part].substitute(slots)

    def items(self, links: Iterable[str]) -> str:
        item = self._parts["item"]
        return "\n".join([item.substitute(link=link) for link in links])

    @property
    def takes_comments(self) -> bool:
        return "comment" in self._parts


@cache
def engine(name: str) -> Engine:
    return Engine((files(__package__) / "engines" / f"{name}.html").read_text("utf-8"))
