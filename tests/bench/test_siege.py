"""Good hosts beside hostile ones, in a real crawl: the benchmark sees what it should, and the good pages keep coming."""

import pytest

from bench.siege import Outcome, _tenth, besiege
from bench.siege_attacks import ATTACKS


def test_silence_counts_from_the_first_pages_to_the_end() -> None:
    outcome = Outcome([0.0, 2.0, 4.0, 5.0, 9.0], 1.0, 1.0, 10.0)
    assert (outcome.counted, outcome.silence_s) == (3, 4.0)
    assert [_tenth(outcome, number) for number in (0, 2, 9)] == [1, 1, 1]


@pytest.mark.parametrize(
    "crowd",
    [
        {"trickle": 40, "slow": 40, "error": 2, "flood": 1},
        {"heavy": 1, "bomb_br": 1, "rules": 1, "loop": 3, "links": 1, "entity_bomb": 1},
    ],
    ids=["slow", "heavy"],
)
def test_good_hosts_go_on_beside_hostile_ones(crowd: dict[str, int]) -> None:
    """Ten good hosts give up to twenty pages a second; beside other jobs it may be fewer, but never none."""
    assert set(crowd) <= set(ATTACKS)
    outcome = besiege(crowd, 8.0)
    assert outcome.counted >= 5
    assert outcome.peak_mb < 900
