"""Long bodies in the encodings and with the links that once cost the most: time and memory are bounded."""

from collections.abc import Callable
from typing import Final

import pytest

from bench.faults_cost import MOST_CPU_S, MOST_MEMORY_MB, measure_call, warm_up
from opilio.core.limits import Limits
from opilio.core.url import Url, parse
from opilio.glean import glean

_PART: Final = 4  # of the longest bodies, which has as many tags as are read
_SIZE_BYTES: Final = Limits().decoded_bytes // _PART
_BODIES: Final[dict[str, tuple[str, Callable[[], bytes]]]] = {
    "a run of ISO-2022-JP": (
        "text/html; charset=iso-2022-jp",
        lambda: b"\x1b$B" + b"!!" * (_SIZE_BYTES // 2 - 6) + b"\x1b(B",
    ),
    "letters encoded twice": ("text/html; charset=utf-8", lambda: "<p>Ã©".encode() * (_SIZE_BYTES // 7)),
    "quotes encoded twice": ("text/html; charset=utf-8", lambda: "<p>â€™".encode() * (_SIZE_BYTES // 11)),
    "letters that become escapes": (
        "text/html; charset=utf-8",
        lambda: b"".join(b"<a href='/%b%d'>x</a>" % ("ä一".encode() * 600, number) for number in range(6_000 // _PART)),
    ),
    "pairs of bytes": ("text/html", lambda: b"\xff\xfe" + "<p>a".encode("utf-16-le") * (_SIZE_BYTES // 8)),
}


@pytest.mark.parametrize("name", _BODIES)
def test_a_body_costs_no_more_than_a_page_may(name: str) -> None:
    warm_up()
    content_type, make = _BODIES[name]
    body = make()
    costs = [measure_call(lambda: _gleaned(body, content_type)) for _ in range(2)]
    assert min(cost.cpu_s for cost in costs) <= MOST_CPU_S
    assert costs[0].memory_mb <= MOST_MEMORY_MB


def _gleaned(body: bytes, content_type: str) -> object:
    url = parse("http://a.test/")
    assert isinstance(url, Url)
    return glean(url, 0, (("Content-Type", content_type),), body, Limits())
