"""The public-suffix list's own vectors against `registered_domain`.

A vector asks for the registered domain of a host, or for null where there is none because the host is itself a public
suffix. For us a host always has a domain, since politeness and scope need a key: where the list says null, the host
stands for itself. Hosts come from the URL parser, so they are in lower case, in ASCII and without a leading dot; vectors that
are not are given the form that the parser would give them, or left out where it would refuse them.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from opilio.core.url import Url, parse, registered_domain

_LINE = re.compile(r"^checkPublicSuffix\('([^']+)', (?:'([^']+)'|null)\);", re.MULTILINE)


def _ascii(host: str) -> str | None:
    url = parse(f"http://{host}/")
    return url.host if isinstance(url, Url) and not host.startswith(".") else None


def _vectors() -> Iterator[tuple[str, str]]:
    folder = os.environ.get("OPILIO_DATA")
    path = Path(folder or "") / "vectors" / "public_suffix_tests.txt"
    if not folder or not path.exists():
        pytest.skip("OPILIO_DATA names no folder with vectors/public_suffix_tests.txt")
    for host, domain in _LINE.findall(path.read_text("utf-8")):
        ours = _ascii(host)
        if ours is not None:
            yield ours, _ascii(domain) or ours if domain else ours


def test_every_vector_has_its_registered_domain() -> None:
    vectors = list(_vectors())
    assert len(vectors) > 60
    assert [(host, registered_domain(host)) for host, domain in vectors if registered_domain(host) != domain] == []


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("[2001:db8::1]", "[2001:db8::1]"),
        ("localhost", "localhost"),
        ("co.uk", "co.uk"),
        ("www.example.co.uk", "example.co.uk"),
        ("www.example.com.", "example.com"),
    ],
)
def test_addresses_and_bare_suffixes_stand_for_themselves(host: str, domain: str) -> None:
    assert registered_domain(host) == domain


def test_a_site_is_the_scheme_and_the_domain() -> None:
    url = parse("https://a.b.example.co.uk:8443/x")
    assert isinstance(url, Url)
    assert url.domain == "example.co.uk"
