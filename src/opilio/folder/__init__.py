"""A crawl on disk.

A `CrawlFolder` says where the files of a crawl lie. One process at a time holds its `FolderLock` and writes to its `Database`; it
listens on a `ControlServer`, and others `ask` it.
"""

from typing import TYPE_CHECKING

from opilio.core.lazy import lazy_names

if TYPE_CHECKING:
    from .control import ControlServer, ask
    from .database import Database, open_readonly
    from .lock import FolderLock, is_running
    from .marks import MARK_SCHEMA, read_mark
    from .meta import Meta
    from .paths import CrawlFolder
    from .tally import RECENT, Tally

__getattr__ = lazy_names(
    __name__,
    {
        "control": "ControlServer ask",
        "database": "Database open_readonly",
        "lock": "FolderLock is_running",
        "marks": "MARK_SCHEMA read_mark",
        "meta": "Meta",
        "paths": "CrawlFolder",
        "tally": "RECENT Tally",
    },
)

__all__ = [
    "ControlServer",
    "CrawlFolder",
    "Database",
    "FolderLock",
    "MARK_SCHEMA",
    "Meta",
    "RECENT",
    "Tally",
    "ask",
    "is_running",
    "open_readonly",
    "read_mark",
]
