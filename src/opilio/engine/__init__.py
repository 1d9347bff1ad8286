"""The engine: it moves values from stage to stage.

`build_crawl` puts the stages of a `Blueprint` together as `Parts` and a `Crawl`. `Crawl.stream` leases links, and a `Visit` takes
each lease from robots.txt to its ending. A `Workshop` decodes, gleans, judges and packs, in as many processes as the `Pool` has,
and the `Court` makes sure that all of them use the same judge. `Follow` brings a page's links back to the frontier.
"""

from typing import TYPE_CHECKING

from opilio.core.lazy import lazy_names

if TYPE_CHECKING:
    from .loop import Crawl
    from .marking import Marked
    from .stopping import outlook
    from .work import Task, Workshop

__getattr__ = lazy_names(
    __name__, {"loop": "Crawl", "marking": "Marked", "stopping": "outlook", "work": "Task Workshop"}
)

__all__ = ["Crawl", "Marked", "Task", "Workshop", "outlook"]
