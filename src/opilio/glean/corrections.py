"""What the classifier's scores are corrected by: a few rules that hold on any page, where fitted weights have seen too little.

Boxes that are called what they are (a cookie notice, a newsletter, buttons for sharing, a note about the author) are not the
text, and captions belong to pictures that a text does not have; but a page that consists of them has nothing else, so there
the name does not count. What the classifier refuses although it stands among what it accepts is accepted: up to three
short lines between two blocks of the text, one at the end of its paragraphs, and a paragraph if most of its like in the same
container are accepted. Only blocks that are neither linked nor called anything suspicious profit from it. A paragraph that
names a link and little else ("Read also: …") or has bars between its links ("Back | Next") leads away from the text.

Links keep the score that the classifier gave to their block: leads learn from it, and a rule that a box follows says nothing
about where its links lead.

Cost: one look at each block, and a second one only at those that are refused.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from . import hints, tags
from .features import CONTENT_LIMIT, PROSE_LINKS, PROSE_WORDS, SUSPECT_FLAGS, Folded
from .tree import RawBlock, Tree

_ACCEPTED_SCORE: Final = 0.45
_BOX_SCORE: Final = 0.985  # a second opinion cannot outvote it
_CAPTION_SCORE: Final = 0.95  # a second opinion can
_MOST_REFUSED_SCORE: Final = 0.99  # what is surely boilerplate stays so
_MOST_PROSE: Final = 0.3  # of a page, in what is called a box or a caption
_FEW_LINKS: Final = 0.3
_CAPTION_WORDS: Final = 60
_MOST_IN_A_ROW: Final = 3
_LIKE_SHARE: Final = 0.5  # of the words of like paragraphs
_SIGNPOST_WORDS: Final = 25
_SIGNPOST_LINKS: Final = 0.5
_SIGNPOST_LABEL: Final = re.compile(r"[^:.!?]{2,30}:\s")
_LEAST_LINKS: Final = 0.25  # of a line of links, whose bars are not linked
_BAR: Final = re.compile(r"\s[|·»]\s")
_SIGNPOST_TAGS: Final = frozenset(tags.ids("p div"))
_FIGCAPTION: Final = tags.ids("figcaption")[0]
_NAMED_FLAGS: Final = SUSPECT_FLAGS | hints.BYLINE | hints.CAPTION | hints.BOX


def corrected(
    tree: Tree, folded: Folded, scores: Sequence[float], chances: Sequence[float]
) -> tuple[list[float], list[float]]:
    """Returns the scores and chances by which the text is chosen. What is accepted here has no chance of being content by
    itself, so that nobody takes it for prose that is sure."""
    blocks, scores, chances = tree.blocks, list(scores), list(chances)
    for number in _accepted(blocks, folded, scores):
        scores[number], chances[number] = _ACCEPTED_SCORE, 0.0
    boxes = [n for n, block in enumerate(blocks) if block.flags & hints.BOX]
    captions = [
        n
        for n, block in enumerate(blocks)
        if block.tag == _FIGCAPTION or (block.flags & hints.LEGEND and folded.words[n] < _CAPTION_WORDS)
    ]
    for numbers, score in ((boxes, _BOX_SCORE), (captions, _CAPTION_SCORE)):
        if numbers and not _is_page(numbers, folded):
            for number in numbers:
                scores[number] = max(scores[number], score)
    for number, density in enumerate(folded.densities):
        if density > _LEAST_LINKS and scores[number] < CONTENT_LIMIT and _is_signpost(blocks[number], folded, number):
            scores[number] = _BOX_SCORE
    return scores, chances


def _is_page(numbers: Sequence[int], folded: Folded) -> bool:
    """Returns whether these blocks have much of the page's prose."""
    words, densities = folded.words, folded.densities

    def prose(among: Sequence[int]) -> int:
        return sum([words[n] for n in among if words[n] >= PROSE_WORDS and densities[n] < PROSE_LINKS])

    return prose(numbers) > _MOST_PROSE * prose(range(len(words)))


def _is_signpost(block: RawBlock, folded: Folded, number: int) -> bool:
    """Returns whether a line only names links: after a label, or with bars between them."""
    text = folded.texts[number]
    if folded.words[number] >= _SIGNPOST_WORDS:
        return False
    if folded.densities[number] > _SIGNPOST_LINKS and block.tag in _SIGNPOST_TAGS and _SIGNPOST_LABEL.match(text):
        return True
    named, bars = _BAR.subn("", text)
    return bars > 0 and block.link_chars >= len(named)


def _accepted(blocks: Sequence[RawBlock], folded: Folded, scores: Sequence[float]) -> list[int]:
    words, densities = folded.words, folded.densities
    refused = [
        n
        for n, score in enumerate(scores)
        if CONTENT_LIMIT <= score < _MOST_REFUSED_SCORE
        and densities[n] < _FEW_LINKS
        and not blocks[n].flags & _NAMED_FLAGS
    ]
    long = [n for n in refused if words[n] >= PROSE_WORDS]
    likes = _likes(blocks, folded, scores) if long else {}
    accepted = [n for n in long if likes[_kind(blocks[n])] >= _LIKE_SHARE]
    return [*accepted, *_short_ones([n for n in refused if words[n] < PROSE_WORDS], blocks, scores)]


def _short_ones(refused: Sequence[int], blocks: Sequence[RawBlock], scores: Sequence[float]) -> Iterator[int]:
    """Yields those that stand between accepted blocks, three in a row at most, or after one of their own kind."""
    among = set(refused)
    for first in refused:
        if not first or scores[first - 1] >= CONTENT_LIMIT:
            continue
        after = first + 1
        while after in among and after - first < _MOST_IN_A_ROW:
            after += 1
        if after < len(scores) and scores[after] < CONTENT_LIMIT:
            yield from range(first, after)
        elif _kind(blocks[first]) == _kind(blocks[first - 1]):
            yield first


def _kind(block: RawBlock) -> tuple[int, int]:
    return block.container, block.tag


def _likes(blocks: Sequence[RawBlock], folded: Folded, scores: Sequence[float]) -> dict[tuple[int, int], float]:
    """Returns for each container and tag which share of the words of its paragraphs is accepted."""
    accepted: dict[tuple[int, int], int] = {}
    everything: dict[tuple[int, int], int] = {}
    for block, words, density, score in zip(blocks, folded.words, folded.densities, scores, strict=True):
        if words >= PROSE_WORDS and density < _FEW_LINKS:
            like = _kind(block)
            everything[like] = everything.get(like, 0) + words
            accepted[like] = accepted.get(like, 0) + (words if score < CONTENT_LIMIT else 0)
    return {like: accepted[like] / words for like, words in everything.items()}
