"""The settings of a training, checked when they are made."""

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from opilio.core.errors import ConfigError

Smoothing = Literal["kneser-ney", "katz"]

MOST_ORDER: Final = 6
_LEAST_MEMORY: Final = 1 << 16
_DEFAULT_ORDERS: Final[dict[str, int]] = {"kneser-ney": 5, "katz": 3}


class Training(msgspec.Struct, frozen=True, kw_only=True):
    """
    order: words in the longest n-gram, 1 to 6; None is 5 for Kneser-Ney and 3 for Katz.
    unknown: the probability of an unknown word after an unknown word; None leaves it to the smoothing. All others share
        the rest in their proportions.
    prune: n-grams with at most this count are left out; one number for each order from 1, the last for all higher
        ones. The first must be 0, and none lower than the one before, because an n-gram needs its parts.
    memory_bytes: how much memory the word stream and the table of n-grams may take while counting; the rest goes
        through temporary files.
    """

    order: int | None = None
    smoothing: Smoothing = "kneser-ney"
    unknown: float | None = None
    prune: Sequence[int] = ()
    memory_bytes: int = 1 << 30

    def __post_init__(self) -> None:
        if self.smoothing not in _DEFAULT_ORDERS:
            raise ConfigError(f"there is no smoothing {self.smoothing!r}; choose one of {', '.join(_DEFAULT_ORDERS)}")
        if not 1 <= self.words <= MOST_ORDER:
            raise ConfigError(f"a language model of order {self.order} cannot be trained; choose 1 to {MOST_ORDER}")
        if self.unknown is not None and not 0 < self.unknown < 1:
            raise ConfigError(f"an unknown word's probability must be between 0 and 1, not {self.unknown}")
        if any(self.prune[:1]) or list(self.prune) != sorted(self.prune):
            raise ConfigError(f"prune = {list(self.prune)} must begin with 0 and never fall: 0 0 1 drops rare trigrams")
        if self.memory_bytes < _LEAST_MEMORY:
            raise ConfigError(
                f"{self.memory_bytes} bytes of memory are too few to train with; {_LEAST_MEMORY} is the least"
            )

    @property
    def words(self) -> int:
        """Returns the order, or the default for the smoothing."""
        return _DEFAULT_ORDERS[self.smoothing] if self.order is None else self.order

    def threshold(self, order: int) -> int:
        return self.prune[min(order, len(self.prune)) - 1] if self.prune else 0
