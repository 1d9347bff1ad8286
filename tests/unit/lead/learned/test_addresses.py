"""What an address says before anything was fetched from it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.lead.learned.addresses import Addresses
from opilio.lead.learned.facts import WORDS as ROWS
from opilio.lead.learned.facts import Facts, WordFact
from opilio.lead.learned.wordbook import Wordbook
from opilio.lead.learned.yields import Yields

WORDS = Wordbook((), Facts(ROWS, WordFact))


def _addresses(*wanted: str) -> Addresses:
    return Addresses(Yields(10), Yields(10), wanted)


def _slots(text: str) -> set[int]:
    return set(WORDS.read([text])[0].tolist())


def _hints(addresses: Addresses, url: str, hreflang: str = "") -> tuple[float, float]:
    """1: names a wanted language, -1: another one, 0: none. By the address or link, and by the domain."""
    [[*_, hint, domain]] = addresses.signs([(url, url.split("/")[2], hreflang)])
    return float(addresses.hints[hint]), float(addresses.hints[domain])


@pytest.mark.parametrize(
    "url",
    [
        "http://a.test/de/page",
        "http://a.test/page.de.html",
        "http://a.test/page?lang=de",
        "http://a.test/page?lang=de&x=1",
        "http://a.test/some/de",
        "http://a.test/page-de.html",
        "http://de.a.test/page",
    ],
)
def test_a_code_that_stands_alone_names_a_language(url: str) -> None:
    assert _hints(_addresses("de"), url)[0] == 1.0
    assert _hints(_addresses("fr"), url)[0] == -1.0
    assert _hints(_addresses(), url)[0] == 0.0, "no language is wanted"


@pytest.mark.parametrize("url", ["http://a.test/decide", "http://a.test/made/9", "http://a.test/zz/", "http://a.test/"])
def test_letters_inside_a_word_name_none(url: str) -> None:
    assert _hints(_addresses("de"), url)[0] == 0.0


def test_a_link_says_more_than_its_address() -> None:
    addresses = _addresses("de")
    assert _hints(addresses, "http://a.test/fr/", "de")[0] == 1.0
    assert _hints(addresses, "http://a.test/de/", "fr-CA")[0] == -1.0
    assert _hints(addresses, "http://a.test/de/", "DE-at")[0] == 1.0


def test_the_code_before_the_ending_counts_more_than_that_of_a_folder() -> None:
    assert _hints(_addresses("es"), "http://a.test/news/nl/index.es.html")[0] == 1.0
    assert _hints(_addresses("nl"), "http://a.test/news/nl/index.es.html")[0] == -1.0
    assert _hints(_addresses("nl"), "http://a.test/news/nl/to-do.html")[0] == 1.0


def test_top_level_domains_name_the_language_of_their_country() -> None:
    addresses = _addresses("de")
    assert [_hints(addresses, f"http://a.{domain}/x")[1] for domain in ("de", "fr", "org", "test")] == [
        1.0,
        -1.0,
        0.0,
        0.0,
    ]


def test_what_is_wanted_may_change() -> None:
    addresses = _addresses("de")
    addresses.want(["fr"])
    assert _hints(addresses, "http://a.test/fr/")[0] == 1.0
    assert _hints(addresses, "http://a.test/de/")[0] == -1.0


def test_languages_that_nobody_knows_change_nothing() -> None:
    addresses = _addresses("de")
    addresses.want(["xx-unknown"])
    assert _hints(addresses, "http://a.test/de/")[0] == 1.0


def test_words_of_an_address_are_those_of_an_anchor() -> None:
    words = _slots("farm.test/Barley_fields/rye.html")
    assert _slots("barley fields rye") <= words


_CODE = re.compile(r"[/.\-_=]([a-z]{2})(?=[/.\-_&]|$)")
_BEFORE_ENDING = re.compile(r"\.([a-z]{2})\.[a-z]{3,5}$")


@given(st.lists(st.text("/.-_=&?dEfrx1é", max_size=30), min_size=1, max_size=5))
def test_many_addresses_are_read_as_the_rule_says(paths: list[str]) -> None:
    addresses = _addresses("de", "fr")
    urls = [f"http://a.test/{path}" for path in paths]
    found = addresses.signs([(url, "a.test", "") for url in urls])
    for url, (folder, _, hint, _) in zip(urls, found.tolist(), strict=True):
        at = url.index("/", 8)
        codes = [*_BEFORE_ENDING.findall(url.lower(), at), *_CODE.findall(url.lower(), at)]
        known = [addresses.hints[addresses.number(code)] for code in codes if addresses.number(code)]
        assert folder == addresses.folder(url)
        assert addresses.hints[hint] == (known[0] if known else 0.0)


def test_pages_of_a_folder_share_it_and_hosts_are_told_apart() -> None:
    addresses = _addresses()
    assert addresses.folder("http://a.test/x/1") == addresses.folder("http://a.test/x/2")
    assert addresses.folder("http://a.test/x/1") != addresses.folder("http://a.test/y/1")
    [[folder, host, *_]] = addresses.signs([("http://a.test/x/1", "a.test", "")])
    assert (folder, host) == (addresses.folder("http://a.test/x/1"), addresses.host("a.test"))
    assert addresses.host("a.test") != addresses.host("b.test")


@pytest.mark.parametrize(
    "url", ["http://a.test", "http://a.test/%ff\udcff", "http://[::1]/", "", "http://a.test/" + "x/" * 999]
)
def test_no_address_breaks_it(url: str) -> None:
    host = url.removeprefix("http://").partition("/")[0]
    assert _addresses("de").signs([(url, host, "")] * 2).shape == (2, 4)
    words = _slots(url)
    assert len(set(words)) == len(words)
