"""Offline webs and experiments: the same crawl over a recorded web, in simulated time.

`run` compares recipes on recorded webs, `judge` compares what judges keep of them with the labels,
`make` makes a web of many hosts, `record` makes one of a crawl, and `serve` puts one on a loopback port for other crawlers.
"""

from typing import TYPE_CHECKING

from opilio.core.lazy import lazy_names

if TYPE_CHECKING:
    from .verbs import judge, make, record, run, serve

__getattr__ = lazy_names(__name__, {"verbs": "judge make record run serve"})

__all__ = ["judge", "make", "record", "run", "serve"]
