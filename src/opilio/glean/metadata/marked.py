"""What elements in the body of a page say about it: microdata, RDFa, microformats, <time>, and class names of bylines.

Rules: what stands in comments, menus, side columns and teasers is about something else, and is passed over. Only the first
elements are looked at, and of each only a bounded text.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, Final

import msgspec

from opilio.glean.tree import Attributes

# Each selector costs 10 µs on a page of 40 KB, so that those of names are as few as can be; `_named` looks closer. Behind
# [class] they cost only where there is one, and :is lists an element once.
_NAME_PARTS: Final = (
    "aut",
    "Auth",
    "yline",
    "by-",
    "ate",
    "time",
    "posted",
    "publ",
    "meta",
    "submitted",
    "datum",
    "fecha",
)
_SELECTOR: Final = (
    "[itemprop],[property],[rel],time,abbr[title],[class]:is("
    + ",".join(f'[class*="{part}"]' for part in _NAME_PARTS)
    + ")"
)
_MOST_ELEMENTS: Final = 1_000
_MOST_READ: Final = 150  # elements whose ancestors are looked at
_MOST_ANCESTORS: Final = 40
_MOST_NODES: Final = 200  # of an element that are looked through for its text
_TEXT_CHARS: Final = 400
_NAME_CHARS: Final = 200
_MOST_VALUES: Final = 20
_ELSEWHERE: Final = re.compile(
    r"comment|respon|repl(?:y|ies)|discuss|disqus|side-?bar|aside|related|recommend|popular|recent|latest|trending|teaser|widget(?!\s+Blog)|"
    r"\bnav|menu|foot|promo|(?<!v)card\b|carousel|most-|more-|next|prev|also|tweet|river|(?<!h)feed\b|listing|archive|newsletter|event",
    re.IGNORECASE,
)
_ELSEWHERE_TAGS: Final = frozenset({"aside", "nav", "footer", "figure", "blockquote", "head"})
_INLINE_TAGS: Final = frozenset(
    {"a", "span", "em", "strong", "b", "i", "abbr", "font", "small", "time", "cite", "address"}
)
_AUTHOR: Final = re.compile(
    r"(?:^|[\s_-])(?:by-?line|(?:post|article|entry|blog|story|news)?[_-]?authors?|auth?or[_-]?(?:name|link|s)|(?:posted|written|by)[_-]?by|"
    r"by-?author|autor|auteur|writer|creator|fn)(?=$|[\s_-]|__)|[a-z](?:Author|Byline)(?:Name)?(?=$|\s)",
)
_NOT_AUTHOR: Final = re.compile(
    r"bio|photo|img|image|avatar|about|social|title|date|time|desc|icon|box|follow|twitter|email|count|more|info",
    re.IGNORECASE,
)
_DATE: Final = re.compile(
    r"(?:^|[\s_-])(?:(?:pub(?:lish(?:ed)?)?|post(?:ed)?|entry|article|create[d]?|story|news|by-?line|blog)?[_-]?(?:date|datetime|time|timestamp)|published|"
    r"posted(?:[_-]?on)?|submitted|datum|fecha|dateline|pubdate|meta)(?=$|[\s_-]|__)|(?:[a-z]|^)(?:Date|Timestamp)(?=$|\s)",
)
_CHANGED: Final = re.compile(r"modif|updat|edit|chang", re.IGNORECASE)


class Marked(msgspec.Struct):
    """Texts in document order, by how sure it is what they are."""

    properties: dict[str, list[str]] = {}  # microdata and RDFa, by names in small letters
    authors: list[str] = []  # of elements that a class or a rel calls so
    times: list[str] = []  # of <time>, except what says that it is a change
    dates: list[str] = []  # of elements that a class calls so
    changes: list[str] = []
    categories: list[str] = []


def read_marked(root: Any) -> Marked:
    found = Marked()
    read = 0
    for element in root.css(_SELECTOR)[:_MOST_ELEMENTS]:
        tag, attributes = element.tag, element.attributes
        kind = _kind_of(tag, attributes)
        if kind and read < _MOST_READ:
            read += 1
            if not _stands_elsewhere(element):
                _read(kind, found, element)
    return found


def _kind_of(tag: str, attributes: Attributes) -> str:
    """Returns which of the lists an element belongs to, or ""."""
    if tag == "meta":
        return ""
    if "itemprop" in attributes or "property" in attributes:
        return "properties"
    relations = (attributes.get("rel") or "")[:_NAME_CHARS].lower().split()
    if "author" in relations:
        return "authors"
    if "category" in relations:
        return "categories"
    return _named(tag, (attributes.get("class") or "")[:_NAME_CHARS], (attributes.get("id") or "")[:_NAME_CHARS])


@lru_cache(maxsize=8_192)
def _named(tag: str, css_class: str, css_id: str) -> str:
    names = f"{css_class} {css_id}"
    is_change = bool(_CHANGED.search(names)) and "publish" not in names
    if tag == "time":
        return "changes" if is_change else "times"
    if tag == "abbr":
        return "times" if "published" in names or "date" in names else ""
    if _AUTHOR.search(names) and not _NOT_AUTHOR.search(names):
        return "authors"
    if _DATE.search(names):
        return "changes" if is_change else "dates"
    return ""


def _read(kind: str, found: Marked, element: Any) -> None:
    if kind == "properties":
        _read_property(found, element)
    elif kind == "times":
        parent = (element.parent.attributes.get("class") or "")[:_NAME_CHARS] if element.parent else ""
        is_change = _CHANGED.search(parent) and "publish" not in parent
        _append(found.changes if is_change else found.times, _value(element))
    elif kind == "changes":
        _append(found.changes, _value(element))
    else:
        _add(getattr(found, kind), element)


def _read_property(found: Marked, element: Any) -> None:
    attributes = element.attributes
    names = f"{attributes.get('itemprop') or ''} {attributes.get('property') or ''}"[:_NAME_CHARS]
    for name in names.lower().split():
        key = name.rpartition(":")[2].rpartition("/")[2]
        values = found.properties.setdefault(key, [])
        if key in ("author", "creator", "publisher", "provider", "contributor"):
            inner = element.css_first('[itemprop="name"],[property$="name"]')
            _add(values, inner if inner is not None else element)
        else:
            _append(values, _value(element))


def _value(element: Any) -> str:
    """Returns what a machine is to read, or else what people see."""
    attributes = element.attributes
    named = next(
        (value for name in ("content", "datetime", "title", "data-datetime") if (value := attributes.get(name))), ""
    )
    return named[:_TEXT_CHARS].strip() or _shown(element)


def _add(values: list[str], element: Any) -> None:
    _append(values, (element.attributes.get("content") or "")[:_TEXT_CHARS].strip() or _shown(element))


def _append(values: list[str], value: str) -> None:
    if value and len(values) < _MOST_VALUES:
        values.append(value)


def _shown(element: Any) -> str:
    """Returns the text of an element, with a line for each part that begins one. A long text is not a name, a date or a title."""
    parts: list[str] = []
    length = 0
    for node in islice(element.traverse(include_text=True), _MOST_NODES):
        if node.tag == "-text" and (text := " ".join((node.text_content or "")[:_TEXT_CHARS].split())):
            parent = node.parent.tag if node.parent else ""
            if parent not in ("script", "style"):
                parts.append(text if parent in _INLINE_TAGS else f"\n{text}")
                length += len(text)
        if length > _TEXT_CHARS:
            return ""
    return " ".join(parts).strip()


def _stands_elsewhere(element: Any) -> bool:
    return any(_is_elsewhere(one) for one in _ancestors(element))


def _ancestors(element: Any) -> Iterator[Any]:
    for _ in range(_MOST_ANCESTORS):
        if element is None or element.tag in ("body", "html", "main", "article"):
            return
        yield element
        element = element.parent


def _is_elsewhere(element: Any) -> bool:
    attributes = element.attributes
    if element.tag in _ELSEWHERE_TAGS:
        return not _AUTHOR.search((attributes.get("class") or "")[:_NAME_CHARS])  # a byline may be a footer
    if "class" not in attributes and "id" not in attributes:
        return False
    return _suggests_elsewhere(
        (attributes.get("class") or "")[:_NAME_CHARS], (attributes.get("id") or "")[:_NAME_CHARS]
    )


@lru_cache(maxsize=8_192)
def _suggests_elsewhere(css_class: str, css_id: str) -> bool:
    return bool(_ELSEWHERE.search(f"{css_class} {css_id}"))
