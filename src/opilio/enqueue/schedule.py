"""The schedule: which host is asked next, and when. It is responsible for the politeness of the whole crawl.

Links wait at their host, sorted into the buckets of the policy. A host is asked by one request at a time,
and so is an address, which several hosts may share: each address has a `Lane`, whose hosts are asked one after the
other. After a request the host cools, and so does its lane. When both have cooled, the host competes again with its
best links.

A host is in exactly one place (`Status`):

    IDLE ──a link comes──▶ READY ──next──▶ BUSY ──release──▶ COOLING ──time──▶ READY, or IDLE without links
                             │                                  ▲
                             ├── its lane is busy ──▶ PARKED ───┤ the lane is let go
                             └── its lane cools ────────────────┘

A host that was given up, or has brought as many pages as it may, is CLOSED and is never asked again.

Rules:

1. One request at a time per host and per address. The next one starts no sooner than the delay after the previous one
   *ended*. For the host the delay is the longest of the configured one, its own wish (robots.txt) and any back-off; for
   the address it is the configured one.
2. A host's address is known only when it is about to be asked (`place`). If that address is in use, the host gives its
   turn back and waits in the lane from then on.
3. Each bucket has a heap of ready hosts, in which a host stands with its best link there. The policy chooses a bucket;
   the best link of the bucket wins, and among equals the one that was found first.
4. A parked host is not in any ready heap and costs nothing until the lane is let go. Then the best of the hosts that are
   parked there cool until the lane may be used, and compete again.
5. A patient policy waits: it does not serve a worse bucket (or even a worse link) while a host that is asked, cools or
   is parked has one that is better by the policy's leeway. A host that rests for longer than `patience_s`, say after a
   back-off, is not waited for.
6. Hosts whose last page came promptly and was quickly read are proven, the others are in doubt. Each kind has ready heaps of
   its own, so that either can be asked while there is no room for the other: hosts that trickle, or whose pages are heavy, do
   not take the room of good ones.
7. The hosts in doubt of one registered domain have a share of that room, so that somebody with thousands of names does not
   take all of it.
8. After a kill every host cools once, since nobody knows when it was last asked.

Invariants: `queued` is the number of queued links of all hosts, and each `Bucket.count` that of its own. The heaps of ready
hosts, cooling hosts and parked hosts, and the links that are waited for, have files of their own (`ready`, `cooling`, `lanes`,
`awaited`).

Example (a test plays it). The delay is 1 s and the buckets meet at 0.5. Host a has links worth 0.9 and 0.3, host b one
worth 0.8, host c one worth 0.2; a and b turn out to share an address.

    0.0 s  a is asked for 0.9 and takes the lane of its address.
           b is next with 0.8. Its address is that of a, whose lane is busy: b gives its turn back, comes up once more,
           and is parked.
           c is asked for 0.2. A patient policy would leave c alone, because b has a link in the better bucket.
    0.4 s  The request to a ends. a and the lane cool until 1.4 s, and so does b, which is no longer parked.
    1.4 s  a and b are ready. b is asked for 0.8: its bucket is better than that of a's 0.3. a finds the lane busy and
           is parked.
    1.6 s  The request to b ends. The lane cools until 2.6 s, and a with it.
    2.6 s  a is asked for 0.3.
"""

from collections.abc import Collection, Sequence
from random import Random
from typing import Final

from opilio.core.outcome import Drop
from opilio.core.url import registered_domain

from .awaited import Awaited
from .cooling import Cooling
from .hosts import HostQueue, Lane, Status
from .lanes import Lanes
from .policy import DUE, Policy
from .politeness import Politeness
from .ready import ALL_KINDS, Kinds, ReadyHosts
from .sqlite import SqliteStore
from .store import State, StoredHost, StoredLink

_CROWDED_PAUSE_S: Final = (
    1.0  # a host in doubt waits this long if others of its domain have all leases that it may have
)


