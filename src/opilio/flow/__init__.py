"""The flow: what moves values from stage to stage.

`wiring` builds the `Parts` and a `Crawl`; `Crawl.stream` leases links, and a `Visit` takes each lease from robots.txt to its
ending. Decoding, gleaning, judging and packing are a `Workshop`'s, in as many processes as the `Pool` has; the `Court` sees to
it that all of them judge alike. `Follow` brings a page's links back to the frontier. A `CrawlFolder` is locked by one process,
which listens on a `ControlServer`.
"""

from typing import TYPE_CHECKING

from opilio.core.lazy import lazy_names

if TYPE_CHECKING:
    from .control import ControlServer, ask
    from .court import Court
    from .folder import CrawlFolder, FolderLock
    from .follow import Follow
    from .loop import Crawl
    from .marking import Marked, Marking
    from .marks import MARK_SCHEMA, read_mark
    from .pool import InlinePool, Pool, ProcessPool, Setup
    from .stopping import outlook
    from .tally import RECENT, Tally, decode_tally
    from .visit import Parts
    from .work import Task, Workshop

__getattr__ = lazy_names(
    __name__,
    {
        "control": "ControlServer ask",
        "court": "Court",
        "folder": "CrawlFolder FolderLock",
        "follow": "Follow",
        "loop": "Crawl",
        "marking": "Marked Marking",
        "marks": "MARK_SCHEMA read_mark",
        "pool": "InlinePool Pool ProcessPool Setup",
        "stopping": "outlook",
        "tally": "RECENT Tally decode_tally",
        "visit": "Parts",
        "work": "Task Workshop",
    },
)

__all__ = [
    "ControlServer",
    "Court",
    "Crawl",
    "CrawlFolder",
    "FolderLock",
    "Follow",
    "InlinePool",
    "MARK_SCHEMA",
    "Marked",
    "Marking",
    "Parts",
    "Pool",
    "ProcessPool",
    "RECENT",
    "Setup",
    "Tally",
    "Task",
    "Workshop",
    "ask",
    "decode_tally",
    "outlook",
    "read_mark",
]
