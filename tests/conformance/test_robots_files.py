"""4,231 real robots.txt files, and none that breaks the parser."""

import os
import tarfile
from functools import cache
from pathlib import Path

import pytest

from opilio.core.url import Url
from opilio.fetch import Rules
from opilio.fetch.robots import parse_rules

PRODUCTS = ("Opilio", "Googlebot", "GPTBot", "a-b_c", "*", "é")
PAGE = Url("http://host.example/a/page.html?x=1", "http", "host.example", 80, "/a/page.html", "x=1")


@cache
def _files() -> list[bytes]:
    folder = os.environ.get("OPILIO_DATA")
    path = Path(folder or "") / "vectors" / "robots-files.tar.gz"
    if not folder or not path.exists():
        pytest.skip("OPILIO_DATA names no folder with vectors/robots-files.tar.gz")
    with tarfile.open(path) as archive:
        return [file.read() for member in archive if (file := archive.extractfile(member)) is not None]


def _same(one: Rules, other: Rules) -> bool:
    return (one.source, one.sitemaps, one.signals, one.crawl_delay_s, one.allows(PAGE)) == (
        other.source,
        other.sitemaps,
        other.signals,
        other.crawl_delay_s,
        other.allows(PAGE),
    )


def test_every_real_file_is_read_and_rebuilt() -> None:
    assert len(_files()) == 4_231
    for number, text in enumerate(_files()):
        product = PRODUCTS[number % len(PRODUCTS)]
        rules = parse_rules(text, product, 500 * 2**10)
        assert _same(rules, parse_rules(rules.source, product, len(rules.source)))


@pytest.mark.parametrize("product", ["Googlebot", "*", "é"])
def test_a_tenth_of_the_files_answers_for_every_product(product: str) -> None:
    for text in _files()[::10]:
        assert parse_rules(text, product, 500 * 2**10).allows(PAGE) in {True, False}