class Schedule:
    def __init__(self, store: SqliteStore, politeness: Politeness, random: Random) -> None:
        self._store = store
        self._random = random
        self.politeness = politeness
        self._hosts: list[HostQueue] = [HostQueue(0, "")]  # numbers start at 1
        self._by_name: dict[str, HostQueue] = {}
        self._ready = ReadyHosts(self._hosts, store)
        self._awaited = Awaited(self._hosts, self._ready)
        self._cooling = Cooling(self._hosts)
        self._lanes = Lanes(self._hosts, self._cooling)
        self._changed: set[int] = set()
        self.queued = 0

    def __len__(self) -> int:
        """Returns how many hosts were ever met."""
        return len(self._by_name)

    @property
    def due(self) -> int:
        """Returns how many pages that were fetched before are to be visited again."""
        return sum(queue.buckets[DUE].count for queue in self._hosts if queue.has_due)

    # --- saving and restoring

    def restore(self, now_s: float, *, after_kill: bool, ahead_s: float = 0.0) -> None:
        """Loads what the store holds. `ahead_s` is by how much the clock that wrote it was ahead of the present one."""
        for stored in self._store.hosts():
            asked = stored._replace(ready_s=min(stored.ready_s - ahead_s, now_s + self._longest_s()))
            self._restore(asked, now_s, now_s + self._delay_s(stored.delay_s) if after_kill else 0.0)
        for host, bucket, count in self._store.queued():
            self._hosts[host].bucket(bucket).count = count
            self._count(self._hosts[host], bucket, count)
        for queue in self._hosts[1:]:
            self._offer(queue, now_s)

    def save(self) -> None:
        """Writes hosts that have changed into the store's open transaction."""
        self._store.save_hosts([self._hosts[host].stored() for host in sorted(self._changed)])
        self._changed.clear()

    # --- hosts

    def host(self, name: str) -> HostQueue:
        queue = self._by_name.get(name)
        if queue is None:
            queue = HostQueue(len(self._hosts), name)
            self._hosts.append(queue)
            self._by_name[name] = queue
            self._changed.add(queue.id)
        return queue

    def name(self, host: int) -> str:
        return self._hosts[host].name

    def closed(self, host: int) -> Drop | None:
        """Returns why nothing more is fetched from a host, or None if it is open."""
        return self._hosts[host].closed

    def failed(self, host: str) -> float:
        """Counts a failure of the host. Returns how long it should rest: doubling, capped, with jitter."""
        queue = self._by_name[host]
        queue.failures += 1
        queue.proven = False
        self._changed.add(queue.id)
        pause_s = self.politeness.backoff_s * 2.0 ** min(queue.failures - 1, 30)
        return min(pause_s, self.politeness.max_backoff_s) * self._random.uniform(0.75, 1.25)

    def answered(self, host: str, *, promptly: bool | None = None) -> None:
        """Forgets the failures of a host. `promptly`: whether a page came in good time; None: it was not a page."""
        queue = self._by_name[host]
        queue.proven = queue.proven if promptly is None else promptly
        if queue.failures:
            queue.failures = 0
            self._changed.add(queue.id)

    def doubt(self, host: str) -> None:
        """Counts a host among those in doubt until its next page has come promptly."""
        self._by_name[host].proven = False

    def is_failing(self, host: str) -> bool:
        return self._by_name[host].failures >= self.politeness.host_failures

    def raise_crawl_delay(self, host: str, delay_s: float) -> None:
        """Lengthens the host's delay. Each of its origins may ask for one, and the longest counts."""
        queue = self._by_name[host]
        if delay_s > queue.delay_s:
            queue.delay_s = delay_s
            self._changed.add(queue.id)

    def delay_s(self, host: str) -> float:
        """Returns the pause between two requests to this host."""
        return self._delay_s(self.host(host).delay_s)

    def close(self, queue: HostQueue, drop: Drop) -> None:
        """Closes the host, so that it is never asked again. The caller ends its links."""
        queue.closed = drop
        if queue.status is not Status.BUSY:
            queue.status = Status.CLOSED
        self._changed.add(queue.id)
        for bucket, entry in queue.buckets.items():
            self._count(queue, bucket, -entry.count)
        queue.buckets.clear()
        self._leave(queue)

    def reopen(self, failing: Collection[int]) -> None:
        """Opens closed hosts again: those of `failing` that were given up, and those that the present bounds allow more failures
        or more pages than the bounds that closed them."""
        for queue in self._hosts:
            is_failing = queue.closed is Drop.HOST_DEAD and queue.id in failing
            if queue.closed and (is_failing or not self._is_spent(queue)):
                self._open(queue)

    def open_again(self, hosts: Collection[int]) -> None:
        """Opens those of these hosts that are closed, whatever has closed them."""
        for queue in (self._hosts[host] for host in hosts):
            if queue.closed:
                self._open(queue)

    # --- links

    def add(self, rows: Sequence[StoredLink], now_s: float) -> None:
        """Queues links that are in the store already. All are counted before any host is shown, since showing may read
        the store."""
        for row in rows:
            self._hosts[row.host].bucket(row.bucket).add(-row.score, row.id)
            self._count(self._hosts[row.host], row.bucket, 1)
        for host, bucket in sorted({(row.host, row.bucket) for row in rows}):
            self._refresh(self._hosts[host], bucket, now_s)

    def move(self, changes: Collection[tuple[StoredLink, StoredLink]], now_s: float) -> None:
        """Moves links between buckets. Each comes as it was and as the store has it already; a link that is not queued
        is in no bucket."""
        touched = set()
        for old, new in changes:
            queue = self._hosts[old.host]
            if old.state is State.QUEUED:
                queue.bucket(old.bucket).remove(-old.score, old.id)
                self._count(queue, old.bucket, -1)
                touched.add((queue.id, old.bucket))
            if new.state is State.QUEUED:
                queue.bucket(new.bucket).add(-new.score, new.id)
                self._count(queue, new.bucket, 1)
                touched.add((queue.id, new.bucket))
        for host, bucket in sorted(touched):
            queue = self._hosts[host]
            if queue.is_empty and queue.status not in (Status.BUSY, Status.CLOSED):
                queue.status = Status.IDLE  # otherwise it would be waited for while it cools
                self._leave(queue)
            self._refresh(queue, bucket, now_s)

    def next(
        self, policy: Policy, now_s: float, kinds: Kinds = ALL_KINDS, crowded: Collection[str] = ()
    ) -> tuple[HostQueue, int] | None:
        """Returns a host of these kinds that may be asked now, and the link to ask it for. The host is busy from here on.
        Hosts in doubt of `crowded` domains wait for a while."""
        self._wake(now_s)
        while (bucket := policy.choose(self._ready.buckets(kinds), self._random)) is not None:
            heap = self._ready.heap(bucket, kinds)
            first = heap[0][:2]
            if self._awaited.has_better(policy, bucket, first):
                return None
            queue = self._ready.take(heap, bucket)
            if crowded and not queue.proven and registered_domain(queue.name) in crowded:
                self._cooling.add(queue, now_s + _CROWDED_PAUSE_S)
                self._awaited.rest(queue, resting=True)  # a patient policy does not wait for it
            elif self._lanes.may_use(queue, (bucket, *first), now_s):
                entry = queue.buckets[bucket]
                entry.count -= 1
                self._count(queue, bucket, -1)
                queue.status = Status.BUSY
                queue.lane.busy = True
                return queue, entry.head.pop(0)[1]
        return None

    def next_ready_s(self, now_s: float) -> float | None:
        """Returns when the next host may be asked, or None if none is cooling."""
        ready_s = self._cooling.next_s()
        return None if ready_s is None else max(now_s, ready_s)

    # --- requests

    def place(self, queue: HostQueue, address: str, now_s: float) -> bool:
        """Moves a busy host to the lane of its address. Returns False if that lane cannot be used now: the host is then
        no longer busy and waits its turn there."""
        if address == queue.address or not address:
            return True
        lane = self._lanes.at(address)
        free = not lane.busy and lane.ready_s <= now_s
        self._let_go(queue.lane, queue.lane.ready_s)
        queue.address, queue.lane = address, lane
        self._changed.add(queue.id)
        if free:
            lane.busy = True
        else:
            queue.status = Status.IDLE
            self._offer(queue, now_s)
        return free

    def hold(self, address: str, host: str, now_s: float) -> bool:
        """Takes an address's lane for a request to a host without a lease, such as a redirected robots.txt. Returns False if
        one of them is in use or cools. Without an address, the lane is the caller's already."""
        lane, queue = self._lanes.at(address) if address else Lane(), self.host(host)
        if lane.busy or lane.ready_s > now_s or queue.status is Status.BUSY or queue.ready_s > now_s:
            return False
        lane.busy = True
        return True

    def let_go(self, address: str, host: str, now_s: float) -> None:
        if address:
            self._let_go(self._lanes.at(address), now_s + self.politeness.delay_s)
        self.rest(host, 0.0, now_s)

    def rest(self, host: str, pause_s: float, now_s: float) -> None:
        """Lets a host cool that is not being asked: for its delay, or for longer."""
        queue = self._by_name[host]
        queue.ready_s = max(queue.ready_s, now_s + max(self._delay_s(queue.delay_s), pause_s))
        self._changed.add(queue.id)
        if queue.status is Status.READY:
            self._cooling.add(queue, queue.ready_s)

    def release(self, queue: HostQueue, now_s: float, *, asked: bool, pause_s: float, page: bool = True) -> None:
        """Ends the host's request, after which it cools. With `asked=False` there was none, and the host may be asked at
        once."""
        if asked:
            queue.ready_s = max(queue.ready_s, now_s + max(self._delay_s(queue.delay_s), pause_s))
            queue.fetched += page
            self._changed.add(queue.id)
        queue.status = Status.IDLE if queue.closed is None else Status.CLOSED
        self._let_go(queue.lane, now_s + self.politeness.delay_s if asked else queue.lane.ready_s)
        self._offer(queue, now_s)

    # --- inside

    def _restore(self, stored: StoredHost, now_s: float, not_before_s: float) -> None:
        queue = HostQueue(stored.id, stored.name)
        queue.address, queue.delay_s, queue.failures = stored.address, stored.delay_s, stored.failures
        queue.fetched, queue.closed = stored.fetched, stored.closed
        queue.ready_s = max(stored.ready_s, not_before_s)
        if queue.ready_s != stored.ready_s:
            self._changed.add(queue.id)
        if stored.address:
            queue.lane = self._lanes.at(stored.address)
            # When the address was last asked is not stored: no later than its hosts say, and no later than now.
            queue.lane.ready_s = max(queue.lane.ready_s, min(queue.ready_s, now_s + self.politeness.delay_s))
        if stored.closed:
            queue.status = Status.CLOSED
        self._hosts.append(queue)
        self._by_name[stored.name] = queue

    def _refresh(self, queue: HostQueue, bucket: int, now_s: float) -> None:
        if queue.status is Status.READY:
            self._ready.show(queue, bucket)
        elif queue.status is Status.IDLE:
            self._offer(queue, now_s)

    def _offer(self, queue: HostQueue, now_s: float) -> None:
        """Gives a host that is neither busy nor closed its present status."""
        if queue.status in (Status.BUSY, Status.CLOSED):
            return
        if queue.is_empty:
            queue.status = Status.IDLE
        elif queue.ready_s > now_s:
            self._cooling.add(queue, queue.ready_s)
            self._awaited.rest(queue, resting=queue.ready_s - now_s > self.politeness.patience_s)
        else:
            queue.status = Status.READY
            self._awaited.rest(queue, resting=False)
            for bucket in queue.buckets:
                self._ready.show(queue, bucket)

    def _count(self, queue: HostQueue, bucket: int, links: int) -> None:
        self.queued += links
        self._awaited.count(queue, bucket, links)

    def _let_go(self, lane: Lane, ready_s: float) -> None:
        self._lanes.let_go(lane, ready_s, self.politeness.delay_s)

    def _leave(self, queue: HostQueue) -> None:
        self._lanes.leave(queue, self.politeness.delay_s)

    def _wake(self, now_s: float) -> None:
        for queue in self._cooling.cooled(now_s):
            self._offer(queue, now_s)
            if queue.lane.ready_s + self.politeness.delay_s <= now_s:
                self._leave(queue)

    def _open(self, queue: HostQueue) -> None:
        queue.closed, queue.failures = None, 0
        queue.status = Status.IDLE
        self._changed.add(queue.id)

    def _is_spent(self, queue: HostQueue) -> bool:
        """Returns whether the bound that closed the host still holds."""
        if queue.closed is Drop.HOST_DEAD:
            return queue.failures >= self.politeness.host_failures
        return 0 < self.politeness.pages_per_host <= queue.fetched

    def _longest_s(self) -> float:
        """Returns the longest time for which settings let a host rest. A stored time beyond it comes from a wrong clock."""
        return max(self.politeness.max_backoff_s, self.politeness.max_delay_s, self.politeness.delay_s)

    def _delay_s(self, own_s: float) -> float:
        return max(self.politeness.delay_s, min(own_s, self.politeness.max_delay_s))
