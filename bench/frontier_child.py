"""One measurement of the frontier in a process of its own: `python -m bench.frontier_child fill|resume FOLDER URLS
HOSTS`.

Prints a JSON object. The links come as from real pages: 50 at a time, most of them to the page's own host.
"""

import json
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from opilio.core.items import Candidate
from opilio.enqueue import SCHEMA, Ending, Frontier, Policy, Politeness, SqliteStore
from opilio.folder.database import Database

_LINKS: Final = 50  # per page
_COMMIT_PAGES: Final = 32
_LEASES: Final = 20_000


class Bench:
    def __init__(self, folder: Path) -> None:
        self.database = Database(folder / "crawl.db", [SCHEMA])
        self.store = SqliteStore(self.database.connection)
        politeness = Politeness(delay_s=0.0)
        self.frontier = Frontier(self.store, Policy(), politeness, Random(0), folder / "seen.cache")
        self.frontier.open(0.0, self.store.highest(), after_kill=False)

    def commit(self) -> None:
        self.frontier.schedule.save()
        self.database.commit()

    def fill(self, urls: int, hosts: int) -> float:
        """Returns the seconds that it takes to meet and queue this many new URLs, durably."""
        started_s = time.perf_counter()
        for number, page in enumerate(_pages(urls, hosts), 1):
            known = len(self.frontier)
            numbers = self.frontier.meet([link.url for link in page])
            fresh = [(one, link, -float(link.depth)) for one, link in zip(numbers, page, strict=True) if one > known]
            self.frontier.put(fresh, 0.0)
            if number % _COMMIT_PAGES == 0:
                self.commit()
        self.commit()
        return time.perf_counter() - started_s

    def lease(self, count: int) -> float:
        """Returns the seconds that it takes to lease, release and finish this many links, durably."""
        started_s = time.perf_counter()
        for number in range(1, count + 1):
            lease = self.frontier.lease(float(number))
            if lease is None:
                raise SystemExit("the frontier ran dry: measure with more URLs")
            self.frontier.release(lease, float(number))
            self.frontier.finish(lease, Ending(None), float(number))
            if number % _COMMIT_PAGES == 0:
                self.commit()
        self.commit()
        return time.perf_counter() - started_s


def fill(folder: Path, urls: int, hosts: int) -> dict[str, Any]:
    bench = Bench(folder)
    before_mb = _memory_mb()
    fill_s = bench.fill(urls, hosts)
    memory_mb = _memory_mb()
    leases = min(_LEASES, urls // 2)
    lease_s = bench.lease(leases)
    bench.frontier.save_seen()
    bench.database.connection.execute("COMMIT")
    bench.database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    disk = sum(path.stat().st_size for path in folder.iterdir())
    bench.database.close()
    return {
        "urls": urls,
        "adds_per_s": urls / fill_s,
        "leases_per_s": leases / lease_s,
        "disk_bytes_per_url": disk / urls,
        "memory_bytes_per_url": (memory_mb - before_mb) * 1e6 / urls,
        "memory_mb": _memory_mb(),
    }


def resume(folder: Path) -> dict[str, Any]:
    """Goes from the opened folder to the first lease; the parent adds the start of the process."""
    bench = Bench(folder)
    lease = bench.frontier.lease(1e9)
    return {"leased": lease is not None, "queued": bench.frontier.queued, "memory_mb": _memory_mb()}


def _pages(urls: int, hosts: int) -> Iterator[list[Candidate]]:
    random = Random(1)
    counts = [0] * hosts
    for page in range(urls // _LINKS):
        home = page % hosts
        links = []
        for link in range(_LINKS):
            host = home if link < _LINKS - 5 else random.randrange(hosts)
            counts[host] += 1
            name = f"www.host-{host:06}.example"
            url = f"http://{name}/section-{counts[host] % 37}/a-page-about-something-{counts[host]}.html"
            links.append(Candidate(url, name, 1 + page * 12 // (urls // _LINKS), page, 0, "an anchor text"))
        yield links


def _memory_mb() -> float:
    """Returns the highest resident size so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


if __name__ == "__main__":
    folder = Path(sys.argv[2])
    figures = resume(folder) if sys.argv[1] == "resume" else fill(folder, int(sys.argv[3]), int(sys.argv[4]))
    print(json.dumps(figures))  # noqa: T201
