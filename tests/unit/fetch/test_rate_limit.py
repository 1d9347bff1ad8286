"""Headers that say how many requests are left, in the ways in which services write them."""

import pytest

from opilio.core.items import Fetched
from opilio.core.outcome import Outcome
from opilio.fetch.rate_limit import rate_limit_pause_s

NOW_S = 1_800_000_000.0


@pytest.mark.parametrize(
    ("headers", "pause_s"),
    [
        ({}, 0),
        ({"X-RateLimit-Remaining": "3", "X-RateLimit-Reset": "60"}, 0),
        ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "60"}, 60),
        ({"x-ratelimit-remaining": "0.0", "x-ratelimit-reset": "17"}, 17),
        ({"RateLimit-Remaining": "0", "RateLimit-Reset": str(int(NOW_S) + 40)}, 40),
        ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2027-01-15T08:01:00Z"}, 60),
        ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2027-01-15T08:00:30.5"}, 30.5),
        ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2020-01-01T00:00:00Z"}, 0),
        ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "soon"}, 0),
        ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9" * 20}, 900),
        ({"X-RateLimit-Remaining": "-1", "X-RateLimit-Reset": "60"}, 0),
        ({"X-RateLimit-Remaining": "nan", "X-RateLimit-Reset": "60"}, 0),
    ],
)
def test_a_pause_is_read_from_every_form_of_the_headers(headers: dict[str, str], pause_s: float) -> None:
    fetched = Fetched("http://a.example/", Outcome.OK, 200, tuple(headers.items()))
    assert rate_limit_pause_s(fetched, NOW_S, cap_s=900.0) == pause_s
