"""The engine: it moves values from stage to stage.

`build_crawl` puts the stages of a `Blueprint` together as `Parts` and a `Crawl`. `Crawl.stream` leases links, and a `Visit` takes
each lease from robots.txt to its ending. A `Workshop` decodes, gleans, judges and packs, in as many processes as the `Pool` has,
and the `Court` makes sure that all of them use the same judge. `Follow` brings a page's links back to the frontier.
"""

from typing import TYPE_CHECKING

from opilio.core.lazy import lazy_names

if TYPE_CHECKING:
    from .court import Court
    from .follow import Follow
    from .loop import Crawl
    from .marking import Marked, Marking
    from .pool import InlinePool, ProcessPool, Setup
    from .stopping import outlook
    from .visit import Parts
    from .work import Task, Workshop

__getattr__ = lazy_names(
    __name__,
    {
        "court": "Court",
        "follow": "Follow",
        "loop": "Crawl",
        "marking": "Marked Marking",
        "pool": "InlinePool ProcessPool Setup",
        "stopping": "outlook",
        "visit": "Parts",
        "work": "Task Workshop",
    },
)

__all__ = [
    "Court",
    "Crawl",
    "Follow",
    "InlinePool",
    "Marked",
    "Marking",
    "Parts",
    "ProcessPool",
    "Setup",
    "Task",
    "Workshop",
    "outlook",
]
