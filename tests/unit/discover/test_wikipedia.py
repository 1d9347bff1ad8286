"""Dumps of Wikipedia: real pages, both forms of the table of links, packed and cut off, from a file and over HTTP."""

import bz2
import gzip
import os
from pathlib import Path

import pytest

from opilio.discover.wikipedia import Wikipedia
from tests.unit.discover.asked import Ran, run

DATA = os.environ.get("OPILIO_DATA", "")
HEAD = '<mediawiki xml:lang="de"><siteinfo></siteinfo>'
CREATE = "DROP TABLE IF EXISTS `externallinks`;\nCREATE TABLE `externallinks` (\n  %s,\n  KEY (`el_id`)\n);\n"


def page(title: str, text: str, ns: int = 0) -> str:
    return f"<page><title>{title}</title><ns>{ns}</ns><revision><text bytes='9'>{text}</text></revision></page>"


def dump(*pages: str) -> bytes:
    return f"{HEAD}{''.join(pages)}</mediawiki>".encode()


def read(path: Path, content: bytes, kill_after: int = 0) -> Ran:
    path.write_bytes(content)
    return run(lambda _origin: Wikipedia(str(path)), kill_after=kill_after)


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("[http://a.test/x A page], really", ["http://a.test/x"]),
        ("See http://a.test/x. And http://b.test/y, too", ["http://a.test/x", "http://b.test/y"]),
        ("(http://a.test/x) http://a.test/x_(y)", ["http://a.test/x", "http://a.test/x_(y)"]),
        ("{{cite web|url=http://a.test/x|title=X}}", ["http://a.test/x"]),
        ("{{cite web|title=X|url = https://a.test/x}}", ["https://a.test/x"]),
        ("&lt;ref&gt;http://a.test/x&lt;/ref&gt;", ["http://a.test/x"]),
        ("&lt;ref name=&quot;a&quot;&gt;[http://a.test/x]&lt;/ref&gt;", ["http://a.test/x"]),
        ("http://a.test/?b=1&amp;c=2 x", ["http://a.test/?b=1&c=2"]),
        ("http://a.test/?b=1&amp;amp;copy=2 x", ["http://a.test/?b=1&copy=2"]),
        ("http://a.test/x&amp;nbsp;y", ["http://a.test/x"]),
        ("[//a.test/x both]", ["https://a.test/x"]),
        ("''http://a.test/x'' http://a.test/o'clock", ["http://a.test/x", "http://a.test/o'clock"]),
        ("http://web.archive.org/web/2010/http://a.test/x", ["http://web.archive.org/web/2010/http://a.test/x"]),
        ("&lt;!-- http://hidden.test/ --&gt; http://a.test/x", ["http://a.test/x"]),
        ("http://a.test/x http://a.test/x", ["http://a.test/x"]),
        ("ftp://a.test/x mailto:b@a.test http:// https://", []),
    ],
)
def test_links_end_where_mediawiki_ends_them(tmp_path: Path, text: str, urls: list[str]) -> None:
    assert read(tmp_path / "d.xml", dump(page("T", text))).urls == urls


def test_a_find_has_the_article_and_the_language_of_the_wiki(tmp_path: Path) -> None:
    found = read(tmp_path / "d.xml", dump(page("Gef&amp;Co", "http://a.test/"))).finds
    assert [(find.origin, find.language) for find in found] == [("Gef&Co", "de")]


def test_only_articles_are_read(tmp_path: Path) -> None:
    assert not read(tmp_path / "d.xml", dump(page("Talk:T", "http://a.test/", ns=1))).finds


@pytest.mark.skipif(not DATA, reason="needs OPILIO_DATA")
def test_the_links_of_real_pages_are_found() -> None:
    found = run(lambda _origin: Wikipedia(f"{DATA}/vectors/enwiki-sample.xml.bz2"))
    assert len({(find.origin, find.url) for find in found.finds}) >= 4_980  # of 5,033
    assert {find.language for find in found.finds} == {"en"}


def test_packed_dumps_of_several_streams_are_one_dump(tmp_path: Path) -> None:
    parts = dump(*(page(f"T{number}", f"http://a{number}.test/ {os.urandom(9_000).hex()}") for number in range(200)))
    streams = b"".join(bz2.compress(parts[at : at + 100_000]) for at in range(0, len(parts), 100_000))
    assert len(read(tmp_path / "d.xml.bz2", streams).urls) == 200
    assert len(read(tmp_path / "d.xml.gz", gzip.compress(parts)).urls) == 200


