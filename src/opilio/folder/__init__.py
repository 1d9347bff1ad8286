"""A crawl on disk.

A `CrawlFolder` says where the files of a crawl lie. One process at a time holds its `FolderLock` and writes to its `Database`,
whose `Meta` says what is known of the crawl as a whole; it listens on a `ControlServer`, and others `ask` it. Whoever only looks
opens a `View`, even beside a running crawl. A `Handout` gives the documents to whoever iterates over the crawl, each once.
"""

from typing import TYPE_CHECKING

from opilio.core.lazy import lazy_names

if TYPE_CHECKING:
    from .control import ControlServer, ask
    from .database import Database
    from .handout import Handout
    from .lock import FolderLock, is_running
    from .marks import MARK_SCHEMA, Marks
    from .meta import Meta
    from .paths import CrawlFolder
    from .tally import Tally
    from .thresholds import Thresholds
    from .view import View

__getattr__ = lazy_names(
    __name__,
    {
        "control": "ControlServer ask",
        "database": "Database",
        "handout": "Handout",
        "lock": "FolderLock is_running",
        "marks": "MARK_SCHEMA Marks",
        "meta": "Meta",
        "paths": "CrawlFolder",
        "tally": "Tally",
        "thresholds": "Thresholds",
        "view": "View",
    },
)

__all__ = [
    "ControlServer",
    "CrawlFolder",
    "Database",
    "FolderLock",
    "Handout",
    "MARK_SCHEMA",
    "Marks",
    "Meta",
    "Tally",
    "Thresholds",
    "View",
    "ask",
    "is_running",
]
