"""The word that somebody who mistyped one probably meant."""

import difflib
from collections.abc import Iterable
from typing import Final

_LEAST_LIKENESS: Final = 0.5


def did_you_mean(word: str, known: Iterable[str], prefix: str = "", least: float = _LEAST_LIKENESS) -> str:
    """Returns a sentence with a space before it, to follow an error's first sentence; it is empty if no known word is near.
    `least` is how alike they must be, from 0 to 1."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=least)
    return f' Did you mean "{prefix}{near[0]}"?' if near else ""
