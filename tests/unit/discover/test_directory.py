"""The scout's directory: what is found, drawn and probed, and what it remembers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from opilio.core.errors import CrawlDirError
from opilio.core.outcome import Drop
from opilio.discover import Find
from opilio.discover.blocklist import read_blocklist
from opilio.discover.directory import Directory
from opilio.discover.entries import DirectoryReader, Entry
from opilio.discover.probe import Probe
from opilio.discover.probe_rows import Pair
from opilio.discover.url_filter import Refusal, UrlFilter

RULES = UrlFilter(read_blocklist())
SHORT_CHARS = 26
PROBE = Probe(
    probed="2026-01-01T00:00:00Z", html_chars=9_000, text_chars=2_000, main_chars=1_500, tokens=300, in_links=3, out_links=2,
    address="192.0.2.1", digest="d", language="id", confidence=0.9, language_by="text", declared_language="", badness=2.0,
    licence="", feed=False, translated="", apart="",
)  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "scout.db"


@pytest.fixture
def directory(path: Path) -> Iterator[Directory]:
    with Directory(path) as opened:
        yield opened


def take(directory: Directory, *urls: str, source: str = "list", **fields: object) -> None:
    directory.take(source, [Find(url, **fields) for url in urls], RULES, SHORT_CHARS)  # type: ignore[arg-type]
    directory.commit()


def entries(path: Path) -> dict[str, Entry]:
    with DirectoryReader(path) as reader:
        return {entry.url: entry for entry in reader.entries()}


def page(name: str) -> str:
    return f"https://www.{name}.example/a/page/of/it"


def test_every_find_ends_as_a_candidate_or_as_a_row_with_a_drop(directory: Directory, path: Path) -> None:
    take(directory, page("one"), "https://youtube.com/watch?v=123456", "not a URL")
    found = entries(path)
    assert found[page("one")].state == "found"
    assert found["https://youtube.com/watch?v=123456"].drop is Drop.UNWANTED_HOST
    assert found["https://youtube.com/watch?v=123456"].detail == "films"
    assert found["not a URL"].drop is Drop.MALFORMED_URL


def test_a_url_that_several_sources_mention_is_one_row_with_several_finds(directory: Directory, path: Path) -> None:
    take(directory, page("one"), source="a", origin="here")
    take(directory, f"{page('one')}#top", source="b", origin="there", topic="Cats")
    take(directory, page("one"), source="b", origin="there", topic="Cats")  # said again, as after a kill
    [entry] = entries(path).values()
    assert (entry.finds, entry.sources, entry.origins, entry.topics) == (2, ("a", "b"), ("here", "there"), ("Cats",))


def test_a_url_that_only_rejected_messages_name_is_set_aside_until_somebody_else_names_it(
    directory: Directory, path: Path
) -> None:
    take(directory, page("one"), set_aside=True)
    assert entries(path)[page("one")].drop is Drop.SET_ASIDE
    assert directory.draw(1, 0) == 0
    take(directory, page("one"), group="other")
    assert entries(path)[page("one")].drop is None
    assert directory.draw(1, 0) == 1


def test_messages_are_stored_only_if_they_are_wanted(directory: Directory) -> None:
    find = Find(page("one"), message="hello there")
    directory.take("a", [find], RULES, 0)
    directory.take("b", [find], RULES, 0, messages=True)
    rows = directory.connection.execute("SELECT source, message FROM finds ORDER BY source").fetchall()
    assert rows == [("a", ""), ("b", "hello there")]


# --- short URLs


def test_short_urls_and_those_of_shorteners_wait_until_it_is_known_where_they_lead(directory: Directory) -> None:
    take(directory, "https://bit.ly/a-very-long-name-for-a-short-url", "http://a.example/b", page("one"))
    assert [one.url for one in directory.unresolved()] == [
        "http://a.example/b", "https://bit.ly/a-very-long-name-for-a-short-url",
    ]  # fmt: skip
    assert directory.draw(1, 0) == 1


def test_the_target_of_a_short_url_has_its_finds(directory: Directory, path: Path) -> None:
    take(directory, "https://bit.ly/1", source="a")
    [short] = directory.unresolved()
    directory.lead(short.id, page("one"), None)
    take(directory, "https://bit.ly/1", source="b")  # later
    directory.commit()
    found = entries(path)
    assert found["https://bit.ly/1"].drop is Drop.REDIRECTED
    assert found[page("one")].sources == ("a", "b")
    assert found[page("one")].state == "found"


def test_a_short_url_that_leads_to_an_unwanted_host_is_dropped_there(directory: Directory, path: Path) -> None:
    take(directory, "https://bit.ly/1")
    [short] = directory.unresolved()
    directory.lead(short.id, "https://x.com/1", Refusal(Drop.UNWANTED_HOST, "social network"))
    directory.commit()
    assert entries(path)["https://x.com/1"].drop is Drop.UNWANTED_HOST


# --- drawing


def test_one_url_of_each_registered_domain_is_drawn(directory: Directory) -> None:
    take(directory, *(f"https://{sub}.example.co.uk/page/{n}/x" for sub in ("a", "b") for n in range(9)), page("one"))
    assert directory.draw(1, 0) == 2
    assert directory.draw(1, 0) == 0  # they count from now on


def test_the_draw_does_not_depend_on_the_order_of_the_finds(tmp_path: Path) -> None:
    urls = [f"https://example.org/page/number/{n}" for n in range(50)]
    drawn = []
    for name, order in (("one", urls), ("two", urls[::-1])):
        with Directory(tmp_path / name) as directory:
            take(directory, *order)
            directory.draw(3, 7)
            drawn.append([one.url for one in directory.drawn()])
    assert drawn[0] == drawn[1]
    with Directory(tmp_path / "three") as directory:
        take(directory, *urls)
        directory.draw(3, 8)
        assert [one.url for one in directory.drawn()] != drawn[0]


def test_a_domain_whose_url_fails_is_drawn_from_again_a_few_times(directory: Directory) -> None:
    take(directory, *(f"https://example.org/page/number/{n}" for n in range(50)))
    draws = 0
    while directory.draw(1, 0):
        draws += 1
        for one in directory.drawn():
            directory.drop(one.id, Drop.FETCH_FAILED, "HTTP 404")
    assert draws == 3


# --- probes


def test_a_probe_and_its_links_can_be_read_back(directory: Directory, path: Path) -> None:
    take(directory, page("one"), page("two"))
    directory.draw(1, 0)
    for one in directory.drawn():
        links = [Pair(page("two"), "two.example"), Pair("https://www.one.example/b", "one.example")]
        directory.probes.put(one.id, PROBE, links)
        directory.probes.put(one.id, PROBE, links)  # once more, as after a kill
        directory.end(one.id)
    directory.commit()
    found = entries(path)
    assert found[page("one")].tokens == 300
    assert found[page("one")].is_viable
    assert (found[page("one")].indegree, found[page("two")].indegree) == (1, 1)
    with DirectoryReader(path) as reader:
        assert len(list(reader.pairs())) == 4


def test_a_refresh_tells_what_has_changed_and_what_is_gone(directory: Directory, path: Path) -> None:
    names = ("same", "text", "language", "gone")
    take(directory, *map(page, names))
    directory.draw(1, 0)
    rows = {one.url: one.id for one in directory.drawn()}
    for row in rows.values():
        directory.probes.put(row, PROBE, ())
        directory.end(row)
    assert directory.draw_again() == 4
    after = {"same": PROBE, "text": probe(digest="other"), "language": probe(language="ms")}
    for name, seen in after.items():
        directory.probes.put(rows[page(name)], seen, ())
        directory.end(rows[page(name)])
    directory.drop(rows[page("gone")], Drop.FETCH_FAILED, "HTTP 404")
    directory.commit()
    found = entries(path)
    assert {name: (found[page(name)].changed, found[page(name)].state) for name in names} == {
        "same": ("", "probed"), "text": ("text", "probed"), "language": ("language", "probed"), "gone": ("", "gone"),
    }  # fmt: skip


def test_what_is_audited_stays_what_it_is(directory: Directory, path: Path) -> None:
    take(directory, page("one"), set_aside=True)
    take(directory, page("two"))
    assert directory.draw_for_audit(5, 0, set_aside=True) == 1
    assert directory.draw_for_audit(5, 0, set_aside=False) == 1
    for one in directory.drawn():
        directory.probes.put(one.id, PROBE, ())
        directory.end(one.id)
    directory.commit()
    found = entries(path)
    assert (found[page("one")].drop, found[page("one")].language) == (Drop.SET_ASIDE, "id")
    assert found[page("two")].state == "found"
    assert not any(entry.is_viable for entry in found.values())


def probe(**fields: str) -> Probe:
    return replace(PROBE, **fields)


# --- the file


def test_what_is_not_a_directory_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    other.write_bytes(b"something else, and long enough not to be taken for an empty file" * 20)
    before = other.read_bytes()
    with pytest.raises(CrawlDirError, match="another file"):
        Directory(other)
    with pytest.raises(CrawlDirError, match="scout run"):
        DirectoryReader(other)
    with pytest.raises(CrawlDirError, match="there is no directory"):
        DirectoryReader(tmp_path / "missing.db")
    assert other.read_bytes() == before


def test_what_was_not_committed_is_gone(path: Path) -> None:
    with Directory(path) as directory:
        take(directory, page("one"))
        directory.take("list", [Find(page("two"))], RULES, 0)
    assert [*entries(path)] == [page("one")]
