"""What readers wrote below a page: one `Comment` each, with author and date where the page marks them.

Comments look alike: elements with the same name that are repeated, inside of a part of the page whose class or id speaks
of comments. Which name it is differs from site to site (`comment`, `comment-body`, `comment-0`), so it is found out. Of
the names in such parts that are repeated, those are candidates whose elements hold nearly as much text as those of any
other; of these it is the one with the most elements, and of equals the one that holds most. A single comment has to be
called so. Inside of a comment, the names of elements say what is its author, its date, and what nobody has said:
buttons, votes, forms. An answer inside of a comment is a comment of its own.

There are two passes over the tree, each linear. At most `_MOST_COMMENTS` are returned.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from opilio.core.items import Comment

from .letters import visible
from .tags import BLOCK, BREAK, KIND, KNOWN_TAGS, PAGE_TAGS, SKIP, TEXT, ids

_MOST_COMMENTS: Final = 5_000
_MOST_NAMES: Final = 8  # of an element
_NAME_CHARS: Final = 60
_FIELD_CHARS: Final = 100
_FACT_CHARS: Final = 500
_LEAST_SHARE: Final = 0.6  # of the text of the name that holds most
_LEAST_WORDS: Final = 3  # of a comment
_COMMENT_WORDS: Final = re.compile(r"(?i)comment|disqus|respons|repl(?:y|ies)|discussion|livefyre|feedback")
_OTHER_WORDS: Final = re.compile(
    r"(?i)no-?comment|recent|latest|popular|licen|policy|leave|respond\b|comments?[-_]?(?:count|link|number|off|closed|open|form)"
)
_ITEM_WORDS: Final = re.compile(r"(?i)comment|repl(?:y|ies)|respons|post|message|review|item|entry|thread|depth|msg")
_PART_WORDS: Final = re.compile(
    r"(?i)author|avatar|meta|foot|head|count|date|info|link|form|button|recent|latest|comments\b"
)
_SINGLE_NAME: Final = re.compile(r"(?i)#?(?:div-|li-)?comment(?:[-_]?0|[-_]?(?:body|text|content|entry|item))?")
_DIGITS: Final = re.compile(r"[0-9a-f]*\d[0-9a-f]*")
_TOOL_WORDS: Final = re.compile(
    r"(?:^|[-_ ])(?:reply|respond|share|vote|votes|like|likes|avatar|report|flag|tools?|actions?|permalink|edit|form|count|rating"
    r"|buttons?|controls?|links?|nav|pagination|gravatar|says)(?:$|[-_ ])", re.IGNORECASE,
)  # fmt: skip
_FACT_WORDS: Final = re.compile(r"(?i)meta|(?:^|[-_ ])(?:header|head|footer|foot|info|details|byline)(?:$|[-_ ])")
_WRITTEN_DATE: Final = re.compile(
    r"(?:\d{1,2}(?:st|nd|rd|th|\.)?[ -][^\W\d]{3,10}\.?,?[ -]\d{4}|[^\W\d]{3,10}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}"
    r"|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})(?:[ ,T]{1,2}(?:at )?\d{1,2}:\d\d(?::\d\d)?(?: ?[apAP]\.?[mM]\b\.?)?)?"
)
_AUTHOR_WORDS: Final = re.compile(
    r"(?i)author|(?:^|[-_ ])(?:fn|by|user|username|name|nick|poster|commenter)(?:$|[-_ ])"
)
_DATE_WORDS: Final = re.compile(r"(?i)date|(?:^|[-_ ])(?:time|timestamp|posted|when|ago|published)(?:$|[-_ ])")
_CITE, _TIME, _FORM, _LABEL = ids("cite time form label")
_TEXT_FIELD, _AUTHOR_FIELD, _DATE_FIELD, _FACT_FIELD, _NO_FIELD = range(5)


class _Unit:
    """A comment that is being read."""

    __slots__ = ("fields", "moment")

    def __init__(self) -> None:
        self.fields: tuple[list[str], ...] = ([], [], [], [])
        self.moment = ""  # a date for programs

    def comment(self) -> Comment | None:
        text, author, date, facts = ("".join(field) for field in self.fields)
        lines = [" ".join(line.split()) for line in visible(text).split("\n")]
        whole = "\n".join(line for line in lines if line)
        if len(whole.split()) < _LEAST_WORDS:
            return None
        written = _WRITTEN_DATE.search(" ".join(facts[:_FACT_CHARS].split()))
        return Comment(
            whole, _short(author), self.moment[:_FIELD_CHARS] or _short(date) or (written[0] if written else "")
        )


def find_comments(root: Any) -> tuple[Comment, ...]:
    name = _repeated_name(root)
    if not name:
        return ()
    found = (unit.comment() for unit in _units(root, name))
    return tuple(comment for comment in found if comment is not None)


def _repeated_name(root: Any) -> str:
    """Returns the name of the elements that are comments, or "" if there are none."""
    counts, chars, open_names = Counter[str](), Counter[str](), Counter[str]()
    inside = total = 0  # how many open elements speak of comments, and the characters read in them
    stack: list[tuple[bool, tuple[str, ...], int]] = []
    for node, opens in _steps(root):
        if not opens:
            is_about, names, before = stack.pop()
            inside -= is_about
            open_names.subtract(names)
            for name in names:
                chars[name] += total - before
        elif node.tag_id == TEXT:
            total += len(node.text_content.strip()) if inside else 0
        else:
            found = _names(node.attributes) if node.tag_id not in PAGE_TAGS else ()
            is_about = any(map(_is_about, found))
            inside += is_about
            names = tuple(name for name in found if inside and _is_item(name) and not open_names[name])
            counts.update(names)
            open_names.update(names)
            stack.append((is_about, names, total))
    repeated = [name for name, count in counts.items() if chars[name] and (count > 1 or _SINGLE_NAME.fullmatch(name))]
    most = max((chars[name] for name in repeated), default=0)
    likely = [name for name in repeated if chars[name] >= _LEAST_SHARE * most]
    return max(likely, key=lambda name: (counts[name], chars[name]), default="")


def _units(root: Any, name: str) -> list[_Unit]:
    units: list[_Unit] = []
    stack: list[tuple[_Unit | None, int]] = [(None, _TEXT_FIELD)]
    for node, opens in _steps(root):
        unit, field = stack[-1]
        tag = node.tag_id
        if not opens:
            stack.pop()
            if unit is not None and tag < KNOWN_TAGS and KIND[tag] == BLOCK:
                unit.fields[_TEXT_FIELD].append("\n")
        elif tag == TEXT:
            if unit is not None and field != _NO_FIELD:
                unit.fields[field].append(node.text_content)
        else:
            names = _names(node.attributes)
            if name in names and len(units) < _MOST_COMMENTS:
                unit, field = _Unit(), _TEXT_FIELD
                units.append(unit)
            elif unit is not None:
                field = _field(node, names, field)
                if tag == _TIME and not unit.moment:
                    unit.moment = node.attributes.get("datetime") or ""
                if tag < KNOWN_TAGS and KIND[tag] in (BLOCK, BREAK):
                    unit.fields[_TEXT_FIELD].append("\n")
            stack.append((unit, field))
    return units


def _field(node: Any, names: tuple[str, ...], outer: int) -> int:
    """Returns which part of a comment an element holds. What is said of an element holds for those in it, but authors and dates
    also stand among what is not said by anybody."""
    tag = node.tag_id
    if outer in (_AUTHOR_FIELD, _DATE_FIELD):
        return outer
    said = " ".join(names)
    if tag == _TIME or _DATE_WORDS.search(said):
        return _DATE_FIELD
    if tag == _CITE or _AUTHOR_WORDS.search(said) or node.attributes.get("itemprop") == "author":
        return _AUTHOR_FIELD
    if outer == _NO_FIELD or tag in (_FORM, _LABEL) or _TOOL_WORDS.search(said):
        return _NO_FIELD
    return _FACT_FIELD if outer == _FACT_FIELD or _FACT_WORDS.search(said) else _TEXT_FIELD


def _steps(root: Any) -> Iterator[tuple[Any, bool]]:
    """Yields each node when it opens, and each element again when it closes, in document order."""
    stack: list[Any] = []
    node = root
    while node is not None:
        tag = node.tag_id
        skipped = tag < KNOWN_TAGS and KIND[tag] == SKIP
        child = None
        if not skipped:
            yield node, True
            child = node.first_child if tag != TEXT else None
        if child is not None:
            stack.append(node)
            node = child
            continue
        if not skipped and tag != TEXT:
            yield node, False
        while node.next is None:
            if not stack:
                return
            node = stack.pop()
            yield node, False
        node = node.next


def _names(attributes: dict[str, str | None]) -> tuple[str, ...]:
    css_class, css_id = attributes.get("class"), attributes.get("id")
    return _read_names((css_class or "")[:1_000], (css_id or "")[:_NAME_CHARS]) if css_class or css_id else ()


@lru_cache(maxsize=16_384)
def _read_names(css_class: str, css_id: str) -> tuple[str, ...]:
    names = [*css_class.split()[:_MOST_NAMES], *([f"#{css_id}"] if css_id else [])]
    return tuple(dict.fromkeys(_DIGITS.sub("0", name[:_NAME_CHARS]) for name in names))


@lru_cache(maxsize=16_384)
def _is_about(name: str) -> bool:
    return bool(_COMMENT_WORDS.search(name)) and not _OTHER_WORDS.search(name)


@lru_cache(maxsize=16_384)
def _is_item(name: str) -> bool:
    return bool(_ITEM_WORDS.search(name)) and not _PART_WORDS.search(name)


def _short(text: str) -> str:
    return " ".join(visible(text).split())[:_FIELD_CHARS]
