"""Bytes from a hostile network.

A `Resolver` and an `HttpFetcher` are made once per process, from the operator's settings, and end with `close`. For
each lease the engine, which enforces politeness, asks the fetcher to `locate` the URL: port and address are checked,
and the result is the one address that may be connected to. `fetch` connects there, sends one request and returns one
`Fetched`: bytes as received, or the outcome that says why there are none. Redirects are values too; they go back
through the queue, so that every hop is admitted, located and permitted like any other URL. `fetch_robots` makes `Rules`
from a host's robots.txt before its first page; they stay in a cache for as long as they may be trusted, and can be
rebuilt from their `source`. `decode` undoes a body's content coding later, wherever it is needed, within a bound.
"""

from typing import TYPE_CHECKING

from opilio.core.lazy import lazy_names

if TYPE_CHECKING:
    from .address import is_public
    from .client import HttpFetcher
    from .fetcher import Fetcher
    from .port import is_web_port
    from .resolve import Resolver
    from .robots import Rules
    from .robots_cache import ROBOTS_SCHEMA, RobotsCache, stored_rules
    from .robots_fetch import fetch_robots
    from .terms import TERMS, Terms

__getattr__ = lazy_names(
    __name__,
    {
        "address": "is_public",
        "client": "HttpFetcher",
        "fetcher": "Fetcher",
        "port": "is_web_port",
        "resolve": "Resolver",
        "robots": "Rules",
        "robots_cache": "ROBOTS_SCHEMA RobotsCache stored_rules",
        "robots_fetch": "fetch_robots",
        "terms": "TERMS Terms",
    },
)

__all__ = [
    "Fetcher",
    "HttpFetcher",
    "ROBOTS_SCHEMA",
    "Resolver",
    "RobotsCache",
    "Rules",
    "TERMS",
    "Terms",
    "fetch_robots",
    "is_public",
    "is_web_port",
    "stored_rules",
]
