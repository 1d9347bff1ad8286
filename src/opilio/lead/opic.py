"""OPIC+COMMD (Neunerdt et al.): a link is worth the cash that it got from pages that belong, such as pages with comments.

It is made for crawls by layers (`policy.wave = "layer"`): at each boundary the cash of the layer is passed on (`cash`), and the
score of every waiting link rises by what it got. The sum over the layers is the score in the queue; only the cash of one layer
is in memory, and is saved with each commit.

It costs a pass over the whole queue at each boundary, and needs no sightings.
"""

from collections.abc import Sequence
from typing import Final

from opilio.core.items import Target
from opilio.core.url import fingerprint

from .cash import Cash
from .remembering import Remembering
from .seam import FRESH, Judged, Stale

_SEED_SCORE: Final = 1.0  # more than any link can hold in a layer


class Opic(Remembering[Cash]):
    goes_by = "the importance that pages which belong pass on to them"

    def __init__(self) -> None:
        super().__init__(Cash())
        self._waiting = 0
        self._paying = False  # from a boundary to the first page of the next layer

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        return [self._score(target) for target in targets]

    def learn(self, judged: Judged) -> Stale:
        links: dict[int, int] = {}
        for link in judged.page.links:
            number = fingerprint(link.url)
            links[number] = links.get(number, 0) + link.times
        self._state.visit(fingerprint(judged.target.url), links, relevant=judged.verdict.belongs)
        self._paying, self._changed = False, True
        return FRESH

    def count(self, waiting: int) -> None:
        self._waiting = waiting

    def boundary(self) -> Stale:
        self._state.settle(self._waiting)
        self._paying = self._changed = True
        return Stale(everything=True)

    def explain(self, target: Target) -> Sequence[str]:
        if target.depth == 0:
            return ["a seed: first of all"]
        words = f"has received {target.score or 0.0:.4%} of the cash, summed over the layers"
        latest = self._state.gain(fingerprint(target.url))
        if self._state.equal:
            return [words, f"no page of layer {self._state.layer - 1} had any to give, so all links got {latest:.4%}"]
        return [words, f"{latest:.4%} came from pages of layer {self._state.layer - 1} that belong and link here"]

    def _score(self, target: Target) -> float:
        if target.score is None:
            return 0.0 if target.depth else _SEED_SCORE
        return target.score + (self._state.gain(fingerprint(target.url)) if self._paying else 0.0)
