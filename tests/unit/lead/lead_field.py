"""Links and pages for a learned lead to be taught with."""

from collections.abc import Iterator, Sequence
from itertools import count
from random import Random
from typing import Any, NamedTuple

from opilio.core.items import Link, Place, Sighting, Target, Verdict
from opilio.lead import FRESH, Judged, Learned
from tests.builders import page

SAMPLES = (
    "Harvestmen are arachnids with long legs. A harvestman has one body and two eyes, and it spins no silk.",
    "The harvestman eats small insects and fungi. Arachnids such as harvestmen and mites live in leaf litter.",
)
EXPLORED = 100.0  # the score of a link that is fetched to explore


class Seen(NamedTuple):
    """Where and how a link stood; every link of these tests has a host and a parent of its own, if nothing else is said."""

    url: str = ""
    anchor: str = "read more"
    before: str = ""
    path: str = "html body div a"
    rel: str = ""
    hreflang: str = ""
    boilerplate: float = 0.3
    position: int = 10
    block: int = 3
    parent: int = 0
    parent_score: float = 0.4
    also: tuple[Place, ...] = ()


class Field:
    """Makes links and pages, and lets a lead learn from them."""

    def __init__(self, lead: Learned) -> None:
        self.lead = lead
        self._numbers = count(1_000)

    def target(self, seen: Seen) -> Target:
        number = next(self._numbers)
        url = seen.url.format(number) if seen.url else f"http://h{number}.test/{number}"
        host = url.split("/")[2]
        link = Link(
            url, host, seen.anchor, seen.before, "", seen.block, seen.boilerplate, seen.path, seen.rel, seen.hreflang,
            seen.position, also=seen.also,
        )  # fmt: skip
        parent = seen.parent or next(self._numbers)
        sighting = Sighting(parent, f"http://p{parent}.test/", seen.parent_score, seen.parent_score > 0.5, link)
        return Target(number, url, host, 1, 0, (sighting,))

    def learn(self, target: Target, score: float, text: str = "", links: Sequence[Link] = ()) -> None:
        assert self.lead.learn(judged(target, score, text, links)) == FRESH

    def meet(self, good: Seen, bad: Seen, times: int = 60, texts: tuple[str, str] = ("", "")) -> None:
        """Links of two kinds, of which the first leads to good pages."""
        for _ in range(times):
            for seen, score, text in ((bad, 0.05, texts[1]), (good, 0.95, texts[0])):
                target = self.target(seen)
                self.lead.score([target])
                self.learn(target, score, text)

    def scores(self, *seen: Seen) -> Sequence[float]:
        return self.lead.score([self.target(each) for each in seen])


def judged(target: Target, score: float, text: str = "", links: Sequence[Link] = ()) -> Judged:
    gleaned = page(text, url=target.url, links=tuple(links))
    return Judged(target, gleaned, Verdict(score, belongs=score > 0.5), score > 0.5)


DECISIVE_PAIRS: dict[str, tuple[Seen, Seen]] = {
    "parents": (Seen(parent_score=0.8), Seen(parent_score=0.2)),
    "siblings": (Seen(block=1, parent=7), Seen(block=2, parent=7)),
    "samples": (Seen(anchor="long legs of arachnids"), Seen(anchor="income of tax payers")),
    "anchor": (Seen(anchor="barley"), Seen(anchor="tractor")),
    "context": (Seen(before="fields of barley and"), Seen(before="sheds with tractors and")),
    "url": (Seen("http://h{0}.test/barley/{0}"), Seen("http://h{0}.test/tractor/{0}")),
    "path": (Seen(path="html body main ul li a"), Seen(path="html body footer p a")),
    "host": (Seen("http://good.test/{}"), Seen("http://bad.test/{}")),
    "language": (Seen("http://h{}.test/de/"), Seen("http://h{}.test/fr/")),
    "place": (Seen(boilerplate=0.1, position=3), Seen(boilerplate=0.9, position=200)),
}


def explored(lead: Learned) -> list[int]:
    return [link for link, score in lead.fresh() if score == EXPLORED]


def crowd(field: Field) -> Iterator[tuple[Target, float, str]]:
    random = Random(3)
    while True:
        seen = random.choice([one for pair in DECISIVE_PAIRS.values() for one in pair])
        yield field.target(seen._replace(parent=random.randrange(1, 50))), random.random(), "barley or tractor"


def taught(pages: int, **options: Any) -> tuple[Field, Iterator[tuple[Target, float, str]]]:
    field = Field(Learned(SAMPLES, ["de"], **options))
    pages_to_come = crowd(field)
    for _ in range(pages):
        field.learn(*next(pages_to_come))
    return field, pages_to_come
