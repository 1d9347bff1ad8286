"""What the table `meta` keeps: each property comes back as it was set, in the bytes that the folder's format promises."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from opilio.core.config import NO_CUT, load_config
from opilio.folder import Database, Meta, Tally
from opilio.folder.meta import QueueBounds


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "crawl.db", ())
    yield database
    database.close()


@pytest.fixture
def meta(database: Database) -> Meta:
    return database.meta


def test_a_new_crawl_has_the_values_that_it_begins_with(meta: Meta) -> None:
    assert (meta.config, meta.changed, meta.clock_s, meta.tally) == (None, [], 0.0, Tally())
    assert (meta.clean, meta.lead, meta.lead_object, meta.judge, meta.bounds) == (None, None, "", None, None)


def test_every_property_comes_back_as_it_was_set(meta: Meta) -> None:
    config = load_config(recipe="learned")
    meta.config, meta.changed, meta.clock_s = config, ["stop.pages=7"], 12.5
    meta.tally, meta.clean, meta.lead_object = Tally(pages=3, drops={"duplicate": 1}), False, "MyLead"
    meta.lead, meta.judge, meta.bounds = b"learned", b"judged", QueueBounds((-2.0, -4.0), -6.0)
    assert (meta.config, meta.changed, meta.clock_s) == (config, ["stop.pages=7"], 12.5)
    assert (meta.tally, meta.clean, meta.lead_object) == (Tally(pages=3, drops={"duplicate": 1}), False, "MyLead")
    assert (meta.lead, meta.judge, meta.bounds) == (b"learned", b"judged", QueueBounds((-2.0, -4.0), -6.0))


def test_keys_and_bytes_are_those_of_the_folders_format(database: Database) -> None:
    meta = database.meta
    meta.changed, meta.clock_s, meta.clean = ["a=1"], 2.0, True
    meta.bounds, meta.lead_object = QueueBounds((-2.0,), -6.0), ""
    assert dict(database.connection.execute("SELECT key, value FROM meta").fetchall()) == {
        "changed": b'["a=1"]', "clock": b"2.0", "clean": b"1", "bounds": b'{"bounds":[-2.0],"cut":-6.0}', "lead_object": b"",
    }  # fmt: skip


def test_none_removes_the_key(meta: Meta) -> None:
    meta.lead, meta.bounds = b"learned", QueueBounds((), NO_CUT)
    meta.lead = meta.bounds = None
    assert (meta.read("lead"), meta.read("bounds")) == (None, None)
