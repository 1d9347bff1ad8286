"""What a reader beside the crawl finds in the tables of links and hosts."""

import sqlite3
from collections.abc import Iterator

import msgspec
import pytest

from opilio.core.items import Link, Place, Sighting
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import fingerprint
from opilio.enqueue import SCHEMA, Ending, LinkReader, SqliteStore, State, StoredLink
from opilio.enqueue.links import Links
from opilio.enqueue.reader import HostCount, JudgedPages, MetLink
from opilio.enqueue.store import StoredHost

KEPT = Ending(None, Outcome.OK, 200, 5.0, 0.9, True, "")
NOT_RELEVANT = Ending(Drop.NOT_RELEVANT, Outcome.OK, 200, 6.0, 0.1, False, "keywords: none")
MOVED = Ending(Drop.REDIRECTED, Outcome.OK, 301, 7.0, None, False, "http://b.test/new")


def _link(number: int, parent: int = 0, host: int = 1, bucket: int = 0, state: State = State.QUEUED) -> StoredLink:
    url = f"http://a.test/{number}"
    return StoredLink(number, fingerprint(url), url, host, state, bucket, 0.5, 1, 0, 0, parent, "text", 1.0)


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA)
    yield connection
    connection.close()


@pytest.fixture
def store(connection: sqlite3.Connection) -> SqliteStore:
    """Six links in a row, each found on the page before: kept, not relevant, moved, two queued, one waiting."""
    store = SqliteStore(connection)
    links = [_link(1), _link(2, 1), _link(3, 2), _link(4, 3, 2, 1), _link(5, 4, 2, 1), _link(6, 5, 2, 2, State.WAITING)]
    store.insert(links)
    for number, ending in enumerate((KEPT, NOT_RELEVANT, MOVED), 1):
        store.lease(number)
        store.finish(number, ending)
    store.save_hosts(
        [
            StoredHost(1, "a.test", "", 0.0, 0.0, 0, 3, None),
            StoredHost(2, "b.test", "", 9.0, 1.0, 2, 0, Drop.HOST_DEAD),
        ]
    )
    return store


@pytest.fixture
def reader(connection: sqlite3.Connection, store: SqliteStore) -> LinkReader:  # the store fills the tables
    return LinkReader(connection)


def test_a_link_is_found_by_its_url_with_all_that_is_known_of_it(reader: LinkReader) -> None:
    done = _link(2, 1)._replace(state=State.DONE, drop=Drop.NOT_RELEVANT)
    assert reader.find("http://a.test/2") == MetLink(done, NOT_RELEVANT)
    assert reader.find("http://a.test/5") == MetLink(_link(5, 4, 2, 1), Ending(None))
    assert reader.find("http://a.test/7") is None


def test_links_that_were_passed_over_are_found_by_their_pages(store: SqliteStore, reader: LinkReader) -> None:
    urls = [f"http://a.test/passed/{number}" for number in range(300)]
    store.put_unfollowed(2, Drop.NOFOLLOW, [fingerprint(url) for url in urls])
    store.put_unfollowed(1, Drop.NOFOLLOW, [fingerprint(urls[7])])
    assert [(page.id, drop) for page, drop in reader.unfollowed(urls[7])] == [(1, Drop.NOFOLLOW), (2, Drop.NOFOLLOW)]
    assert [page.id for page, _ in reader.unfollowed(urls[299])] == [2]
    assert list(reader.unfollowed("http://a.test/1")) == []


def test_a_fingerprint_is_not_found_across_two_others(store: SqliteStore, reader: LinkReader) -> None:
    key = fingerprint("http://a.test/passed").to_bytes(8, "little", signed=True)
    around = (bytes(4) + key[:4], key[4:] + bytes(4))
    store.put_unfollowed(1, Drop.NOFOLLOW, [int.from_bytes(part, "little", signed=True) for part in around])
    assert list(reader.unfollowed("http://a.test/passed")) == []


def test_a_folder_from_before_links_were_passed_over_is_read(
    connection: sqlite3.Connection, reader: LinkReader
) -> None:
    connection.execute("DROP TABLE unfollowed")
    assert list(reader.unfollowed("http://a.test/1")) == []


