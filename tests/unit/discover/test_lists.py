"""Sources that are files: lists of URLs, tables and the Open Directory."""

import gzip
from pathlib import Path

import pytest

from opilio.core.config import load_config
from opilio.core.plugin import Context, build_plugin
from opilio.discover import Source
from opilio.discover.dmoz import Dmoz
from opilio.discover.table import Table
from opilio.discover.urls import Urls
from tests.unit.discover.asked import Ran, run

SITE = '<ExternalPage about="%s">\n <d:Title>T</d:Title>\n <topic>%s</topic>\n</ExternalPage>\n'


def read(path: Path, content: str | bytes, make: type[Source] = Urls, **options: object) -> Ran:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return run(lambda _origin: make(str(path), **options))  # type: ignore[call-arg]


def test_a_list_has_a_url_a_line_and_comments(tmp_path: Path) -> None:
    text = "\ufeff# seeds\nhttp://a.test/x#part # the first\r\n\n  www.b.test/y\nhttp://c.test/"
    assert read(tmp_path / "l", text).urls == ["http://a.test/x#part", "http://www.b.test/y", "http://c.test/"]


def test_a_list_may_be_packed_and_at_a_url() -> None:
    ran = run(
        lambda origin: Urls(f"{origin}/list.gz"), {"/list.gz": gzip.compress(b"http://a.test/\nhttp://b.test/\n")}
    )
    assert ran.urls == ["http://a.test/", "http://b.test/"]


def test_a_list_at_a_url_that_is_not_there_says_so() -> None:
    assert "404" in run(lambda origin: Urls(f"{origin}/nothing")).error


def test_a_list_that_has_grown_is_read_again_and_one_that_has_not_is_not(tmp_path: Path) -> None:
    first = read(tmp_path / "l", "http://a.test/\n")
    assert not run(lambda _origin: Urls(str(tmp_path / "l")), memory=first.memory).finds
    (tmp_path / "l").write_text("http://a.test/\nhttp://b.test/\n")
    assert "http://b.test/" in run(lambda _origin: Urls(str(tmp_path / "l")), memory=first.memory).urls


def test_a_source_that_needs_a_place_says_how_to_name_one() -> None:
    context = Context(load_config(), None)
    with pytest.raises(Exception, match="--source urls=FILE"):
        build_plugin("source", {"name": "urls", "where": ""}, context)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("name,URL,lang\nA,http://a.test/,German\n", {}),
        ("name;site;lang\nA;http://a.test/;de\n", {"column": "site"}),
        ("http://a.test/\tde\n", {"language": 2}),
        ("lang|x|website\nde|y|a.test/\n", {}),
    ],
)
def test_the_column_of_urls_is_found_or_chosen(tmp_path: Path, text: str, options: dict[str, object]) -> None:
    assert read(tmp_path / "t.csv", text, Table, **options).urls == ["http://a.test/"]


def test_language_and_topic_have_columns_of_their_own(tmp_path: Path) -> None:
    text = 'url,l,t\nhttp://a.test/,Deutsch,"Cats, and\ndogs"\nhttp://b.test/,,\n'
    found = read(tmp_path / "t.csv", text, Table, language="l", topic="t").finds
    assert [(find.url, find.language, find.topic) for find in found] == [
        ("http://a.test/", "de", "Cats, and\ndogs"),
        ("http://b.test/", "", ""),
    ]


def test_a_table_is_resumed_inside_of_a_cell(tmp_path: Path) -> None:
    rows = "".join(f'http://a{number}.test/,"{"x" * 1_000}\n{"y" * 1_000}"\n' for number in range(2_000))
    (tmp_path / "t.csv").write_text(f"url,text\n{rows}")
    first = run(lambda _origin: Table(str(tmp_path / "t.csv")), kill_after=1)
    second = run(lambda _origin: Table(str(tmp_path / "t.csv")), memory=first.memory)
    assert first.urls + second.urls == [f"http://a{number}.test/" for number in range(2_000)]


@pytest.mark.parametrize("options", [{}, {"column": "nothing"}, {"column": 9}])
def test_a_table_without_such_a_column_names_those_that_it_has(tmp_path: Path, options: dict[str, object]) -> None:
    assert "Its columns are a, b" in read(tmp_path / "t.csv", "a,b\n1,2\n", Table, **options).error


def test_a_row_that_cannot_be_read_is_left_out_and_a_file_of_such_is_an_error(tmp_path: Path) -> None:
    text = f"url\nhttp://a.test/\rb,c\nhttp://b.test/,{'x' * 200_000}\nhttp://c.test/\n"
    assert read(tmp_path / "t.csv", text, Table).urls == ["http://c.test/"]
    assert "does not begin with a row" in read(tmp_path / "u.csv", "url\rhttp://a.test/\r", Table).error


def test_sites_of_the_directory_have_its_categories_and_languages(tmp_path: Path) -> None:
    text = '<?xml version="1.0"?><RDF>' + SITE % ("http://a.test/?x=1&amp;y=2", "Top/World/Deutsch/Kultur")
    text += (
        SITE % ("http://b.test/", "Top/Science/Biology")
        + SITE % ("http://c.test/", "Top/World/Bahasa_Indonesia")
        + "</RDF>"
    )
    found = read(tmp_path / "c.rdf.gz", gzip.compress(text.encode()), Dmoz).finds
    assert [(find.url, find.language, find.topic) for find in found] == [
        ("http://a.test/?x=1&y=2", "de", "Top/World/Deutsch/Kultur"),
        ("http://b.test/", "en", "Top/Science/Biology"),
        ("http://c.test/", "id", "Top/World/Bahasa_Indonesia"),
    ]


def test_only_sites_in_the_languages_and_the_part_that_are_wanted_are_found(tmp_path: Path) -> None:
    text = (
        SITE % ("http://a.test/", "Top/World/Deutsch/A")
        + SITE % ("http://b.test/", "Top/B")
        + SITE % ("http://c.test/", "Top/BC")
    )
    assert read(tmp_path / "c", text, Dmoz, languages=("de",)).urls == ["http://a.test/"]
    assert read(tmp_path / "c", text, Dmoz, under="Top/B").urls == ["http://b.test/"]


def test_entities_of_the_directory_are_not_expanded(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>' + SITE % ("http://a.test/&b;", "Top/&b;")
    assert read(tmp_path / "c", bomb, Dmoz).urls == ["http://a.test/&b;"]


def test_another_file_than_the_directory_says_what_to_take(tmp_path: Path) -> None:
    assert "content.rdf.u8" in read(tmp_path / "c", "<html></html>", Dmoz).error
