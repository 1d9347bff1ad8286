"""Judged pages without end for a lead to be measured with: 50 links each, two in five of them to targets that are known already.

Words, hosts and addresses have heavy tails, so that there are always new ones: a table that grows with them shows it. A target
belongs or not from the start (one in five does), and pages, anchors and the words around them say so by words of the topic.

Invariant: what the stream itself holds does not grow: the newest `OPEN` targets, and as many words.
"""

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from opilio.core.items import Block, Link, Opinion, Page, Sighting, Target, Verdict

LINKS: Final = 50
OPEN: Final = 2_000
_KNOWN: Final = 20  # of a page's links
_ANCHOR, _CONTEXT, _ADDRESS, _TEXT = 4, 10, 4, 400  # words
_COMMON: Final = 50  # words that are about equally frequent; beyond, the n-th has a frequency of about 1/n²
_TOPIC_WORDS: Final = 300
_TELLING: Final = 0.3  # share of the topic's words where something belongs
_RELEVANT: Final = 5  # one in so many
_PATHS: Final = tuple(f"html body div.{part} {tag} a" for part in "abcdefgh" for tag in ("p", "ul li", "table tr td"))
_SYLLABLES: Final = tuple(f"{first}{second}" for first in "bdfghklmnprstvwz" for second in "aeiou")


class Met(NamedTuple):
    """A judged page, with the sightings of its links, as new targets and as more to known ones."""

    target: Target
    page: Page
    verdict: Verdict
    new: list[Target]
    again: list[Target]  # known ones, the new sighting among theirs


class Stream:
    def __init__(self, seed: int, sightings: int) -> None:
        self._random = np.random.default_rng(seed)
        self._sightings = sightings
        self.links = 1  # targets so far
        self.open = OrderedDict({1: Target(1, "https://www.first.test/", "www.first.test", 0, 0, ())})

    def next(self) -> Met:
        random = self._random
        target = self.open.pop(self._some(1)[0])
        belongs = _belongs(target.id)
        score = min(max((0.75 if belongs else 0.2) + float(random.normal(0, 0.1)), 0.0), 1.0)
        verdict = Verdict(score, belongs, (Opinion("badness", score, "", 20 * (1 - score)),))
        known = [self.open[number] for number in self._some(_KNOWN)]
        fresh = range(self.links + 1, self.links + 1 + LINKS - len(known))
        self.links = fresh[-1]
        targets = [*known, *(self._target(number, target.depth + 1) for number in fresh)]
        sighted = [self._sight(each, target, verdict, place) for place, each in enumerate(targets)]
        page = self._page(target, tuple(each.sightings[-1].link for each in sighted), belongs)
        self.open.update((each.id, each._replace(sightings=each.sightings[: self._sightings])) for each in sighted)
        while len(self.open) > OPEN:
            self.open.popitem(last=False)
        if not self._sightings:
            sighted = [each._replace(sightings=()) for each in sighted]
        return Met(target, page, verdict, sighted[len(known) :], sighted[: len(known)])

    def _some(self, wanted: int) -> list[int]:
        numbers = list(self.open)
        picked = (self._random.random(wanted) * len(numbers)).astype(int).tolist() if numbers else []
        return [numbers[place] for place in dict.fromkeys(picked)]

    def _target(self, number: int, depth: int) -> Target:
        host = f"www.{_word(self._ranks(1)[0])}.test"
        words = self._words(_ADDRESS, _belongs(number))
        return Target(number, f"https://{host}/{words[0]}/{'-'.join(words[1:])}-{number}", host, depth, 0, ())

    def _sight(self, target: Target, parent: Target, verdict: Verdict, place: int) -> Target:
        words = self._words(_ANCHOR + 2 * _CONTEXT, _belongs(target.id))
        before, after = " ".join(words[_ANCHOR : _ANCHOR + _CONTEXT]), " ".join(words[_ANCHOR + _CONTEXT :])
        path = _PATHS[(parent.id + place // 10) % len(_PATHS)]
        boilerplate = 0.9 if place % 3 else 0.1
        anchor = " ".join(words[:_ANCHOR])
        link = Link(target.url, target.host, anchor, before, after, place // 5, boilerplate, path, position=place)
        measures = {opinion.judge: opinion.measure for opinion in verdict.opinions if opinion.measure is not None}
        seen = Sighting(parent.id, parent.url, verdict.score, verdict.belongs, link, measures)
        return target._replace(sightings=(*target.sightings, seen))

    def _page(self, target: Target, links: tuple[Link, ...], belongs: bool) -> Page:
        words = self._words(_TEXT, belongs)
        text = " ".join(words)
        blocks = tuple(Block(text[place * 200 : place * 200 + 200], "p", 40, 0.1, 0.2) for place in range(LINKS // 5))
        return Page(
            url=target.url, host=target.host, depth=target.depth, title=" ".join(words[:5]), text=text, words=_TEXT,
            language="en", language_confidence=0.9, charset="utf-8", canonical="", declared_language="en", blocks=blocks,
            links=links, classes=("a", "b"), signals=(), nofollow=False, truncated=False, refused_links={},
        )  # fmt: skip

    def _words(self, wanted: int, belongs: bool) -> list[str]:
        ranks = self._ranks(wanted)
        if not belongs:
            return [_word(rank) for rank in ranks]
        telling = self._random.random(wanted) < _TELLING
        return [
            f"q{_word(rank % _TOPIC_WORDS)}" if tells else _word(rank)
            for rank, tells in zip(ranks, telling, strict=True)
        ]

    def _ranks(self, wanted: int) -> Sequence[int]:
        ranks: list[int] = (_COMMON / (1.0 - self._random.random(wanted)) - _COMMON).astype(np.int64).tolist()
        return ranks


def _belongs(number: int) -> bool:
    return number * 2_654_435_761 % 2**32 % _RELEVANT == 0


@lru_cache(maxsize=OPEN)
def _word(rank: int) -> str:
    syllables = [_SYLLABLES[rank % len(_SYLLABLES)]]
    while rank := rank // len(_SYLLABLES):
        syllables.append(_SYLLABLES[rank % len(_SYLLABLES)])
    return "".join(syllables)