def test_a_dump_is_read_over_http_in_ranges() -> None:
    body = dump(*(page(f"T{number}", f"http://a{number}.test/ {'x' * 2**20}") for number in range(20)))
    ran = run(lambda origin: Wikipedia(f"{origin}/dewiki-pages.xml"), {"/dewiki-pages.xml": body})
    assert (len(ran.urls), ran.paths, ran.error) == (20, ["/dewiki-pages.xml"] * 3, "")


def test_a_kill_loses_no_find_and_a_second_run_repeats_none(tmp_path: Path) -> None:
    pages = dump(*(page(f"T{number}", f"http://a{number}.test/ {'x' * 300_000}") for number in range(30)))
    first = read(tmp_path / "d.xml", pages, kill_after=2)
    second = run(lambda _origin: Wikipedia(str(tmp_path / "d.xml")), memory=first.memory)
    assert 0 < len(first.urls) < 30
    assert first.urls + second.urls == [f"http://a{number}.test/" for number in range(30)]
    assert second.finds[0].language == "de"
    assert not run(lambda _origin: Wikipedia(str(tmp_path / "d.xml")), memory=second.memory).finds


def test_a_dump_that_has_changed_is_read_again(tmp_path: Path) -> None:
    first = read(tmp_path / "d.xml", dump(page("T", "http://a.test/")))
    (tmp_path / "d.xml").write_bytes(dump(page("T", "http://b.test/")) * 2)
    again = run(lambda _origin: Wikipedia(str(tmp_path / "d.xml")), memory=first.memory)
    assert again.urls == ["http://b.test/"] * 2


def test_what_comes_before_a_cut_is_found_and_the_cut_is_told(tmp_path: Path) -> None:
    packed = bz2.compress(
        dump(*(page(f"T{number}", f"http://a{number}.test/ {os.urandom(9_000).hex()}") for number in range(200)))
    )
    ran = read(tmp_path / "d.xml.bz2", packed[: len(packed) // 2])
    assert 0 < len(ran.urls) < 200
    assert "cut off" in ran.error


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("d.xml", b"<html>not a dump</html>", "not a dump of MediaWiki"),
        ("d.sql", b"INSERT INTO `page` VALUES (1,2);\n", "not a table of external links"),
        ("d.xml.bz2", b"BZh9 and then something else", "damaged"),
    ],
)
def test_another_file_is_an_error_that_says_what_to_take(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    assert words in read(tmp_path / name, content).error


def test_a_file_that_does_not_exist_is_an_error() -> None:
    assert "No such file" in run(lambda _origin: Wikipedia("/nowhere/d.xml")).error


def test_the_older_table_of_links_is_read(tmp_path: Path) -> None:
    columns = "`el_id` int(8) NOT NULL,\n  `el_from` int(8),\n  `el_to` blob,\n  `el_index` blob,\n  `el_index_60` varbinary(60)"
    rows = r"(1,7,'http://a.test/it\'s','http://test.a./it\'s','http'),(2,8,'//b.test/(x),(y)','x','y'),(3,9,'mailto:c@d.test','','')"
    ran = read(
        tmp_path / "idwiki-2020-externallinks.sql",
        f"{CREATE % columns}INSERT INTO `externallinks` VALUES {rows};\n".encode(),
    )
    assert ran.urls == ["http://a.test/it's", "https://b.test/(x),(y)"]
    assert (ran.finds[0].origin, ran.finds[0].language) == ("https://id.wikipedia.org/?curid=7", "id")


def test_the_newer_table_of_links_is_read(tmp_path: Path) -> None:
    columns = "`el_id` int,\n  `el_from` int,\n  `el_to_domain_index` varbinary(255),\n  `el_to_path` blob"
    rows = (
        "(1,7,'https://test.a.www.','/x?y=1'),(2,7,'http://test.b.:8080','/'),(3,7,'http://V4.192.0.2.1.',NULL),"
        "(4,7,'mailto:test.c.@d','')"
    )
    statements = f"{CREATE % columns}INSERT INTO `externallinks` VALUES {rows};\n"
    ran = read(tmp_path / "dewiki-x-externallinks.sql.gz", gzip.compress(statements.encode()))
    assert ran.urls == ["https://www.a.test/x?y=1", "http://b.test:8080/", "http://192.0.2.1"]
