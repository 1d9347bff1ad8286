"""The crawl's one SQLite file: its format, and how it is opened for reading. Tables belong to the stages that use them."""

import sqlite3
from collections.abc import Iterable
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Final

from opilio.core.database import VersionedDatabase, connect_to_read, is_unbegun
from opilio.core.errors import CrawlDirError
from opilio.keep import FORMAT_1_UPGRADE, FORMAT_1_VIEW

from .meta import META_SCHEMA, Meta
from .paths import CrawlFolder

SCHEMA_VERSION: Final = 2
_OLD_VIEWS: Final = {1: FORMAT_1_VIEW}  # format → a statement that lets readers see it as the present one


class Database(VersionedDatabase):
    version = SCHEMA_VERSION
    upgrades = {1: FORMAT_1_UPGRADE}  # noqa: RUF012  it never changes
    error = CrawlDirError
    if_damaged = "Restore it from a backup or start a new folder."
    if_other_version = "use the version that wrote it to export the corpus, or start a new folder."

    def __init__(self, path: Path | str, schemas: Iterable[str], *, cache_mib: int = 32) -> None:
        super().__init__(path, (META_SCHEMA, *schemas), cache_mib=cache_mib)
        self.meta = Meta(self.connection)


def open_readonly(path: Path) -> sqlite3.Connection:
    """Opens a database that a running crawl may be writing to. `View` is what most callers want."""
    if not path.exists():
        refuse_cycles(CrawlFolder(path.parent))
        raise CrawlDirError(f"{path.parent} holds no crawl (no {path.name}). Run `opilio crawl {path.parent}` first.")
    with ExitStack() as undo:
        connection = undo.enter_context(closing(connect_to_read(path)))
        try:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            unbegun = is_unbegun(connection)
            connection.execute("SELECT count(*) FROM sqlite_master")  # reads the statements that made the tables
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise unreadable(path, error) from error
        if unbegun:
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


def refuse_cycles(folder: CrawlFolder) -> None:
    """Raises if a folder holds cycles where a crawl is asked for."""
    if newest := folder.newest_cycle:
        raise CrawlDirError(
            f"{folder.path} holds cycles, each of which is a crawl. Name one of them, such as {newest.path}."
        )


def unreadable(path: Path, error: Exception) -> CrawlDirError:
    return CrawlDirError(f"cannot read {path}: {error}. {Database.if_damaged}")


def is_left_unbegun(path: Path) -> bool:
    """Returns whether there is a database that nothing was ever committed to, because a kill or the disk ended its first moment.
    The command that began it begins anew."""
    if not path.exists():
        return False
    with suppress(sqlite3.DatabaseError), closing(connect_to_read(path)) as connection:
        return is_unbegun(connection)
    return False


def has_begun(path: Path) -> bool:
    """Returns whether a crawl has committed anything to this database, beyond its empty tables."""
    with suppress(sqlite3.DatabaseError), closing(connect_to_read(path)) as connection:  # it may have no tables yet
        return Meta(connection).clean is not None
    return False
