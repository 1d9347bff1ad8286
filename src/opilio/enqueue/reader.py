"""Read-only access to links and hosts in the database, for `status`, `why` and recordings.

Rule: nothing here writes, so a crawl may run at the same time; a reader sees what was committed.
Costs: the tables are indexed by number and by queue. Any other query reads the whole table, which takes a second for every few
million links.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from opilio.core.outcome import Drop, Outcome
from opilio.core.url import fingerprint

from .rows import LINK_COLUMNS, Rows, key_bytes, stored_link
from .store import Ending, State, StoredLink

_ENDING_COLUMNS: Final = ", ".join(f'"{name}"' for name in Ending._fields)


class MetLink(NamedTuple):
    """All that is known of a link. The ending of a link that is not done has only default values."""

    link: StoredLink
    ending: Ending


class JudgedPages(NamedTuple):
    pages: int
    belong: int


class HostCount(NamedTuple):
    met: int
    closed: int  # given up or full


class LinkReader(Rows):
    # --- one link

    def find(self, url: str) -> MetLink | None:
        """Looks a canonical URL up by its fingerprint, which reads the whole table."""
        return next(self._met("key = ?", fingerprint(url)), None)

    def met(self, link: int) -> MetLink:
        return next(self._met("id = ?", link))

    def ancestors(self, link: StoredLink, most: int = 100) -> Iterator[StoredLink]:
        """Yields the link whose page named this one, then the link whose page named that one, and so on to a seed."""
        for _ in range(most):
            if not link.parent:
                return
            link = self.read(link.parent)
            yield link

    def redirects(self, found: MetLink) -> list[MetLink]:
        """Returns a link and those that its redirects led to, one after the other, each once."""
        way = [found]
        while way[-1].link.drop is Drop.REDIRECTED:
            following = self.find(way[-1].ending.detail)
            if following is None or following in way:
                break
            way.append(following)
        return way

    def redirecting_to(self, url: str) -> MetLink | None:
        """Returns a link that was redirected to a URL which got no row, because such redirects may never end. Reads the whole
        table."""
        return next(self._met("outcome = 'redirect' AND detail = ?", url), None)

    def unfollowed(self, url: str) -> Iterator[tuple[StoredLink, Drop]]:
        """Yields the pages that link to a canonical URL and whose links were not followed, each with the reason. Reads the
        fingerprints of all such links: 8 bytes each."""
        if self._execute("SELECT 1 FROM sqlite_master WHERE name = 'unfollowed'").fetchone() is None:
            return  # a folder of an older version
        key = key_bytes(fingerprint(url))
        for page, drop, keys in self._execute("SELECT * FROM unfollowed WHERE instr(keys, ?) ORDER BY page", (key,)):
            if any(keys[start : start + 8] == key for start in range(0, len(keys), 8)):  # not across two fingerprints
                yield self.read(page), Drop(drop)

    # --- many links

    def everything(self) -> Iterator[MetLink]:
        """Yields all links, in the order in which they were met."""
        return self._met("id >= ? ORDER BY id", 0)

    def dropped(self, drop: Drop) -> Iterator[MetLink]:
        """Yields the links that ended this way, in the order in which they were met."""
        return self._met('"drop" = ? ORDER BY id', drop)

    def fetched(self) -> Iterator[MetLink]:
        """Yields the links that were answered with a page, in the order in which they were met."""
        return self._met("outcome = ? ORDER BY id", Outcome.OK)

    def seeds(self) -> Iterator[MetLink]:
        """Yields the seeds, in the order in which they were named."""
        return self._met("parent = ? ORDER BY id", 0)

    def count_seeds(self) -> int:
        return self._count("links WHERE parent = ?", 0)

    def last_failure(self, host: int) -> Outcome | None:
        """Returns the failure after which a host was given up."""
        query = 'SELECT outcome FROM links WHERE host = ? AND "drop" = ? AND outcome IS NOT NULL LIMIT 1'
        found = self._execute(query, (host, Drop.HOST_DEAD)).fetchone()
        return Outcome(found[0]) if found else None

    def count_dropped(self, drop: Drop) -> int:
        return self._count('links WHERE "drop" = ?', drop)

    def count_pages(self) -> int:
        """Counts the pages that were fetched."""
        return self._count("links WHERE outcome = ?", Outcome.OK)

    def states(self) -> dict[State, int]:
        rows = self._execute("SELECT state, count(*) FROM links GROUP BY state")
        return {State(state): count for state, count in rows}

    def buckets(self) -> dict[int, int]:
        """Returns the number of links that are queued or waiting, by bucket."""
        return dict(
            self._execute("SELECT bucket, count(*) FROM links WHERE state IN (0, 1) GROUP BY bucket").fetchall()
        )

    def judged(self) -> JudgedPages:
        row = self._execute("SELECT count(*), coalesce(sum(belongs), 0) FROM links WHERE judge_score IS NOT NULL")
        return JudgedPages._make(row.fetchone())

    # --- hosts

    def count_hosts(self) -> HostCount:
        return HostCount(self._count("hosts"), self._count("hosts WHERE closed IS NOT NULL"))

    def count_queued(self, host: int) -> int:
        return self._count("links WHERE state = 0 AND host = ?", host)

    def fetched_by_host(self) -> dict[int, int]:
        """Returns how many pages were fetched from each host, if any."""
        query = "SELECT host, count(*) FROM links WHERE outcome = ? GROUP BY host"
        return dict(self._execute(query, (Outcome.OK,)).fetchall())

    def pages_by_host(self) -> dict[int, int]:
        """Returns how many URLs of each host are pages, or may be pages because they were not fetched yet."""
        query = 'SELECT host, count(*) FROM links WHERE state != ? OR outcome = ? OR "drop" = ? GROUP BY host'
        return dict(self._execute(query, (State.DONE, Outcome.OK, Drop.BELOW_CUT)).fetchall())

    def drops_by_host(self) -> dict[int, dict[Drop, int]]:
        """Returns why links of each host were dropped, the most frequent reason first."""
        query = 'SELECT host, "drop", count(*) FROM links WHERE "drop" IS NOT NULL GROUP BY 1, 2 ORDER BY 3 DESC, 2'
        found: dict[int, dict[Drop, int]] = {}
        for host, drop, count in self._execute(query):
            found.setdefault(host, {})[Drop(drop)] = count
        return found

    def _count(self, rows: str, *values: int | str) -> int:
        return int(self._execute(f"SELECT count(*) FROM {rows}", values).fetchone()[0])  # noqa: S608

    def _met(self, condition: str, value: int | str) -> Iterator[MetLink]:
        query = f"SELECT {LINK_COLUMNS}, {_ENDING_COLUMNS} FROM links WHERE {condition}"  # noqa: S608
        for row in self._execute(query, (value,)):
            yield MetLink(stored_link(row[: len(StoredLink._fields)]), _ending(row[len(StoredLink._fields) :]))


def _ending(row: tuple[Any, ...]) -> Ending:
    """Builds an ending from its columns, which are NULL for a link that is not done."""
    drop, outcome, status, fetched_s, judge_score, belongs, detail = row
    named = Drop(drop) if drop else None, Outcome(outcome) if outcome else None
    return Ending(*named, status or 0, fetched_s or 0.0, judge_score, bool(belongs), detail or "")
