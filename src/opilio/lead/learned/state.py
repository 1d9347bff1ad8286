"""What the learned lead has learned, as bytes: in the crawl's own database, or taken from another crawl's.

Field names and their order are those of the bytes. Arrays are raw little-endian numbers, and tables have only the slots that are
used.
"""

from typing import Final, Literal

import msgspec

from opilio.core.errors import CrawlDirError
from opilio.core.saved import pack, unpack
from opilio.model.online_logistic import LearnerState

from .exploration import ExplorationState
from .reward import RewardState
from .word_odds import WordOddsState
from .yields import YieldsState

_LEVEL: Final = 1  # of compression: states are large, and saved while the crawl runs
_OWNER: Final = "the learned lead"


class State(msgspec.Struct, frozen=True, kw_only=True):
    version: Literal[2] = 2  # of what the bytes mean
    learner: LearnerState
    calibration: LearnerState
    odds: list[WordOddsState]
    yields: list[YieldsState]
    highest: bytes
    met: dict[str, float]
    counts: tuple[float, int]  # sum of the verdicts' scores, and pages
    lines: bytes
    exploration: ExplorationState
    reward: RewardState


def encode(state: State) -> bytes:
    return pack(state, _LEVEL)


def decode(saved: bytes, weights: int) -> State:
    """Returns the state, or raises a `CrawlDirError` if it is not for a lead with this many weights."""
    state = unpack(saved, State, _OWNER)
    if state.learner.size != weights:
        raise CrawlDirError(
            f"what {_OWNER} has saved with this crawl has other signals than this Opilio knows. Continue with the Opilio that "
            "began the crawl, or begin in a new folder."
        )
    return state
