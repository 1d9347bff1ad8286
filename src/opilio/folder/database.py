"""The crawl's one SQLite file: opened, versioned and committed here; tables belong to the stages that use them.

Durability: WAL with `synchronous=FULL`, so that a commit that returned survives a killed process and, as far as the
disk keeps its promises, a power cut. Everything between two commits happens or does not happen as one.
"""

import sqlite3
from collections.abc import Iterable
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Final, Self

from opilio.core.errors import CrawlDirError, StorageError
from opilio.keep import FORMAT_1_UPGRADE, FORMAT_1_VIEW

from .meta import META_SCHEMA, Meta

SCHEMA_VERSION: Final = 2
_UPGRADES: Final = {1: FORMAT_1_UPGRADE}  # format → statements that make the next one of it
_OLD_VIEWS: Final = {1: FORMAT_1_VIEW}  # format → a statement that lets readers see it as the present one
_DISK_TROUBLE: Final = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_IOERR_WRITE})


class Database:
    """A connection whose transaction is always open: writers just write, and `commit` makes it last."""

    def __init__(self, path: Path | str, schemas: Iterable[str], *, cache_mib: int = 32) -> None:
        self.path = path
        try:
            with ExitStack() as undo:
                self.connection = undo.enter_context(closing(sqlite3.connect(path, isolation_level=None, timeout=30.0)))
                self._make(schemas, cache_mib)
                undo.pop_all()  # it stays open
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode in _DISK_TROUBLE:
                raise self.refused(error) from error
            raise CrawlDirError(
                f"cannot open {path}: {error}. Restore it from a backup or start a new folder."
            ) from error
        self.connection.execute("BEGIN")
        self.meta = Meta(self.connection)

    def _make(self, schemas: Iterable[str], cache_mib: int) -> None:
        self._check_version()  # first of all: the next line already writes
        self.connection.execute("PRAGMA journal_mode=WAL")
        self.connection.execute("PRAGMA synchronous=FULL")
        self.connection.execute(f"PRAGMA cache_size=-{cache_mib * 1024}")
        self.connection.execute("PRAGMA wal_autocheckpoint=8000")
        self.connection.execute("PRAGMA temp_store=MEMORY")
        self._upgrade()
        # All tables and the version at once: after a kill in the first moment of a crawl, there is all of it or nothing.
        tables = "; ".join((META_SCHEMA, *schemas))
        self.connection.executescript(f"BEGIN; {tables}; PRAGMA user_version={SCHEMA_VERSION}; COMMIT;")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def commit(self) -> None:
        try:
            self.connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            raise self.refused(error) from error
        self.connection.execute("BEGIN")

    def refused(self, error: sqlite3.DatabaseError) -> StorageError:
        """Makes the error to raise for a statement that failed. With a full disk, that need not be the commit."""
        return StorageError(
            f"the disk refused a write to {self.path}: {error}. Nothing acknowledged is lost; "
            "free some space and run the same command again."
        )

    def close(self) -> None:
        """Closes without a commit: what was not committed is gone, as after a kill."""
        self.connection.close()

    def _check_version(self) -> None:
        version = self.connection.execute("PRAGMA user_version").fetchone()[0]
        if version != SCHEMA_VERSION and version not in _UPGRADES and not _is_unbegun(self.connection):
            age = "an older" if version < SCHEMA_VERSION else "a newer"
            raise CrawlDirError(
                f"{self.path} was written by {age} version of Opilio (format {version}, this one reads {SCHEMA_VERSION}). "
                "Nothing was changed: use the version that wrote it to export the corpus, or start a new folder."
            )

    def _upgrade(self) -> None:
        """Brings a database of an older format to the present one, in one transaction."""
        version = self.connection.execute("PRAGMA user_version").fetchone()[0]
        if version in _UPGRADES:
            script = f"BEGIN; {_UPGRADES[version]}; PRAGMA user_version={version + 1}; COMMIT;"
            self.connection.executescript(script)


def open_readonly(path: Path) -> sqlite3.Connection:
    """Opens a database that a running crawl may be writing to. `View` is what most callers want."""
    if not path.exists():
        raise CrawlDirError(f"{path.parent} holds no crawl (no {path.name}). Run `opilio crawl {path.parent}` first.")
    with ExitStack() as undo:
        connection = undo.enter_context(closing(_connect_to_read(path)))
        try:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            is_unbegun = _is_unbegun(connection)
        except sqlite3.DatabaseError as error:
            raise CrawlDirError(
                f"cannot open {path}: {error}. Restore it from a backup or start a new folder."
            ) from error
        if is_unbegun:
            raise CrawlDirError(
                f"{path.parent} holds no crawl yet: it ended while it began. Run the command that began it again."
            )
        if version in _OLD_VIEWS:
            connection.execute(_OLD_VIEWS[version])
        elif version != SCHEMA_VERSION:
            raise CrawlDirError(
                f"{path} has format {version}, this version of Opilio reads {SCHEMA_VERSION}. Use the version that wrote it."
            )
        undo.pop_all()  # it stays open
    return connection


def _is_unbegun(connection: sqlite3.Connection) -> bool:
    """Tells whether a kill came before the tables were made. A version of Opilio that made one after the other may have left some
    of them, the first of which is empty."""
    if connection.execute("PRAGMA user_version").fetchone()[0]:
        return False
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]
    return not tables or ("meta" in tables and not connection.execute("SELECT count(*) FROM meta").fetchone()[0])


def has_begun(path: Path) -> bool:
    """Returns whether a crawl has committed anything to this database, beyond its empty tables."""
    with suppress(sqlite3.DatabaseError), closing(_connect_to_read(path)) as connection:  # it may have no tables yet
        return Meta(connection).clean is not None
    return False


def _connect_to_read(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=30.0)