def test_ancestors_lead_back_to_the_seed(reader: LinkReader) -> None:
    assert [link.id for link in reader.ancestors(reader.read(6))] == [5, 4, 3, 2, 1]
    assert [link.id for link in reader.ancestors(reader.read(6), most=2)] == [5, 4]
    assert list(reader.ancestors(reader.read(1))) == []


def test_links_are_read_together_in_the_order_asked_for(reader: LinkReader) -> None:
    assert reader.read_all([6, 1, 4]) == [reader.read(6), reader.read(1), reader.read(4)]
    assert reader.read_all([]) == []


def test_links_are_counted_by_what_became_of_them(reader: LinkReader) -> None:
    assert reader.states() == {State.QUEUED: 2, State.WAITING: 1, State.DONE: 3}
    assert reader.buckets() == {1: 2, 2: 1}
    assert reader.judged() == JudgedPages(2, 1)
    assert (reader.count_dropped(Drop.NOT_RELEVANT), reader.count_pages()) == (1, 3)
    assert [(link.id, ending) for link, ending in reader.dropped(Drop.REDIRECTED)] == [(3, MOVED)]


def test_hosts_are_read_and_counted(reader: LinkReader) -> None:
    assert reader.host(2) == StoredHost(2, "b.test", "", 9.0, 1.0, 2, 0, Drop.HOST_DEAD)
    assert reader.count_hosts() == HostCount(2, 1)
    assert (reader.count_queued(1), reader.count_queued(2)) == (0, 2)
    assert reader.fetched_by_host() == {1: 3}
    assert reader.pages_by_host() == {1: 3, 2: 3}
    assert reader.drops_by_host() == {1: {Drop.NOT_RELEVANT: 1, Drop.REDIRECTED: 1}}


def test_sightings_come_back(store: SqliteStore, reader: LinkReader) -> None:
    also = (Place(7, "html body ul li a", "next"),)
    seen = Sighting(3, "http://a.test/3", 0.5, True, Link("http://a.test/4", "a.test", "text", also=also))
    Links(store.connection, str).put_sightings([(4, (seen,))])
    assert reader.sightings([5, 4]) == [(), (seen,)]


def test_a_sighting_that_an_older_opilio_has_stored_has_no_other_places(
    connection: sqlite3.Connection, reader: LinkReader
) -> None:
    seen = Sighting(3, "http://a.test/3", 0.5, True, Link("http://a.test/4", "a.test", "text"))
    old = msgspec.to_builtins(seen)
    del old["link"]["also"]
    connection.execute("INSERT INTO sightings VALUES (4, ?)", (msgspec.msgpack.encode([old]),))
    assert reader.sightings([4]) == [(seen,)]


def test_a_correction_changes_how_a_link_ended_and_nothing_else(store: SqliteStore, reader: LinkReader) -> None:
    store.overrule(1, Drop.MARKED_NO, "by the operator")
    corrected = KEPT._replace(drop=Drop.MARKED_NO, detail="by the operator")
    assert store.read(1) == _link(1)._replace(state=State.DONE, drop=Drop.MARKED_NO)
    found = reader.find("http://a.test/1")
    assert found is not None
    assert found.ending == corrected


def test_seeds_are_the_links_without_a_parent(reader: LinkReader) -> None:
    assert [found.link.id for found in reader.seeds()] == [1]
    assert reader.count_seeds() == 1


def test_a_host_that_was_given_up_remembers_its_last_failure(reader: LinkReader, store: SqliteStore) -> None:
    assert reader.last_failure(2) is None
    assert store.clear_host(2, Drop.HOST_DEAD, Outcome.CONNECT_REFUSED) == [4, 5, 6]
    assert reader.last_failure(2) is Outcome.CONNECT_REFUSED


def test_the_last_attempt_of_a_link_that_is_tried_again_is_known(reader: LinkReader, store: SqliteStore) -> None:
    store.lease(4)
    seen = Ending(None, Outcome.RESET, 0, 5.0, detail="ConnectionResetError")
    store.requeue(4, 1, seen)
    found = reader.met(4)
    assert (found.link.state, found.link.tries, found.ending) == (State.QUEUED, 1, seen)
