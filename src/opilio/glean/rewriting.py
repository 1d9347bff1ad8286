"""Writes a page's markup anew, so that any tree builder reads it in linear time: every element is closed where it was opened.

Rules:
* Visible text stays, character by character. Comments, scripts and what else is never shown go.
* Elements nest properly: an end tag closes what is open inside of its element first, and one that closes nothing goes. A
  paragraph, an item or a cell ends where the next one begins. So the tree builder never has to search or to repair.
* An element that would nest too deep, or one formatting element too many, loses its tags and keeps its text. So does
  formatting between the cells of a table; of a link there, the target stays.
* A tag keeps the attributes that somebody reads, once each and not longer than they may be.
* After the last tag that a page may have, the rest of the page goes.

Invariant: a tag is emitted or dropped in constant time, apart from the closing of elements, which happens once for each.
"""

import re
from collections import Counter
from itertools import islice
from typing import Final

from .hazards import FORMATS
from .markup import ATTRIBUTE, Token, tokens


def _names(line: str) -> frozenset[str]:
    return frozenset(line.split())


_MOST_TAGS: Final = 120_000  # a tree of 50 MB
_MOST_FORMATS: Final = 8
_FORMATS: Final = FORMATS | {"a"}
_MOST_ATTRIBUTES: Final = 32  # of a tag that are looked at
_MOST_NAME_CHARS: Final = 32
_ENDLESS_TAG: Final = "plaintext"  # would make text of all that follows
_VOID_TAGS: Final = _names("area base br col embed hr img input link meta param source track wbr")
# The walk does not look into these, so that nothing of them is needed: neither tags nor text.
_UNSEEN_TAGS: Final = _names(
    "svg math template select object audio video canvas button datalist progress meter script style noscript iframe"
)
_UNSEEN_END: Final = re.compile(f"</({'|'.join(sorted(_UNSEEN_TAGS))})(?=[\\s/>])", re.IGNORECASE)
_BLOCKS: Final = _names(
    "address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form h1 h2 h3 h4"
    " h5 h6 header hgroup hr li listing main menu nav ol p pre search section summary table ul xmp"
)
_CELLS: Final = ("td", "th", "caption")  # where a table may have text
# What ends where one of the same group begins, unless one of the others has begun in between.
_SIBLINGS: Final = (
    (frozenset({"li"}), ("ul", "ol", "menu", "dir")),
    (frozenset({"dt", "dd"}), ("dl",)),
    (frozenset({"table"}), _CELLS),
    (frozenset({"td", "th"}), ("table",)),
    (frozenset({"tr"}), ("table",)),
    (frozenset({"tbody", "thead", "tfoot", "caption", "colgroup"}), ("table",)),
    (frozenset({"option", "optgroup"}), ()),
    (frozenset({"a"}), ()),
)
_GROUP: Final = {name: group for group in _SIBLINGS for name in group[0]}
_ROW_PARTS: Final = {"tr": ("td", "th"), **dict.fromkeys(("tbody", "thead", "tfoot"), ("tr",))}
_LENGTHS: Final = {
    "href": 8_000, "content": 2_000, "class": 1_000, "id": 200, "style": 500, "alt": 500, "rel": 100, "hreflang": 50,
    "lang": 50, "xml:lang": 50, "name": 100, "property": 100, "http-equiv": 50, "hidden": 20, "datetime": 50, "itemprop": 100,
    "type": 100, "title": 200, "role": 50,
}  # fmt: skip


def rewrite(html: str, most_depth: int) -> str:
    writer = _Writer(most_depth, Counter(name.lower() for name in _UNSEEN_END.findall(html)))
    for token in islice(tokens(html), _MOST_TAGS):
        writer.take(token)
    return writer.whole()


