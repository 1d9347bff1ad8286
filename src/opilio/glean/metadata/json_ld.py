"""JSON-LD in a page's source: which of its nodes describes the page, and the words in it.

Nothing here raises, and everything is bounded before it is read: the number of scripts, their characters, the nodes that
are looked at, the length of every word. The source is searched instead of the tree, because markup that is written anew
(`rewriting`) has no scripts.
"""

import html
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

Node = Mapping[str, Any]

_MOST_SCRIPTS: Final = 20
_MOST_CHARS: Final = 300_000  # of all scripts together
_MOST_NODES: Final = 300
_MOST_LISTED: Final = 20  # values of a property
_TYPE_CHARS: Final = 300  # from the type to the ends of its tag
_WORD_CHARS: Final = 2_000
_TYPE: Final = "ld+json"
_END: Final = "</script"
# Old pages hide a script from browsers that do not know it.
_OPENINGS: Final = ("<!--", "//<![CDATA[", "// <![CDATA[", "/*<![CDATA[*/", "<![CDATA[")
_CLOSINGS: Final = (";", "-->", "//]]>", "// ]]>", "/*]]>*/", "]]>")
_LOOSE_COMMA: Final = re.compile(r",(\s{0,100}[}\]])")
_INNER: Final = ("@graph", "mainEntity", "mainEntityOfPage")
_ARTICLE_TYPES: Final = frozenset((
    "article", "newsarticle", "blogposting", "reportagenewsarticle", "opinionnewsarticle", "analysisnewsarticle",
    "reviewnewsarticle", "report", "scholarlyarticle", "techarticle", "satiricalarticle", "advertisercontentarticle",
    "socialmediaposting", "discussionforumposting", "liveblogposting", "backgroundnewsarticle", "askpublicnewsarticle",
    "medicalscholarlyarticle", "apireference",
))  # fmt: skip
_WORK_TYPES: Final = frozenset((
    "recipe", "review", "claimreview", "howto", "qapage", "question", "book", "chapter", "course", "creativework",
    "dataset", "podcastepisode", "videoobject", "poem", "shortstory", "thesis", "legislation", "jobposting", "event",
    "product", "softwareapplication",
))  # fmt: skip
_PAGE_TYPES: Final = frozenset((
    "webpage", "itempage", "aboutpage", "medicalwebpage", "profilepage", "collectionpage", "faqpage", "contactpage",
    "checkoutpage",
))  # fmt: skip


def linked_nodes(source: str) -> list[Node]:
    """Returns the nodes of all JSON-LD scripts, in their order: those at the top, in graphs, and what pages are about."""
    nodes: list[Node] = []
    if "+" not in source:  # one character is found 20 times as fast as the type that has it
        return nodes
    for script in _scripts(source):
        nodes += _nodes(_parsed(script), _MOST_NODES - len(nodes))
    return nodes


def page_node(nodes: list[Node], titles: frozenset[str]) -> Node:
    """Returns the node that describes the page: an article before another work before a page; among several, the one whose
    name is a title of the page, else the first. An empty one if there is none."""
    for wanted in (_ARTICLE_TYPES, _WORK_TYPES, _PAGE_TYPES):
        found = [node for node in nodes if wanted & types(node)]
        if found:
            named = (one for one in found if words(one.get("headline")) in titles or words(one.get("name")) in titles)
            return next(named, found[0])
    return {}


def types(node: Node) -> frozenset[str]:
    kinds = node.get("@type")
    listed = kinds[:_MOST_LISTED] if isinstance(kinds, list) else [kinds]
    return frozenset(kind[:100].rpartition("/")[2].lower() for kind in listed if isinstance(kind, str))


def words(value: object) -> str:
    """Returns a value as one line of text: a string, or the name of a node; of several, the first."""
    return next(iter(every(value)), "")


def every(value: object, nodes: list[Node] = []) -> list[str]:  # noqa: B006 - is not changed
    """Returns the texts of a value that may be a list. A node that only refers to another is looked up among `nodes`."""
    listed = value[:_MOST_LISTED] if isinstance(value, list) else [value]
    return [text for one in listed if (text := _text(one, nodes))]


def _text(value: object, nodes: list[Node]) -> str:
    if isinstance(value, Mapping):
        if "name" not in value and isinstance(named := value.get("@id"), str):
            value = next((one for one in nodes if one.get("@id") == named), value)
        value = value.get("name") or value.get("@value") or value.get("url") or ""
        value = value[0] if isinstance(value, list) and value else value
    if not isinstance(value, str):
        return ""
    line = " ".join(html.unescape(value[:_WORD_CHARS]).split())
    # JSON may name half of a character (\ud800), which no document can hold.
    return line if line.isascii() else line.encode("utf-8", "ignore").decode()


def _scripts(source: str) -> Iterator[str]:
    at, left = 0, _MOST_CHARS
    for _ in range(_MOST_SCRIPTS):
        at = source.find(_TYPE, at)
        if at < 0 or left <= 0:
            return
        start = source.find(">", at, at + _TYPE_CHARS)
        tag = source[max(0, at - _TYPE_CHARS) : at].rpartition("<")[2][:7].lower()
        at += len(_TYPE)
        if start >= 0 and tag.startswith("script"):
            end = source.find(_END, start)
            end = end if end >= 0 else source.find(_END.upper(), start)
            if start < end <= start + left:
                yield source[start + 1 : end]
                left -= end - start
                at = end


def _parsed(script: str) -> object:
    for text in (script, _LOOSE_COMMA.sub(r"\1", _unframed(script))):
        try:
            return json.loads(text, strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def _unframed(script: str) -> str:
    """Returns what stands between the signs that hide a script."""
    script = script.strip()
    for opening in _OPENINGS:
        script = script.removeprefix(opening)
    for closing in _CLOSINGS:
        script = script.rstrip().removesuffix(closing)
    return script


def _nodes(tree: object, most: int) -> list[Node]:
    nodes: list[Node] = []
    stack = [tree]
    while stack and len(nodes) < most:
        one = stack.pop()
        if isinstance(one, list):
            stack += reversed(one[:most])
        elif isinstance(one, Mapping):
            nodes.append(one)
            stack += [one[name] for name in reversed(_INNER) if isinstance(one.get(name), list | dict)]
    return nodes
