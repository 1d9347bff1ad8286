"""The main text of a page: which blocks are in it, and what form they have.

Choice: the blocks whose score says content. A page that has prose never gives an empty text: if nearly all of its prose is
refused, the prose outside of menus is taken instead; if there is none but in comments, the page is a discussion, and they
are its text; if all of it is hidden, the page shows it by a script, and it is taken.

Form: a block is one or more lines of the text. Lines end where the page breaks them: at `br`, and in preformatted text, which
keeps its indentation too. The cells of a row have tabs between them. `TextBlock`s say where each block lies and what it is, and
whether it stands aside of the prose: because much of it is links, or because only its neighbours made it content. If hardly
any block was content by itself, as in pages of questions and short answers, only links decide. Headings never stand aside: on
a page of teasers they lead elsewhere, and still name what the page is about.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from opilio.core.items import TextBlock

from . import hints, tags
from .features import CONTENT_LIMIT, PROSE_WORDS, Folded
from .letters import visible
from .table_rows import CELL_END
from .tags import IN_QUOTE
from .tree import LINE_BREAK, RawBlock, Tree

_LEAST_WORDS: Final = 30
_LEAST_SHARE: Final = 0.15  # of the page's prose
_SMALL_PAGE_SHARE: Final = 0.8  # of its words outside of links: a page with fewer than `_LEAST_WORDS` is not empty
_FALLBACK_WORDS: Final = 5
_SMALL_PAGE_BLOCKS: Final = 40  # a page with fewer has no room for a menu of short lines without links
_MOST_UNSEEN: Final = 4  # times as much as is seen: then a script will show it
_MOST_LINK_DENSITY: Final = 0.5
_REMARK_LINKS: Final = 0.2  # share of the characters of a short block in links, from which on it speaks of other pages
_REMARK_WORDS: Final = 45
_LEAST_CHANCE: Final = 0.5  # at first look, of being content
# A line about the copyright or the licence of the page itself is never part of a text.
_NOTICE: Final = re.compile(
    r"^\W*(?:©|\([cC]\)|[cC]opyright\b\W*(?:©|\([cC]\)|\d{4}))|©\s*\d{4}|[aA]ll [rR]ights [rR]eserved"
    r"|^\W*(?:This (?:\w+ )?(?:article|page|post|text|site|website|content|work|material|document)|Except where|"
    r"Unless otherwise|(?:(?:The|All) )?(?:[Tt]exts?|[Cc]ontents?|[Mm]aterials?))\b"
    r".{0,300}?\bunder\b.{0,60}?\b(?:[Ll]icen[cs]e|Creative Commons)"
)
_NOTICE_WORDS: Final = 45
_HEADING_MARK: Final = re.compile(r"(?<=\w)\W{0,3}(?:[¶#§🔗]|\[[^\[\]]{2,40}\])$")
_MENU_FLAGS: Final = tags.IN_NAV | tags.IN_FRAME | tags.IN_FORM | tags.UNSEEN
_TABS: Final = "\t"
_NAMED_KINDS: Final = {
    **dict(zip(tags.ids("h1 h2 h3 h4 h5 h6 dt dd"), ("h1", "h2", "h3", "h4", "h5", "h6", "dt", "dd"), strict=True)),
    **dict.fromkeys(tags.ids("figcaption caption"), "caption"),
    **dict.fromkeys(tags.PRE_TAGS, "pre"),
}
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_KINDS: Final = [_NAMED_KINDS.get(tag, "") for tag in range(tags.KNOWN_TAGS)]


class MainText(NamedTuple):
    text: str
    words: int
    layout: tuple[TextBlock, ...]


class _Placed(NamedTuple):
    """A block of the text: its number among those of the page, and where it lies."""

    number: int
    kind: str
    start: int
    end: int


def main_text(tree: Tree, folded: Folded, scores: Sequence[float], chances: Sequence[float]) -> MainText:
    """`chances` are those of the first look."""
    blocks, words, items = tree.blocks, folded.words, set(tree.items)
    texts: list[str] = []
    placed: list[_Placed] = []
    at = 0
    for number in _chosen(blocks, folded, scores):
        text = folded.texts[number]
        if words[number] <= _NOTICE_WORDS and _is_notice(text):
            continue
        block = blocks[number]
        kind = _KINDS[block.tag] or ("li" if number in items else "quote" if block.flags & IN_QUOTE else "p")
        if kind == "pre" or LINE_BREAK in block.raw or CELL_END in block.raw:
            kind, text = _formed(kind, block.raw)
        elif block.link_chars and kind in _HEADINGS:
            text = _without_mark(text, block.link_chars)
        if text:
            end = at + len(text)
            placed.append(_Placed(number, kind, at, end))
            texts.append(text)
            at = end + 1
    prose = _prose(placed, folded, chances)
    layout = tuple([TextBlock(kind, start, end, number not in prose) for number, kind, start, end in placed])
    return MainText("\n".join(texts), sum([words[one.number] for one in placed]), layout)


def _prose(placed: Sequence[_Placed], folded: Folded, chances: Sequence[float]) -> set[int]:
    """Returns the numbers of those blocks that are surely the author's running text."""
    words = folded.words
    heads = {one.number for one in placed if one.kind in _HEADINGS}
    plain = [one.number for one in placed if one.number in heads or not _leads_away(one, folded)]
    sure = [number for number in plain if number in heads or chances[number] > _LEAST_CHANCE]
    have, all_words = sum([words[n] for n in sure]), sum([words[n] for n in plain])
    return set(sure if have >= max(min(_LEAST_WORDS, all_words), _LEAST_SHARE * all_words) else plain)


