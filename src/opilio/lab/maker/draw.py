"""Random choices that are the same on every machine.

Rules: code that needs random numbers makes a `Draw` from the seed and the name of what it decides, so that one decision
never shifts another. Only `Random.random` is used, the one method whose numbers Python promises not to change.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


class Draw:
    __slots__ = ("share",)

    def __init__(self, *name: str | int) -> None:
        self.share = Random("\n".join(map(str, name))).random  # between 0 and 1

    def chance(self, probability: float) -> bool:
        return self.share() < probability

    def below(self, count: int) -> int:
        return int(self.share() * count)

    def between(self, least: int, most: int) -> int:
        return least + int(self.share() * (most - least + 1))

    def pick(self, items: Sequence[Item]) -> Item:
        return items[int(self.share() * len(items))]

    def about(self, mean: float) -> int:
        """Returns a whole number from 0 to twice the mean, with this mean."""
        return int(self.share() * 2 * mean + self.share())

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        keyed = [(self.share(), number, item) for number, item in enumerate(items)]
        return [item for _, _, item in sorted(keyed, key=lambda each: each[:2])]


class Pool:
    """Numbers with weights, 12 bytes each, in rising order; a draw takes some microseconds."""

    __slots__ = ("_bounds", "_numbers")

    def __init__(self, numbers: Sequence[int], weights: Iterable[float]) -> None:
        self._numbers = array("I", numbers)
        self._bounds = array("d", accumulate(weights))

    def draw(self, draw: Draw) -> int:
        return self._at(draw.share() * self._bounds[-1])

    def draw_outside(self, numbers: range, draw: Draw) -> int | None:
        """Draws a number that is not in the range, by the same weights; None if there are no others."""
        low, high = bisect_left(self._numbers, numbers.start), bisect_left(self._numbers, numbers.stop)
        if high - low == len(self._numbers):
            return None
        before = self._bounds[low - 1] if low else 0.0
        inside = self._bounds[high - 1] - before if high else 0.0
        point = draw.share() * (self._bounds[-1] - inside)
        found = self._at(point + inside if point >= before else point)
        if found in numbers:  # possible by the rounding of a sum
            found = self._numbers[high] if high < len(self._numbers) else self._numbers[low - 1]
        return found

    def _at(self, point: float) -> int:
        return self._numbers[min(bisect_right(self._bounds, point), len(self._numbers) - 1)]


def falling(count: int, skew: float) -> list[float]:
    """Returns weights with a heavy tail: 1, 1/2, 1/3 … to the power of `skew`."""
    return [(rank + 1) ** -skew for rank in range(count)]


def apportion(total: int, weights: Sequence[float], least: int = 0) -> list[int]:
    """Divides the total by the weights into whole numbers of at least `least`: the largest remainders are rounded
    up."""
    free, whole = total - least * len(weights), sum(weights)
    exact = [free * weight / whole for weight in weights]
    parts = [least + int(each) for each in exact]
    order = sorted(range(len(weights)), key=lambda each: (int(exact[each]) - exact[each], each))
    for each in order[: total - sum(parts)]:
        parts[each] += 1
    return parts
