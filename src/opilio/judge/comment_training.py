"""Learns which CSS class names show that readers have commented, from pages whose comments are known.

Candidates are the class names near comments, and parts of them (`comment_examples`). Two steps choose among them:

1. Cover. Repeatedly the keyword with the greatest gain is taken: the number of pages with comments that no other has
  found, minus one and a half times the pages without comments that it adds. It ends when the gain is below two. The
  higher weight of errors makes the list careful: the word "comment" is on nearly every page that could have comments
  but has none.
2. Fill up to 25 with keywords that find nothing new here, but are hardly ever wrong: other sites may have only these.

Rule: nothing is learned from a page without comments, except how often a keyword is wrong.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from random import Random
from typing import Final, NamedTuple

from opilio.core.errors import ConfigError

from .comment_examples import Example
from .comments import CommentKeywords

MOST_KEYWORDS: Final = 25
_ERROR_WEIGHT: Final = 1.5
_LEAST_GAIN: Final = 2.0
_LEAST_PAGES: Final = 2  # on which a candidate is near a comment
_FILL_PAGES: Final = 5
_FILL_SHARE: Final = 0.8


class Quality(NamedTuple):
    pages: int
    found: int  # pages with comments that were recognised
    wrong: int  # pages without comments that were taken for pages with some
    missed: int

    @property
    def accuracy(self) -> float:
        return 1 - (self.wrong + self.missed) / self.pages

    @property
    def f1(self) -> float:
        return 2 * self.found / max(2 * self.found + self.wrong + self.missed, 1)

    @property
    def majority(self) -> float:
        """Returns the accuracy of the best constant answer."""
        share = (self.found + self.missed) / self.pages
        return max(share, 1 - share)


def learn_keywords(examples: Sequence[Example], source: str, most: int = MOST_KEYWORDS) -> CommentKeywords:
    commented = frozenset(place for place, one in enumerate(examples) if one.has_comments)
    near = Counter(candidate for one in examples for candidate in one.near)
    pages = {each: _bearers(each, examples) for each in sorted(near) if near[each] >= _LEAST_PAGES}
    chosen = _cover(pages, commented, most)
    usual = {each: found for each, found in pages.items() if near[each] >= _FILL_PAGES}
    chosen += _fill(usual, commented, chosen, most)
    if not chosen:
        raise ConfigError(
            f"{source}: no class name is near comments on more than one page and distinguishes them from the others. "
            "Training needs pages of many sites, some hundred of them with comments (has_comments, comments)."
        )
    bare = frozenset(range(len(examples))).difference(*(pages[each] for each in chosen))
    shares = {each: round(_share(pages[each], commented), 3) for each in chosen}
    return CommentKeywords.of(source, len(examples), len(commented), round(_share(bare, commented), 3), shares)


def cross_validate(examples: Sequence[Example], folds: int, seed: int = 0) -> Quality:
    """Each page is judged by keywords that were learned without its fold."""
    if not 2 <= folds <= len(examples):
        raise ConfigError(f"{len(examples)} pages cannot be divided into {folds} folds. Choose a number from 2 on.")
    order = list(range(len(examples)))
    Random(seed).shuffle(order)
    answers: list[tuple[bool, bool]] = []
    for fold in range(folds):
        held = set(order[fold::folds])
        learned = learn_keywords([one for place, one in enumerate(examples) if place not in held], f"fold {fold}")
        answers += [(_told(learned.keywords, examples[each]), examples[each].has_comments) for each in sorted(held)]
    found, wrong, missed = (answers.count(each) for each in ((True, True), (True, False), (False, True)))
    return Quality(len(answers), found, wrong, missed)


def _cover(pages: dict[str, frozenset[int]], commented: frozenset[int], most: int) -> list[str]:
    chosen: list[str] = []
    covered: frozenset[int] = frozenset()

    def gain(keyword: str) -> float:
        fresh = pages[keyword] - covered
        right = len(fresh & commented)
        return right - _ERROR_WEIGHT * (len(fresh) - right)

    while len(chosen) < most and pages:
        # among equals the more frequent one, then the more specific one
        best = max(pages, key=lambda keyword: (gain(keyword), len(pages[keyword]), len(keyword)))
        if gain(best) < _LEAST_GAIN:
            break
        chosen.append(best)
        covered |= pages[best]
    return chosen


def _fill(pages: dict[str, frozenset[int]], commented: frozenset[int], chosen: Collection[str], most: int) -> list[str]:
    shares = {each: share for each, found in pages.items() if (share := _share(found, commented)) >= _FILL_SHARE}
    added: list[str] = []
    for each in sorted(shares, key=lambda keyword: (-shares[keyword], -len(pages[keyword]), keyword)):
        akin = any(each in other or other in each for other in (*chosen, *added))
        if not akin and len(chosen) + len(added) < most:
            added.append(each)
    return added


def _share(pages: frozenset[int], commented: frozenset[int]) -> float:
    return (len(pages & commented) + 1) / (len(pages) + 2)


def _bearers(keyword: str, examples: Sequence[Example]) -> frozenset[int]:
    return frozenset(place for place, one in enumerate(examples) if keyword in one.names)


def _told(keywords: Iterable[str], example: Example) -> bool:
    return any(keyword in example.names for keyword in keywords)
