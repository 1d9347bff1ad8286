"""Shards hold exactly what was committed, after any kind of stop and on any kind of disk."""

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from opilio.core.errors import StorageError
from opilio.folder.database import Database
from opilio.keep import SCHEMA, Shards
from opilio.keep.shards import Place


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "crawl.db", [SCHEMA])
    yield database
    database.close()


def _shards(database: Database, folder: Path, max_bytes: int = 1000, head: bytes = b"") -> Shards:
    return Shards(database.connection, folder, "pages", ".zst", max_bytes, lambda _name: head)


def _opened(database: Database, folder: Path, max_bytes: int = 1000, head: bytes = b"") -> Shards:
    shards = _shards(database, folder, max_bytes, head)
    shards.recover()
    return shards


def test_a_record_lies_where_its_place_says(database: Database, tmp_path: Path) -> None:
    shards = _opened(database, tmp_path, head=b"HEAD")
    places = [shards.append(record) for record in (b"first", b"second")]
    shards.sync()
    shards.close()
    assert places == [Place(0, 4, 5), Place(0, 9, 6)]
    assert shards.path(0).read_bytes() == b"HEADfirstsecond"


def test_a_full_shard_is_followed_by_the_next_with_its_own_head(database: Database, tmp_path: Path) -> None:
    shards = _opened(database, tmp_path, max_bytes=10, head=b"H:")
    places = [shards.append(b"x" * 6) for _ in range(4)]
    shards.sync()
    shards.close()
    assert places == [Place(0, 2, 6), Place(0, 8, 6), Place(1, 2, 6), Place(1, 8, 6)]
    assert [shards.path(number).stat().st_size for number in (0, 1)] == [14, 14]
    assert shards.path(0).name == "pages-00000.zst"


def test_a_torn_tail_is_cut_once_and_writing_goes_on_behind_the_cut(database: Database, tmp_path: Path) -> None:
    shards = _opened(database, tmp_path)
    shards.append(b"whole")
    shards.sync()
    database.commit()
    shards.append(b"torn")
    shards.close()
    shards = _shards(database, tmp_path)
    assert [shards.recover() for _ in range(2)] == [4, 0]
    assert shards.path(0).read_bytes() == b"whole"
    assert shards.append(b"next") == Place(0, 5, 4)
    shards.sync()
    shards.close()
    assert shards.path(0).read_bytes() == b"wholenext"


def test_a_shard_that_no_commit_names_is_removed(database: Database, tmp_path: Path) -> None:
    shards = _opened(database, tmp_path, max_bytes=4)
    shards.append(b"whole")
    shards.sync()
    database.commit()
    shards.append(b"lost")
    shards.sync()
    shards.close()
    database.close()
    again = Database(tmp_path / "crawl.db", [SCHEMA])
    shards = _shards(again, tmp_path, max_bytes=4)
    assert shards.recover() == 4
    assert not shards.path(1).exists()
    assert shards.append(b"next") == Place(1, 0, 4)
    shards.close()
    again.close()


def test_a_missing_shard_is_named(database: Database, tmp_path: Path) -> None:
    shards = _opened(database, tmp_path)
    shards.append(b"whole")
    shards.sync()
    database.commit()
    shards.close()
    shards.path(0).unlink()
    with pytest.raises(StorageError, match=r"pages-00000\.zst is missing or shorter than the 5 bytes.*backup"):
        _shards(database, tmp_path).recover()


def test_a_shard_that_lost_bytes_is_named_and_not_filled_up(database: Database, tmp_path: Path) -> None:
    shards = _opened(database, tmp_path)
    shards.append(b"whole")
    shards.sync()
    database.commit()
    shards.close()
    os.truncate(shards.path(0), 3)
    with pytest.raises(StorageError, match=r"pages-00000\.zst is missing or shorter"):
        _shards(database, tmp_path).recover()
    assert shards.path(0).read_bytes() == b"who"


def test_a_full_disk_is_an_error_that_says_what_is_safe(database: Database, tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    shards = _opened(database, tmp_path)
    shards.path(0).parent.mkdir()
    shards.path(0).symlink_to("/dev/full")
    shards.append(b"record")
    with pytest.raises(StorageError, match=r"pages-00000\.zst: No space left.*Nothing acknowledged is lost"):
        shards.sync()
    shards.close()  # must not speak up again: it would hide the sentence above
    assert database.connection.execute("SELECT count(*) FROM shards").fetchone()[0] == 0


_LIMITED = """
import sys
from pathlib import Path
from opilio.folder.database import Database
from opilio.core.errors import StorageError
from opilio.keep import SCHEMA, Shards
database = Database(Path(sys.argv[1]) / "crawl.db", [SCHEMA])
shards = Shards(database.connection, Path(sys.argv[1]), "pages", ".zst", 2**30, lambda _name: b"")
shards.recover()
try:
    for _ in range(64):
        shards.append(bytes(2**16))
        shards.sync()
        database.commit()
except StorageError as error:
    print(error)
shards.close()
database.close()
"""


def test_a_file_that_may_not_grow_stops_the_writer_and_what_was_committed_stays(tmp_path: Path) -> None:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2**20 + 12345, 2**20 + 12345))

    run = subprocess.run(
        [sys.executable, "-c", _LIMITED, str(tmp_path)], preexec_fn=limit, capture_output=True, text=True, check=False
    )
    assert "the disk refused a write" in run.stdout, run.stderr
    database = Database(tmp_path / "crawl.db", [SCHEMA])
    shards = _shards(database, tmp_path, 2**30)
    assert shards.recover() == 12345
    assert shards.path(0).stat().st_size == 2**20
    shards.close()
    database.close()


def test_a_folder_that_cannot_be_written_is_named(database: Database, tmp_path: Path) -> None:
    shards = _opened(database, tmp_path)
    (tmp_path / "pages" / "pages-00000.zst").mkdir(parents=True)
    with pytest.raises(StorageError, match=r"pages-00000\.zst"):
        shards.append(b"record")


def test_dead_records_are_counted_and_their_shard_can_be_forgotten(database: Database, tmp_path: Path) -> None:
    shards = _opened(database, tmp_path)
    dead, alive = shards.append(b"dead"), shards.append(b"alive")
    shards.bury(dead)  # before the shard itself is noted
    shards.sync()
    assert shards.with_holes() == [0]
    shards.begin(shards.next())
    assert shards.append(shards.read(alive)) == Place(1, 0, 5)
    shards.forget(0)
    shards.sync()
    database.commit()
    shards.close()
    assert _opened(database, tmp_path).with_holes() == []  # killed before the file was removed
    assert [path.name for path in sorted((tmp_path / "pages").iterdir())] == ["pages-00001.zst"]


def test_a_record_can_be_read_before_it_is_synced(database: Database, tmp_path: Path) -> None:
    shards = _opened(database, tmp_path)
    assert shards.read(shards.append(b"record")) == b"record"
    shards.close()


def test_shards_of_refused_records_lie_in_a_folder_of_their_own(database: Database, tmp_path: Path) -> None:
    shards = Shards(database.connection, tmp_path, "refused/pages", ".zst", 1000, lambda _name: b"")
    shards.recover()
    assert not (tmp_path / "refused").exists()  # not before there is something to store
    shards.append(b"record")
    shards.sync()
    database.commit()
    shards.append(b"torn")
    shards.close()
    assert shards.recover() == 4
    assert (tmp_path / "refused" / "pages" / "pages-00000.zst").read_bytes() == b"record"
