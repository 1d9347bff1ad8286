"""Breadth first in phases, each of which starts from good links: the second experiment of Schäfer, Barbaresi & Bildhauer (2014).

A phase is breadth first: links come in the order in which they are found. After `burn_in` pages, and then after every `phase`
pages, the queue is emptied, except for links that were found in this phase, in a block of running text (boilerplate score up to
0.5), on a page with a Badness up to 10. The next phase begins with these. All others get a score under the recipe's cut, so
that `why` can say what became of them; one that a page of a later phase links to again is queued again. Nothing is fetched twice.

The score is the number of the link in the order of finding, with a minus sign; `DROPPED_SCORE` is below every such number.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from opilio.core.errors import ConfigError
from opilio.core.items import Sighting, Target

from .remembering import Remembering
from .seam import FRESH, Judged, Stale

DROPPED_SCORE: Final = -1e15
_JUDGE: Final = "badness"


class State(msgspec.Struct):
    found: int = 0  # the last number that was given
    started: int = 0  # the last number of the links that this phase began with
    border: int = 0  # the last number that was given before the selection
    pages: int = 0  # of this phase
    phase: int = 0  # 0: burn-in
    selecting: bool = False  # true from the last page of a phase to the next page


class Cyclic(Remembering[State]):
    goes_by = "the quality of the pages that they are on, in phases"
    sightings = 4

    def __init__(
        self, burn_in: int = 1_000, phase: int = 10_000, badness: float = 10.0, boilerplate: float = 0.5
    ) -> None:
        super().__init__(State())
        if burn_in < 1 or phase < 1:
            raise ConfigError(f"lead.burn_in and lead.phase are numbers of pages from 1, not {burn_in} and {phase}.")
        self._burn_in, self._phase = burn_in, phase
        self._badness, self._boilerplate = badness, boilerplate

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        return [self._score(target) for target in targets]

    def learn(self, judged: Judged) -> Stale:  # noqa: ARG002
        state = self._state
        if state.selecting:
            state.selecting, state.started = False, state.found
        state.pages += 1
        self._changed = True
        if state.pages < (self._phase if state.phase else self._burn_in):
            return FRESH
        state.pages, state.phase, state.selecting, state.border = 0, state.phase + 1, True, state.found
        return Stale(everything=True)

    def explain(self, target: Target) -> Sequence[str]:
        if target.score is not None and target.score <= DROPPED_SCORE:
            limits = f"a Badness up to {self._badness:g} in running text"
            return [f"left behind when a phase ended: no page of that phase linked here with {limits}"]
        return ["links come in the order in which they are found; each phase begins with those of good pages"]

    def _score(self, target: Target) -> float:
        score = target.score
        if not self._state.selecting:
            return self._number() if score is None or score <= DROPPED_SCORE else score
        if score is not None and DROPPED_SCORE < score < -self._state.border:
            return score  # it was selected before: a selection may show a link twice
        found_now = score is None or DROPPED_SCORE < score < -self._state.started
        return self._number() if found_now and any(map(self._is_good, target.sightings)) else DROPPED_SCORE

    def _number(self) -> float:
        self._state.found += 1
        return -float(self._state.found)

    def _is_good(self, sighting: Sighting) -> bool:
        badness = sighting.parent_measures.get(_JUDGE)
        return badness is not None and badness <= self._badness and sighting.link.boilerplate <= self._boilerplate
