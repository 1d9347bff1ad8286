"""Stage values travel between processes as msgpack and come out as they went in."""

from typing import Any

import msgspec
import pytest

from opilio.core import items
from opilio.core.items import Block, Fetched, Gleaned, Lease, Link, Opinion, Page, Seed, Sighting, Signal, Verdict
from opilio.core.outcome import Drop, Outcome

LINK = Link("http://a/b", "a", "anchor", "before", "after", 3, 0.5, "html body a", "next", "de", 7, 2)
PAGE = Page(
    url="http://a/",
    host="a",
    depth=1,
    title="\x00 \u2028 漢字",
    text="text",
    words=1,
    language="en",
    language_confidence=0.5,
    charset="utf-8",
    canonical="",
    declared_language="",
    blocks=(Block("text", "p", 1, 0.0, 0.0),),
    links=(LINK, LINK),
    classes=("nav",),
    signals=(Signal("meta", "robots", "noai"),),
    nofollow=False,
    truncated=True,
    refused_links={Drop.SCHEME: 2},
)
VERDICT = Verdict(0.5, belongs=True, opinions=(Opinion("judge", 0.5, "reason"),))
VALUES = [
    Seed("http://a/", "file line 3"),
    LINK,
    Sighting(1, "http://p/", None, False, LINK),
    items.Candidate("http://a/", "a", 2, 1, 0, "anchor"),
    Lease(1, "http://a/", "a", 0, 0, 0, 0, 0.5, 1e9),
    Fetched("http://a/", Outcome.OK, 200, (("A", "b"),), b"\x00\xff", "", 3.5, "192.0.2.1", 1.0, 0.5, ""),
    PAGE,
    VERDICT,
    Gleaned(None, "", PAGE, VERDICT, b"\x01", 3, 7, b"record", b"warc"),
    Gleaned(Drop.NOT_TEXT, "why"),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_survives_the_journey_between_processes(value: Any) -> None:
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=type(value)) == value


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_cannot_be_changed(value: Any) -> None:
    with pytest.raises(AttributeError):
        setattr(value, value.__struct_fields__[0], None)


def test_outcomes_and_drops_are_stored_as_their_words() -> None:
    assert msgspec.json.encode([Outcome.DNS_TIMEOUT, Drop.BELOW_CUT]) == b'["dns_timeout","below_cut"]'
    assert len({*Drop}) == len([*Drop])
    assert all(word == word.lower() for word in (*Outcome, *Drop))


def test_repeated_headers_are_joined_and_their_names_have_no_case() -> None:
    fetched = Fetched("http://a/", Outcome.OK, headers=(("X-A", "1"), ("x-a", "2"), ("X-B", "3")))
    assert (fetched.header("x-a"), fetched.header("x-c")) == ("1, 2", "")


def test_what_is_worth_retrying_also_blames_the_host() -> None:
    assert all(outcome.blames_host for outcome in Outcome if outcome.worth_retrying)
    assert not Outcome.OK.blames_host
    assert Outcome.DNS_NOT_FOUND.blames_host
    assert not Outcome.DNS_NOT_FOUND.worth_retrying
