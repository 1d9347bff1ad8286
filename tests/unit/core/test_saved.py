"""Bytes that outlive the process that has written them."""

from typing import Literal

import msgspec
import pytest

from opilio.core.errors import CrawlDirError
from opilio.core.saved import pack, unpack


class State(msgspec.Struct):
    words: list[str]
    version: Literal[3] = 3


class Older(msgspec.Struct):
    words: list[str]
    version: Literal[2] = 2


class Bare(msgspec.Struct):
    words: list[str]


class Other(msgspec.Struct):
    words: int
    version: Literal[3] = 3


def test_a_state_comes_back_as_it_was_at_any_level_of_compression() -> None:
    state = State(["harvestman", "mite"])
    assert unpack(pack(state), State, "the judge") == unpack(pack(state, 1), State, "the judge") == state


@pytest.mark.parametrize(
    ("saved", "cause"),
    [
        (pack(Older([])), "it has version 2, and this Opilio reads version 3"),
        (pack(Bare([])), "it has version none, and this Opilio reads version 3"),
        (pack(Other(1)), "Expected `array`, got `int`"),
        (pack(State([]))[:-1], ""),
        (b"nothing of the kind", ""),
    ],
)
def test_a_state_that_cannot_be_read_is_refused_with_its_owner_and_the_cause(saved: bytes, cause: str) -> None:
    with pytest.raises(
        CrawlDirError, match=rf"what the judge has saved .* cannot be read: .*{cause}.* begin in a new folder"
    ):
        unpack(saved, State, "the judge")
