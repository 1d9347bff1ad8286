"""A page that asks not to be used is not used, whoever says so and however it is spelt."""

import pytest

from opilio.core.items import Signal
from opilio.keep.rights import opt_out


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("robots", "noindex"),
        ("robots", "NOFOLLOW, NoIndex"),
        ("robots", "none"),
        ("ROBOTS", "noai, noimageai"),
        ("x-robots-tag", "noml"),
        ("X-Robots-Tag", "nosnippet , noai"),
        ("opilio", "noindex"),
        ("tdm-reservation", "1"),
        ("tdm-reservation", " 1 "),
        ("content-usage", "train-ai=n"),
        ("Content-Usage", "search=y, train-ai = n"),
        ("content-signal", "search=yes, ai-train=no"),
        ("noai", ""),
    ],
)
def test_a_refusal_is_heard(name: str, value: str) -> None:
    said = opt_out([Signal("meta", "robots", "nofollow"), Signal("header", name, value)])
    assert said.startswith(f"header: {name}")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("robots", ""),
        ("robots", "index, follow"),
        ("robots", "nofollow, noarchive"),
        ("robots", "noindexing"),
        ("robots", "max-snippet:-1"),
        ("tdm-reservation", "0"),
        ("tdm-reservation", "yes"),  # an invalid value counts as none
        ("tdm-reservation", "11"),
        ("tdm-policy", "https://example.org/noai"),
        ("content-usage", "train-ai=y"),
        ("content-signal", "ai-train=yes, search=no"),
        ("description", "noindex"),
    ],
)
def test_what_is_no_refusal_does_not_keep_a_page_out(name: str, value: str) -> None:
    assert opt_out([Signal("header", name, value)]) == ""


def test_no_signals_are_no_refusal() -> None:
    assert opt_out([]) == ""


def test_the_first_refusal_is_told_in_words() -> None:
    signals = [Signal("robots.txt", "content-signal", "ai-train=no"), Signal("meta", "robots", "noai")]
    assert opt_out(signals) == "robots.txt: content-signal=ai-train=no"
    assert opt_out([Signal("header", "noai", "")]) == "header: noai"
