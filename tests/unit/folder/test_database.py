"""The crawl's database: what is committed lasts, and a file of another kind or version is refused and left as it is."""

import sqlite3
from pathlib import Path

import pytest

from opilio.core.errors import CrawlDirError, OpilioError
from opilio.folder.database import SCHEMA_VERSION, Database, open_readonly
from opilio.folder.meta import META_SCHEMA

TABLE = "CREATE TABLE IF NOT EXISTS things (name TEXT);"


def _other_version(path: Path, version: int, journal: str) -> bytes:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA journal_mode={journal}")
    connection.execute("CREATE TABLE links (id INTEGER)")
    connection.execute(f"PRAGMA user_version={version}")
    connection.commit()
    connection.close()
    return path.read_bytes()


@pytest.mark.parametrize(("version", "age"), [(SCHEMA_VERSION + 1, "a newer"), (0, "an older")])
@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
def test_another_format_is_refused_and_nothing_is_changed(tmp_path: Path, version: int, age: str, journal: str) -> None:
    path = tmp_path / "crawl.db"
    before = _other_version(path, version, journal)
    with pytest.raises(
        CrawlDirError, match=rf"crawl\.db was written by {age} version.*format {version}.*Nothing was changed"
    ):
        Database(path, [TABLE])
    with pytest.raises(CrawlDirError, match=f"format {version}"):
        open_readonly(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("left", ["", META_SCHEMA])
def test_a_crawl_that_was_killed_while_it_began_begins_anew(tmp_path: Path, left: str) -> None:
    path = tmp_path / "crawl.db"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.executescript(left)
    connection.close()
    with pytest.raises(CrawlDirError, match=r"holds no crawl yet.*Run the command that began it again"):
        open_readonly(path)
    with Database(path, [TABLE]) as database:
        database.connection.execute("INSERT INTO things VALUES ('kept')")
        database.commit()
    open_readonly(path).close()


def test_tables_and_version_are_made_at_once(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    with pytest.raises(CrawlDirError):
        Database(path, [TABLE, "THIS IS NOT SQL;"])
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    connection.close()
    Database(path, [TABLE]).close()


def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    path.write_bytes(b"this is a letter, not a database\n" * 100)
    with pytest.raises(CrawlDirError, match=r"cannot read .*crawl\.db.*not a database.*new folder"):
        Database(path, [TABLE])
    assert path.read_bytes().startswith(b"this is a letter")


def test_a_reader_of_what_is_no_database_hears_it_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    path.write_bytes(b"this is a letter, not a database\n" * 100)
    with pytest.raises(CrawlDirError):
        open_readonly(path)


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(OpilioError, match="no-such-folder"):
        Database(tmp_path / "no-such-folder" / "crawl.db", [TABLE])
    with pytest.raises(CrawlDirError, match=r"holds no crawl.*opilio crawl"):
        open_readonly(tmp_path / "crawl.db")


def test_only_what_was_committed_lasts(tmp_path: Path) -> None:
    database = Database(tmp_path / "crawl.db", [TABLE])
    database.meta.clock_s = 1.0
    database.connection.execute("INSERT INTO things VALUES ('kept')")
    database.commit()
    database.meta.clock_s = 2.0
    database.connection.execute("INSERT INTO things VALUES ('lost')")
    database.close()
    database = Database(tmp_path / "crawl.db", [TABLE])
    assert database.meta.clock_s == 1.0
    assert database.connection.execute("SELECT name FROM things").fetchall() == [("kept",)]
    database.close()


def test_commits_are_durable_in_the_strongest_mode_that_is_offered(tmp_path: Path) -> None:
    database = Database(tmp_path / "crawl.db", [])
    modes = [database.connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
    assert modes == ["wal", 2]
    database.close()


def test_a_reader_beside_the_writer_sees_commits_and_cannot_write(tmp_path: Path) -> None:
    database = Database(tmp_path / "crawl.db", [TABLE])
    database.commit()
    reader = open_readonly(tmp_path / "crawl.db")
    database.connection.execute("INSERT INTO things VALUES ('one')")
    assert reader.execute("SELECT count(*) FROM things").fetchone()[0] == 0
    database.commit()
    assert reader.execute("SELECT count(*) FROM things").fetchone()[0] == 1
    with pytest.raises(sqlite3.OperationalError):
        reader.execute("INSERT INTO things VALUES ('two')")
    reader.close()
    database.close()
