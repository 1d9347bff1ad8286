"""A page's licence is found where pages say it, and named by one name; the licences of its pictures are not its own."""

import pytest

from opilio.core.items import Page, Signal
from opilio.core.limits import Limits
from opilio.core.url import Url, parse
from opilio.glean import glean
from opilio.keep.rights import licence
from tests.builders import PROSE


def licence_of(head: str = "", foot: str = "") -> str:
    url = parse("http://brook.test/")
    assert isinstance(url, Url)
    html = f"<html><head>{head}</head><body><p>{PROSE}</p><p>{PROSE} Again.</p><footer>{foot}</footer></body></html>"
    page = glean(url, 0, (("Content-Type", "text/html"),), html.encode(), Limits())
    assert isinstance(page, Page)
    return licence(page.signals)


_BY_SA = "https://creativecommons.org/licenses/by-sa/4.0/"


@pytest.mark.parametrize(
    ("head", "foot", "name"),
    [
        (f'<link rel="license" href="{_BY_SA}">', "", "CC BY-SA 4.0"),
        ("", f'<p><a rel="license" href="{_BY_SA}deed.de">Licence</a></p>', "CC BY-SA 4.0"),
        ("", f'<p><a href="{_BY_SA}">some rights reserved</a></p>', "CC BY-SA 4.0"),
        ('<meta name="dcterms.license" content="http://creativecommons.org/licenses/by/3.0/de/">', "", "CC BY 3.0 DE"),
        (f'<script type="application/ld+json">{{"@type":"WebPage","license":"{_BY_SA}"}}</script>', "", "CC BY-SA 4.0"),
        ("", "<p>Text is available under the Creative Commons Attribution-ShareAlike License 4.0.</p>", "CC BY-SA 4.0"),
        ("", "<p>Dieser Text ist unter CC BY-NC 3.0 veröffentlicht, Lizenz: CC-BY-NC 3.0</p>", "CC BY-NC 3.0"),
        ("", "<p>Content is available under the GNU Free Documentation License.</p>", "GFDL"),
        ("", '<p><a rel="license" href="https://creativecommons.org/publicdomain/zero/1.0/">CC0</a></p>', "CC0 1.0"),
        ('<link rel="license" href="https://brook.test/terms">', "", "https://brook.test/terms"),
        ("", "<p>© 2019 The Daily Brook. All rights reserved.</p>", ""),
        ("", f'<p><a href="{_BY_SA}">photo 1</a> <a href="https://creativecommons.org/licenses/by/2.0/">photo 2</a></p>', ""),
        ("", "", ""),
    ],
)  # fmt: skip
def test_a_licence_is_found_and_named(head: str, foot: str, name: str) -> None:
    assert licence_of(head, foot) == name


def test_the_surest_signal_counts() -> None:
    signals = [Signal("text", "license", "licensed under CC BY 2.0"), Signal("link", "license", _BY_SA)]
    assert licence(signals) == "CC BY-SA 4.0"
    assert licence([Signal("robots.txt", "license", _BY_SA), Signal("meta", "copyright", "CC BY 2.0")]) == ""
