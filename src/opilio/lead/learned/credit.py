"""Delayed credit: a page that does not belong, but leads to one that does, is learned from once more when that is found out.

Invariant: only the last pages are remembered, so memory is bounded.
"""

from typing import Final, NamedTuple

from opilio.core.bounded import BoundedMap
from opilio.core.items import Target
from opilio.model.online_logistic import OnlineLogistic, Tokens, Vector

_ROOM: Final = 4_096  # pages that may still get credit
_LEAST_RISE: Final = 0.1  # of what a page is credited with; less is not worth an example


class Example(NamedTuple):
    signals: Vector
    tokens: tuple[Tokens, Tokens, Tokens]
    credited: float


class Credit:
    def __init__(self, discount: float) -> None:
        self._discount = discount
        self._examples: BoundedMap[int, Example] = BoundedMap(_ROOM)  # page → the example that was learned for it

    def remember(self, page: int, example: Example) -> None:
        self._examples[page] = example

    def pass_on(self, target: Target, reward: float, learner: OnlineLogistic) -> None:
        """Learns once more from each parent that is worth more by leading here than it was credited with."""
        worth = self._discount * reward
        for sighting in target.sightings:
            example = self._examples.get(sighting.parent)
            if example is not None and worth > example.credited + _LEAST_RISE:
                learner.learn(example.signals, example.tokens, worth)
                self._examples[sighting.parent] = example._replace(credited=worth)
