"""How many pages a crawl may fetch: a number, or a multiple of R, the number of relevant pages.

Rules: without a budget of its own, a run is measured at R fetches and goes on to 2R. With one it is measured there, and
ends there. A part of R is rounded up, so that it is never 0.
"""

import math
import re
from typing import Final, NamedTuple

from opilio.core.errors import ConfigError

_OF_R: Final = re.compile(r"(\d+(?:\.\d+)?)?r(?:/(\d+))?", re.IGNORECASE)
_WHAT_TO_WRITE: Final = "Write a number of fetches, such as 200, or a multiple of R, such as 4R or R/4."


class Budget(NamedTuple):
    fetches: int = 0
    of_r: float = 0.0  # used if `fetches` is 0; 0: R

    @classmethod
    def read(cls, words: str | int | None) -> "Budget":
        """Reads 200, 4R, 0.5R or R/4. None and the number 0 stand for R."""
        if words is None or words == 0:
            return cls()
        number, multiple = _read(str(words))
        if number <= 0:
            raise ConfigError(f'a budget of "{words}" would fetch nothing. {_WHAT_TO_WRITE}')
        return cls(of_r=number) if multiple else cls(fetches=int(number))

    def at(self, relevant: int) -> int:
        """Returns how many fetches the figures are taken at."""
        return self.fetches or part_of(relevant, self.of_r or 1.0)

    def limit(self, relevant: int) -> int:
        """Returns how many fetches the crawl ends at."""
        return self.at(relevant) if self.fetches or self.of_r else 2 * relevant


def part_of(relevant: int, share: float) -> int:
    return math.ceil(round(share * relevant, 9))  # 0.07 x 100 is a little more than 7


def _read(words: str) -> tuple[float, bool]:
    """Returns the number, and whether it is a multiple of R."""
    if words.strip().isdecimal():
        return int(words), False
    found = _OF_R.fullmatch(words.strip())
    if found is None or (found[2] and not int(found[2])):
        raise ConfigError(f'"{words}" is not a budget. {_WHAT_TO_WRITE}')
    return float(found[1] or 1) / int(found[2] or 1), True
