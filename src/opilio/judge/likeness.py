"""`likeness`, the judge before `topic`. Settings and folders that name it get `topic` without word vectors.

What it has saved is read: the samples, the marks, and the terms of the pages met. It did not note the addresses of these, so
they get made-up ones, which only tell them apart.
"""

from collections import Counter
from typing import Final, Literal

import msgspec

from opilio.core.plugin import Context
from opilio.core.saved import pack, unpack
from opilio.model.similarity import Bag, bag_of
from opilio.model.vectors import NO_VECTORS

from .pages_met import PagesMet, Remembered
from .topic import LINE_SCORE
from .topical import NO_TOPIC, EarlierState, State, Topical

_OWNER: Final = "the likeness judge"


class _Met(msgspec.Struct):
    pages: int
    drawn: list[Bag]


class _FormerState(msgspec.Struct):
    samples: list[Bag]
    language: str
    met: _Met
    taught: dict[str, tuple[bool, Bag]]
    version: Literal[1] = 1


class Likeness:
    @staticmethod
    def build(context: Context, *, threshold: float = LINE_SCORE) -> Topical:
        state = _present(context.state) if context.state else None
        return Topical.build(context._replace(state=state), threshold=threshold, vectors=NO_VECTORS)


def _present(saved: bytes) -> bytes:
    """Returns a state that `topic` reads."""
    former: msgspec.Struct = unpack(saved, State, _OWNER, older=(EarlierState, _FormerState))
    if not isinstance(former, _FormerState):
        return saved
    whole: Counter[str] = Counter()
    for bag in former.samples:
        whole.update(bag.counts())
    met = PagesMet(former.met.pages, [Remembered(f"met {place}", bag) for place, bag in enumerate(former.met.drawn)])
    return pack(State([bag_of(whole), *former.samples], former.language, NO_TOPIC, met, taught=former.taught))
