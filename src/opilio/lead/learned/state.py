"""What the learned lead has learned, as bytes: in the crawl's own database, or taken from another crawl's.

Field names and their order are those of the bytes. Arrays are raw little-endian numbers, and tables have only the slots that are
used.
"""

from typing import Final, Literal

import msgspec
from msgspec.structs import asdict

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
    version: Literal[3] = 3  # of what the bytes mean
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


class _Version2(State, frozen=True, kw_only=True):
    """What Opilio 0.1 has saved: without the links that were being explored."""

    version: Literal[2] = 2  # type: ignore[assignment]
    exploration: list[float | int]  # type: ignore[assignment]  # found, times, and the generator's state


def encode(state: State) -> bytes:
    return pack(state, _LEVEL)


def decode(saved: bytes, weights: int) -> State:
    """Returns the state, or raises a `CrawlDirError` if it is not for a lead with this many weights."""
    state = unpack(saved, State, _OWNER, [_Version2])
    if isinstance(state, _Version2):
        state = _upgraded(state)
    if state.learner.size != weights:
        raise CrawlDirError(
            f"what {_OWNER} has saved with this crawl has other signals than this Opilio knows. Continue with the Opilio that "
            "began the crawl, or begin in a new folder."
        )
    return state


def _upgraded(old: _Version2) -> State:
    found, times, *generator = old.exploration
    exploration = ExplorationState(found, times, [int(number) for number in generator])
    return State(**asdict(old) | {"version": 3, "exploration": exploration})
