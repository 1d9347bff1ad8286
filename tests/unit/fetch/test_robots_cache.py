"""Rules of many hosts: those in memory are bounded by their size, and the others are read from the database."""

import sqlite3
from contextlib import closing

from opilio.core.url import Url, parse
from opilio.fetch import ROBOTS_SCHEMA, RobotsCache
from opilio.fetch.robots import parse_rules


def test_long_rules_of_many_hosts_are_not_all_held_and_all_hold() -> None:
    long = parse_rules(b"User-agent: *\n" + b"".join(b"Disallow: /x%d\n" % n for n in range(1_000)), "opilio")
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(ROBOTS_SCHEMA)
        cache = RobotsCache(connection, "opilio", trust_s=100, retry_s=100, most_bytes=5 * len(long.source))
        for number in range(20):
            cache.put(f"http://h{number}.test", long, 0.0)
            assert len(cache._copies) <= 5
        for number in range(20):
            url = parse(f"http://h{number}.test/x7")
            assert isinstance(url, Url)
            rules = cache.get(url.origin, 1.0)
            assert rules is not None
            assert not rules.allows(url)
        assert cache._held_bytes == sum(len(copy.rules.source) + 400 for copy in cache._copies.values())
        cache.forget()
        assert (cache._held_bytes, cache.get("http://h1.test", 1.0)) == (0, None)
