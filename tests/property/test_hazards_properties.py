"""A place that is said to end any tag ends every tag, whatever the markup, as the reading of tags confirms."""

import re

from hypothesis import given
from hypothesis import strategies as st

from opilio.glean.hazards import _last_end, _next_end, _weigh
from opilio.glean.markup import ATTRIBUTE, NAME, REST

_TAG = re.compile(rf"<(?=(/?{NAME}{REST}))")
_PIECES = [
    "<p",
    "</p",
    "<a ",
    ">",
    '"',
    "'",
    "=",
    '="',
    "='",
    "= ",
    " ",
    "\n",
    "/",
    "a",
    "b1 ",
    "x=y ",
    "<!--",
    "-->",
    "é",
]
MARKUP = st.lists(st.sampled_from(_PIECES), max_size=40).map("".join)


def tags(html: str) -> list[tuple[int, int]]:
    """Returns where a tag begins and ends, if one begins at each "<"."""
    return [(found.start(), found.end(1)) for found in _TAG.finditer(html)]


@given(MARKUP, st.integers(0, 40))
def test_tags_end_where_they_are_said_to(html: str, start: int) -> None:
    body = html.encode()
    spans = tags(body.decode("latin-1"))  # in bytes
    for end in {_last_end(body, start, len(body)), _next_end(body, start)} - {-1}:
        assert all(last <= end for first, last in spans if start <= first < end)


@given(MARKUP)
def test_tags_have_no_more_attributes_than_is_said(html: str) -> None:
    _, most = _weigh(html.encode())
    counts = [sum(1 for _ in ATTRIBUTE.finditer(html[first + 1 : last])) for first, last in tags(html)]
    assert max(counts, default=0) <= most + 1  # the name of the tag counts as one here
