"""The frontier's store in plain memory: short enough to be right at a glance, and so the reference for the SQLite one."""

import heapq
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from opilio.core.items import Sighting
from opilio.core.outcome import Drop, Outcome
from opilio.enqueue import Ending, State, StoredHost, StoredLink
from opilio.enqueue.store import FAILED_DROPS


class MemoryStore:
    def __init__(self) -> None:
        self._links: dict[int, StoredLink] = {}
        self._queues: dict[tuple[int, int], set[int]] = {}  # (host, bucket) → queued links
        self._waiting: set[int] = set()
        self._hosts: dict[int, StoredHost] = {}
        self._sightings: dict[int, tuple[Sighting, ...]] = {}
        self.unfollowed: dict[int, tuple[Drop, tuple[int, ...]]] = {}
        self.endings: dict[int, Ending] = {}

    def insert(self, links: Sequence[StoredLink]) -> None:
        for link in links:
            self._put(link)

    def read(self, link: int) -> StoredLink:
        return self._links[link]

    def read_all(self, links: Sequence[int]) -> list[StoredLink]:
        return [self._links[link] for link in links]

    def lease(self, link: int) -> StoredLink:
        return self._put(self._links[link]._replace(state=State.LEASED))

    def requeue(self, link: int, tries: int, seen: Ending | None = None) -> None:
        if seen is not None:
            self.endings[link] = seen
        self._put(self._links[link]._replace(state=State.QUEUED, tries=tries))

    def finish(self, link: int, ending: Ending) -> None:
        self._put(self._links[link]._replace(state=State.DONE, drop=ending.drop))
        self.endings[link] = ending

    def forget_endings(self, links: Sequence[int]) -> None:
        for link in links:
            self.endings.pop(link, None)

    def overrule(
        self, link: int, drop: Drop | None, detail: str, score: float | None = None, belongs: bool | None = None
    ) -> None:
        ending = self.endings[link]._replace(drop=drop, detail=detail)
        if score is not None and belongs is not None:
            ending = ending._replace(judge_score=score, belongs=belongs)
        self.finish(link, ending)

    def best(self, host: int, bucket: int, limit: int) -> list[tuple[float, int]]:
        queue = self._queues.get((host, bucket), ())
        return heapq.nsmallest(limit, ((-self._links[link].score, link) for link in queue))

    def rescore(self, links: Sequence[StoredLink]) -> None:
        for link in links:
            self._put(link)

    def promote(self, bucket: int | None, limit: int) -> list[StoredLink]:
        fitting = (self._links[link] for link in self._waiting if bucket in (None, self._links[link].bucket))
        ranked = sorted(fitting, key=lambda link: (-link.score, link.id))
        chosen = ranked if limit < 0 else ranked[:limit]
        return [self._put(link._replace(state=State.QUEUED)) for link in chosen]

    def drop_waiting(self, drop: Drop) -> list[int]:
        return self._drop(set(self._waiting), drop)

    def clear_host(self, host: int, drop: Drop, outcome: Outcome | None = None) -> list[int]:
        queues = [links for (owner, _), links in self._queues.items() if owner == host]
        waiting = {link for link in self._waiting if self._links[link].host == host}
        return self._drop(waiting.union(*queues), drop, outcome)

    def hosts(self) -> list[StoredHost]:
        return [self._hosts[host] for host in sorted(self._hosts)]

    def save_hosts(self, hosts: Sequence[StoredHost]) -> None:
        self._hosts.update((host.id, host) for host in hosts)

    def queued(self) -> Iterator[tuple[int, int, int]]:
        for (host, bucket), links in sorted(self._queues.items()):
            if links:
                yield host, bucket, len(links)

    def waiting(self) -> int:
        return len(self._waiting)

    def known(self, after: int) -> Iterator[tuple[int, int]]:
        return ((link.key, link.id) for link in self._links.values() if link.id > after)

    def risers(self, after: int, limit: int) -> list[StoredLink]:
        found = (link for link in self._links.values() if link.id > after and link.can_rise)
        return heapq.nsmallest(limit, found, key=lambda link: link.id)

    def ended(self, drops: Collection[Drop], outcomes: Collection[Outcome], after: int, limit: int) -> list[StoredLink]:
        done = (link for link in self._links.values() if link.id > after and link.state is State.DONE)
        found = (link for link in done if link.drop in drops or self._failed_by(link, outcomes))
        return heapq.nsmallest(limit, found, key=lambda link: link.id)

    def failing_hosts(self, outcomes: Collection[Outcome]) -> list[int]:
        ended = (link for link, ending in self.endings.items() if ending.outcome in outcomes)
        return sorted({self._links[link].host for link in ended if self._links[link].state is State.DONE})

    def sightings(self, links: Sequence[int]) -> list[tuple[Sighting, ...]]:
        return [self._sightings.get(link, ()) for link in links]

    def put_unfollowed(self, page: int, drop: Drop, keys: Sequence[int]) -> None:
        self.unfollowed[page] = drop, tuple(keys)

    def put_sightings(self, found: Sequence[tuple[int, tuple[Sighting, ...]]]) -> None:
        self._sightings.update(found)

    def release_leases(self) -> int:
        leased = [link for link in self._links.values() if link.state is State.LEASED]
        for link in leased:
            self.requeue(link.id, link.tries)
        return len(leased)

    def states(self) -> Counter[State]:
        return Counter(link.state for link in self._links.values())

    def _failed_by(self, link: StoredLink, outcomes: Collection[Outcome]) -> bool:
        ending = self.endings.get(link.id)
        return link.drop in FAILED_DROPS and ending is not None and ending.outcome in outcomes

    def _put(self, link: StoredLink) -> StoredLink:
        old = self._links.get(link.id)
        if old and old.state is State.QUEUED:
            self._queues[old.host, old.bucket].discard(link.id)
        self._waiting.discard(link.id)
        self._links[link.id] = link
        if link.state is State.QUEUED:
            self._queues.setdefault((link.host, link.bucket), set()).add(link.id)
        elif link.state is State.WAITING:
            self._waiting.add(link.id)
        return link

    def _drop(self, links: set[int], drop: Drop, outcome: Outcome | None = None) -> list[int]:
        for link in links:
            self.finish(link, Ending(drop, outcome))
        return sorted(links)