class _Writer:
    def __init__(self, most_depth: int, unseen_ends: Counter[str]) -> None:
        self._most_depth = most_depth
        self._unseen_ends = unseen_ends  # how many end tags of each are still to come
        self._parts = ["<!DOCTYPE html>"]
        self._open: list[str] = []
        self._places: dict[str, list[int]] = {}  # of each name, where it stands among the open elements
        self._formats = 0
        self._unseen = ""  # the element whose end is looked for

    def take(self, token: Token) -> None:
        is_unseen_end = token.closes and token.name in _UNSEEN_TAGS
        if is_unseen_end:
            self._unseen_ends[token.name] -= 1
        if self._unseen:
            self._unseen = "" if is_unseen_end and token.name == self._unseen else self._unseen
            return
        if token.text:
            self._parts.append(_shown(token.text))
        name = token.name
        if not name or len(name) > _MOST_NAME_CHARS or name == _ENDLESS_TAG:
            return
        if token.closes:
            self._close(name)
        elif name in _UNSEEN_TAGS:
            self._unseen = name if self._unseen_ends[name] > 0 else ""
        else:
            self._begin(name, token)

    def whole(self) -> str:
        self._close_down_to(0)
        return "".join(self._parts)

    def _begin(self, name: str, token: Token) -> None:
        self._end_siblings(name)
        if name in _VOID_TAGS:
            self._parts.append(f"<{name}{_attributes(token.attributes)}>")
            return
        is_format = name in _FORMATS
        if is_format and self._is_between_cells():
            self._parts.append(f"<a{_attributes(token.attributes)}></a>" if name == "a" else "")
            return
        if len(self._open) >= self._most_depth or (is_format and self._formats >= _MOST_FORMATS):
            self._parts.append(_shown(token.raw))
            return
        self._parts.append(f"<{name}{_attributes(token.attributes)}>{_shown(token.raw)}")
        self._places.setdefault(name, []).append(len(self._open))
        self._open.append(name)
        self._formats += is_format

    def _is_between_cells(self) -> bool:
        """Returns whether a tree builder would move this out of a table, and open formatting again for each text there."""
        table = self._place("table")
        return table >= 0 and all(self._place(cell) < table for cell in _CELLS)

    def _end_siblings(self, name: str) -> None:
        """Closes what ends where this element begins."""
        if name in _BLOCKS:
            self._close_if_inside("p", ("table", *_CELLS))
        for part in _ROW_PARTS.get(name, ()):
            self._close_if_inside(part, ("table",))
        if (group := _GROUP.get(name)) is not None:
            for sibling in group[0]:
                self._close_if_inside(sibling, group[1])

    def _close_if_inside(self, name: str, bounds: tuple[str, ...]) -> None:
        place = self._place(name)
        if place >= 0 and all(self._place(bound) < place for bound in bounds):
            self._close_down_to(place)

    def _close(self, name: str) -> None:
        if (place := self._place(name)) >= 0:
            self._close_down_to(place)

    def _close_down_to(self, place: int) -> None:
        while len(self._open) > place:
            name = self._open.pop()
            self._places[name].pop()
            self._formats -= name in _FORMATS
            self._parts.append(f"</{name}>")

    def _place(self, name: str) -> int:
        """Returns where the innermost open element of this name stands, or -1."""
        places = self._places.get(name)
        return places[-1] if places else -1


def _shown(text: str) -> str:
    return text.replace("<", "&lt;") if "<" in text else text


def _attributes(source: str) -> str:
    if not source or source.isspace():
        return ""
    found: dict[str, str] = {}
    for match in islice(ATTRIBUTE.finditer(source), _MOST_ATTRIBUTES):
        name = match[1].lower()
        if name in _LENGTHS and name not in found:
            found[name] = (match[2] or match[3] or match[4] or "")[: _LENGTHS[name]]
    return "".join(f' {name}="{_quoted(value)}"' for name, value in found.items())


def _quoted(value: str) -> str:
    """Returns the value as it may stand between quotation marks. Its character references stay what they are."""
    return value.replace('"', "&quot;")