def _leads_away(block: _Placed, folded: Folded) -> bool:
    """Returns whether so much of a block is links that it speaks of other pages."""
    is_short = folded.words[block.number] < _REMARK_WORDS
    return folded.densities[block.number] >= (_REMARK_LINKS if is_short else _MOST_LINK_DENSITY)


def _is_notice(text: str) -> bool:
    """Looks for single words first, because an expression takes ten times as long, and for single characters before them."""
    has_sign = (
        "©" in text
        or "opyright" in text
        or ("(" in text and ("(c)" in text or "(C)" in text))
        or "eserved" in text
        or " under " in text
    )
    return has_sign and _NOTICE.search(text) is not None


def _chosen(blocks: Sequence[RawBlock], folded: Folded, scores: Sequence[float]) -> list[int]:
    words, densities = folded.words, folded.densities
    kept = [number for number, score in enumerate(scores) if score < CONTENT_LIMIT]
    prose = [
        number for number, count in enumerate(words) if count >= PROSE_WORDS and densities[number] < _MOST_LINK_DENSITY
    ]
    told = sum([words[n] for n in prose if not blocks[n].flags & (hints.COMMENT | tags.UNSEEN)])
    have = sum([words[n] for n in kept])
    least = min(_LEAST_WORDS, _SMALL_PAGE_SHARE * _plain_words(folded)) if have < _LEAST_WORDS else 1
    if kept and have >= least and have >= _LEAST_SHARE * told:
        return kept

    accepted = set(kept)
    least = _FALLBACK_WORDS if len(blocks) > _SMALL_PAGE_BLOCKS else 1

    def plain(unwanted: int) -> list[int]:
        return [
            n
            for n, count in enumerate(words)
            if n in accepted
            or (count >= least and densities[n] < _MOST_LINK_DENSITY and not blocks[n].flags & unwanted)
        ]

    for unwanted in (_MENU_FLAGS | hints.COMMENT, _MENU_FLAGS):
        kept = plain(unwanted)
        have = sum([words[n] for n in kept])
        if have >= _LEAST_WORDS:
            return kept
    unseen = plain(0)
    if sum([words[n] for n in unseen]) >= _LEAST_WORDS + _MOST_UNSEEN * have:
        return unseen
    return kept or [n for n, density in enumerate(densities) if density < _MOST_LINK_DENSITY]


def _without_mark(heading: str, link_chars: int) -> str:
    """Returns a heading without a link at its end that is for editors or to the heading itself."""
    mark = _HEADING_MARK.search(heading)
    return heading[: mark.start()] if mark and link_chars <= len(mark[0]) else heading


def _plain_words(folded: Folded) -> int:
    """Returns how many words there are in blocks that are not links, in those that the page hides too."""
    return sum(
        [count for count, links in zip(folded.words, folded.densities, strict=True) if links < _MOST_LINK_DENSITY]
    )


def _formed(kind: str, raw: str) -> tuple[str, str]:
    """Returns kind and text of a block that is more than a line, or a row of a table."""
    raw = visible(raw)
    if kind == "pre":
        return kind, "\n".join(line.rstrip() for line in raw.splitlines() if line.strip())
    if CELL_END in raw:
        return "tr", _TABS.join(" ".join(cell.split()) for cell in raw.split(CELL_END))
    lines = (" ".join(line.split()) for line in raw.split(LINE_BREAK))
    return kind, "\n".join(line for line in lines if line)
