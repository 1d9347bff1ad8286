"""An endless stream of judged pages to measure a lead with; two in five of their links lead to known targets, and one in four
stands in two places.

Words, hosts and addresses have heavy tails, so that there are always new ones: a table that grows with them shows it. A
target belongs or not from the start (one in five does), and pages, anchors and the words around them say so by words of
the topic.

Invariant: what the stream itself holds does not grow: the newest `OPEN_TARGETS` targets, and as many words.
"""

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from opilio.core.items import Block, Link, Opinion, Page, Place, Sighting, Target, Verdict

LINKS: Final = 50
OPEN_TARGETS: Final = 2_000
_KNOWN_SHARE: Final = 0.4  # of a page's links
_ANCHOR, _CONTEXT, _ADDRESS, _TEXT = 4, 10, 4, 400  # words
_COMMON_WORDS: Final = 50  # words that are about equally frequent; beyond, the n-th has a frequency of about 1/n²
_TOPIC_WORDS: Final = 300
_TOPIC_SHARE: Final = 0.3  # of the words where something belongs
_TWICE_STEP: Final = 4  # one link in this many stands in a second place
_RELEVANT_STEP: Final = 5  # one page in this many
_PATHS: Final = tuple(f"html body div.{part} {tag} a" for part in "abcdefgh" for tag in ("p", "ul li", "table tr td"))
_SYLLABLES: Final = tuple(f"{first}{second}" for first in "bdfghklmnprstvwz" for second in "aeiou")


class Met(NamedTuple):
    """A judged page with the sightings of its links, both of new targets and of known ones."""

    target: Target
    page: Page
    verdict: Verdict
    new: list[Target]
    again: list[Target]  # known ones, including the new sighting


class Stream:
    def __init__(self, seed: int, sightings: int, links: int = LINKS) -> None:
        """`links`: how many each page has."""
        self._random = np.random.default_rng(seed)
        self._sightings, self._on_page = sightings, links
        self.links = 1  # targets so far
        self.open = OrderedDict({1: Target(1, "https://www.first.test/", "www.first.test", 0, 0, ())})

    def next(self) -> Met:
        random, most = self._random, self._sightings
        target = self.open.pop(self._some(1)[0])
        belongs = _belongs(target.id)
        score = min(max((0.75 if belongs else 0.2) + float(random.normal(0, 0.1)), 0.0), 1.0)
        verdict = Verdict(score, belongs, (Opinion("badness", score, "", 20 * (1 - score)),))
        known = [self.open[number] for number in self._some(int(_KNOWN_SHARE * self._on_page))]
        fresh = range(self.links + 1, self.links + 1 + self._on_page - len(known))
        self.links = fresh[-1]
        targets = [*known, *self._targets(fresh, target.depth + 1)]
        sighted = self._sight(targets, target, verdict)
        page = self._page(target, tuple(each.sightings[-1].link for each in sighted))
        for each in sighted:
            self.open[each.id] = each if len(each.sightings) <= most else _with(each, each.sightings[:most])
        while len(self.open) > OPEN_TARGETS:
            self.open.popitem(last=False)
        if not self._sightings:
            sighted = [_with(each, ()) for each in sighted]
        return Met(target, page, verdict, sighted[len(known) :], sighted[: len(known)])

    def _some(self, wanted: int) -> list[int]:
        numbers = list(self.open)
        picked = (self._random.random(wanted) * len(numbers)).astype(int).tolist() if numbers else []
        return [numbers[place] for place in dict.fromkeys(picked)]

    def _targets(self, numbers: Sequence[int], depth: int) -> list[Target]:
        hosts = [f"www.{_word(rank)}.test" for rank in self._ranks(len(numbers))]
        words = self._words(_ADDRESS, numbers)
        return [
            Target(number, f"https://{host}/{first}/{'-'.join(others)}-{number}", host, depth, 0, ())
            for number, host, (first, *others) in zip(numbers, hosts, words, strict=True)
        ]

    def _sight(self, targets: Sequence[Target], parent: Target, verdict: Verdict) -> list[Target]:
        measures = {opinion.judge: opinion.measure for opinion in verdict.opinions if opinion.measure is not None}
        found = []
        around = self._words(_ANCHOR + 2 * _CONTEXT, [target.id for target in targets])
        for place, (target, words) in enumerate(zip(targets, around, strict=True)):
            before, after = " ".join(words[_ANCHOR : _ANCHOR + _CONTEXT]), " ".join(words[_ANCHOR + _CONTEXT :])
            path = _PATHS[(parent.id + place // 10) % len(_PATHS)]
            boilerplate = 0.9 if place % 3 else 0.1
            anchor = " ".join(words[:_ANCHOR])
            also = (Place(0, _PATHS[parent.id % len(_PATHS)]),) if place % _TWICE_STEP == 0 else ()
            link = Link(
                target.url, target.host, anchor, before, after, place // 5, boilerplate, path, position=place, also=also
            )
            seen = Sighting(parent.id, parent.url, verdict.score, verdict.belongs, link, measures)
            found.append(_with(target, (*target.sightings, seen)))
        return found

    def _page(self, target: Target, links: tuple[Link, ...]) -> Page:
        [words] = self._words(_TEXT, [target.id])
        text = " ".join(words)
        blocks = tuple(
            Block(text[place * 200 : place * 200 + 200], "p", 40, 0.1, 0.2) for place in range(self._on_page // 5)
        )
        return Page(
            url=target.url, host=target.host, depth=target.depth, title=" ".join(words[:5]), text=text, words=_TEXT,
            language="en", language_confidence=0.9, charset="utf-8", canonical="", declared_language="en", blocks=blocks,
            links=links, classes=("a", "b"), signals=(), nofollow=False, truncated=False, refused_links={},
        )  # fmt: skip

    def _words(self, wanted: int, numbers: Sequence[int]) -> list[list[str]]:
        """Draws words for all of these targets at once, `wanted` for each."""
        ranks = self._ranks(wanted * len(numbers))
        telling = (self._random.random(len(ranks)) < _TOPIC_SHARE).tolist()
        found = []
        for start, number in zip(range(0, len(ranks), wanted), numbers, strict=True):
            own = ranks[start : start + wanted]
            if _belongs(number):
                tells = telling[start : start + wanted]
                found.append(
                    [f"q{_word(r % _TOPIC_WORDS)}" if t else _word(r) for r, t in zip(own, tells, strict=True)]
                )
            else:
                found.append([_word(rank) for rank in own])
        return found

    def _ranks(self, wanted: int) -> Sequence[int]:
        ranks: list[int] = (
            (_COMMON_WORDS / (1.0 - self._random.random(wanted)) - _COMMON_WORDS).astype(np.int64).tolist()
        )
        return ranks


def _with(target: Target, sightings: tuple[Sighting, ...]) -> Target:
    return Target(target.id, target.url, target.host, target.depth, 0, sightings)


def _belongs(number: int) -> bool:
    return number * 2_654_435_761 % 2**32 % _RELEVANT_STEP == 0


@lru_cache(maxsize=OPEN_TARGETS)
def _word(rank: int) -> str:
    syllables = [_SYLLABLES[rank % len(_SYLLABLES)]]
    while rank := rank // len(_SYLLABLES):
        syllables.append(_SYLLABLES[rank % len(_SYLLABLES)])
    return "".join(syllables)
