"""A list in a message for people: its first lines, and how many more there are."""

from collections.abc import Iterable
from itertools import islice
from typing import Final

MOST_LINES: Final = 10


def listing(lines: Iterable[str], count: int) -> str:
    """Returns the first of `count` lines, each on a line of its own."""
    shown = list(islice(lines, MOST_LINES))
    more = [f"and {count - len(shown):,} more"] if count > len(shown) else []
    return "".join(f"\n  {line}" for line in (*shown, *more))
