"""One SQLite file with a format of its own: opened, versioned and committed here. What its tables hold, others say.

Durability: WAL with `synchronous=FULL`, so that a commit that returned survives a killed process and, as far as the
disk keeps its promises, a power cut. Everything between two commits happens or does not happen as one.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import ClassVar, Final, Self

from .errors import OpilioError, StorageError

_NO_CODE: Final = sqlite3.SQLITE_CORRUPT  # what Python refuses by itself has no code, such as text that is not UTF-8
_PRIMARY: Final = 0xFF  # the part of a result code that says what failed, without where
_DAMAGE: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_SCHEMA})


class VersionedDatabase:
    """A connection whose transaction is always open: writers just write, and `commit` makes it last. A class that derives from
    it says which format it reads, and what an operator should do with a file that it cannot read."""

    version: ClassVar[int]
    upgrades: ClassVar[Mapping[int, str]] = {}  # format → statements that make the next one of it
    error: ClassVar[type[OpilioError]]
    if_damaged: ClassVar[str]  # sentences for the operator
    if_other_version: ClassVar[str]

    def __init__(self, path: Path | str, schemas: Iterable[str], *, cache_mib: int = 32) -> None:
        self.path = path
        try:
            with ExitStack() as undo:
                self.connection = undo.enter_context(closing(sqlite3.connect(path, isolation_level=None, timeout=30.0)))
                self._make(schemas, cache_mib)
                undo.pop_all()  # it stays open
        except sqlite3.DatabaseError as error:
            raise self.refused(error) from error
        except UnicodeDecodeError as error:  # the statements that made its tables are not text any more
            raise self.damaged(error) from error
        self.connection.execute("BEGIN")

    def _make(self, schemas: Iterable[str], cache_mib: int) -> None:
        self._check_version()  # first of all: the next line already writes
        self.connection.execute("PRAGMA journal_mode=WAL")
        self.connection.execute("PRAGMA synchronous=FULL")
        self.connection.execute(f"PRAGMA cache_size=-{cache_mib * 1024}")
        self.connection.execute("PRAGMA wal_autocheckpoint=8000")
        self.connection.execute("PRAGMA temp_store=MEMORY")
        self._upgrade()
        # All tables and the version at once: after a kill in the first moment, there is all of it or nothing.
        tables = "; ".join(schemas)
        self.connection.executescript(f"BEGIN; {tables}; PRAGMA user_version={self.version}; COMMIT;")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def commit(self) -> None:
        try:
            self.connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            raise self.refused(error) from error
        self.connection.execute("BEGIN")

    def refused(self, error: sqlite3.DatabaseError) -> OpilioError:
        """Makes the error to raise for a statement that failed. With a full disk, that need not be the commit."""
        if getattr(error, "sqlite_errorcode", _NO_CODE) & _PRIMARY in _DAMAGE:
            return self.damaged(error)
        return StorageError(
            f"the disk refused a write to {self.path}: {error}. Nothing acknowledged is lost; "
            "fix it (is it full, or read-only?) and run the same command again."
        )

    def damaged(self, error: Exception) -> OpilioError:
        return self.error(f"cannot read {self.path}: {error}. {self.if_damaged}")

    def close(self) -> None:
        """Closes without a commit: what was not committed is gone, as after a kill."""
        self.connection.close()

    def _check_version(self) -> None:
        version = self.connection.execute("PRAGMA user_version").fetchone()[0]
        if version != self.version and version not in self.upgrades and not is_unbegun(self.connection):
            age = "an older" if version < self.version else "a newer"
            raise self.error(
                f"{self.path} was written by {age} version of Opilio (format {version}, this one reads {self.version}). "
                f"Nothing was changed: {self.if_other_version}"
            )

    def _upgrade(self) -> None:
        """Brings a database of an older format to the present one, in one transaction."""
        version = self.connection.execute("PRAGMA user_version").fetchone()[0]
        if version in self.upgrades:
            script = f"BEGIN; {self.upgrades[version]}; PRAGMA user_version={version + 1}; COMMIT;"
            self.connection.executescript(script)


def is_unbegun(connection: sqlite3.Connection) -> bool:
    """Tells whether a kill came before the tables were made. A version of Opilio that made one after the other may have left some
    of them, the first of which is empty."""
    if connection.execute("PRAGMA user_version").fetchone()[0]:
        return False
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]
    return not tables or ("meta" in tables and not connection.execute("SELECT count(*) FROM meta").fetchone()[0])


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Opens a database that another process may be writing to."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=30.0)
