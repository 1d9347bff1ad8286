"""Offline webs and experiments: the same crawl over a recorded web, in simulated time.

`run` compares recipes on recorded webs, `make` makes a web of many hosts, `record` makes one of a crawl.
"""

from typing import TYPE_CHECKING

from opilio.core.lazy import lazy_names

if TYPE_CHECKING:
    from .verbs import make, record, run

__getattr__ = lazy_names(__name__, {"verbs": "make record run"})

__all__ = ["make", "record", "run"]
