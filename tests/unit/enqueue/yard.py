"""A `Yard` holds a frontier, its store and the time. Its `check` is the invariant of all tests: every number has exactly one
state, and the frontier's counters say what the store holds.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from opilio.core.items import Candidate, Lease
from opilio.core.outcome import Drop
from opilio.enqueue import Ended, Ending, Frontier, Listener, Policy, Politeness, SqliteStore, State
from opilio.enqueue.policy import Wave

START_S = 1000.0
KEPT = Ending(None)
POLITE = Politeness(delay_s=1.0, max_delay_s=60.0, backoff_s=4.0, max_backoff_s=16.0, lease_s=300.0)


class Yard(Listener):
    def __init__(self, store: SqliteStore, policy: Policy | None = None, politeness: Politeness = POLITE) -> None:
        self.store = store
        self.now_s = START_S
        self.policy = policy or Policy()
        self.politeness = politeness
        self.drops: Counter[Drop] = Counter()
        self.told: dict[int, Drop | None] = {}  # links whose ending was told
        self.heard: list[Ended] = []
        self.frontier = self._frontier(highest=0, after_kill=False)

    def _frontier(self, *, highest: int, after_kill: bool) -> Frontier:
        frontier = Frontier(self.store, self.policy, self.politeness, Random(7), listeners=[self])
        self.released = frontier.open(self.now_s, highest, after_kill=after_kill)
        return frontier

    def ended(self, ended: Ended) -> None:
        """Nothing ends twice without a return, and nothing is told of before the store knows."""
        for link in ended.links:
            assert self.store.read(link).state is State.DONE
            assert self.store.read(link).drop is ended.drop
            assert link not in self.told
            self.told[link] = ended.drop
        self.heard.append(ended)
        if ended.drop is not None:
            self.drops[ended.drop] += len(ended.links)

    def returned(self, links: Sequence[int], drop: Drop) -> None:
        for link in links:
            assert self.told.pop(link) is drop
        self.drops[drop] -= len(links)

    def reopen(self, store: SqliteStore | None = None, *, highest: int | None = None, after_kill: bool = False) -> None:
        """Another frontier on what the store (or the same one, opened again) holds."""
        highest = len(self.frontier) if highest is None else highest
        self.store = store or self.store
        self.told = self._done(highest)  # what was not committed was told in vain
        self.frontier = self._frontier(highest=highest, after_kill=after_kill)

    def put(self, host: str, *scores: float, depth: int = 0, hops: int = 0) -> list[int]:
        start = len(self.frontier)
        links = [Candidate(f"http://{host}/{start + n}", host, depth, hops=hops) for n in range(len(scores))]
        numbers = self.frontier.meet([link.url for link in links])
        self.frontier.put(zip(numbers, links, scores, strict=True), self.now_s)
        return numbers

    def lease(self) -> Lease | None:
        return self.frontier.lease(self.now_s)

    def must_lease(self) -> Lease:
        """The next lease; time passes until there is one."""
        while (lease := self.lease()) is None:
            ready_s = self.frontier.schedule.next_ready_s(self.now_s)
            assert ready_s is not None, "nothing is queued that could ever be leased"
            assert ready_s > self.now_s, "the frontier asks to be asked again at once"
            self.now_s = ready_s
        return lease

    def end(self, lease: Lease, ending: Ending = KEPT) -> None:
        self.frontier.release(lease, self.now_s)
        assert self.frontier.finish(lease, ending, self.now_s)

    def drain(self) -> list[int]:
        """Leases and ends everything that is queued; the numbers in that order."""
        order = []
        while self.frontier.queued:
            lease = self.must_lease()
            order.append(lease.id)
            self.end(lease)
        return order

    def state(self, link: int) -> State:
        return self.store.read(link).state

    def drop(self, link: int) -> Drop | None:
        return self.store.read(link).drop

    def states(self) -> Counter[State]:
        return Counter(self.state(link) for link in range(1, len(self.frontier) + 1))

    def check(self) -> None:
        states = self.states()
        counted = {
            State.QUEUED: self.frontier.queued,
            State.WAITING: self.frontier.waiting,
            State.LEASED: self.frontier.leased,
        }
        assert {state: states[state] for state in counted} == counted
        stored: Counter[int] = Counter()
        for host, _bucket, links in self.store.queued():
            stored[host] += links
        assert stored.total() == states[State.QUEUED]
        assert self.store.waiting() == states[State.WAITING]
        under_the_cut = [self.drop(link) for link in range(1, len(self.frontier) + 1)].count(Drop.BELOW_CUT)
        assert self.drops[Drop.BELOW_CUT] == under_the_cut
        assert self.told == self._done(len(self.frontier))

    def _done(self, highest: int) -> dict[int, Drop | None]:
        return {link: self.drop(link) for link in range(1, highest + 1) if self.state(link) is State.DONE}


NewYard = Callable[..., Yard]


def layered(
    *,
    top: int = 0,
    quotas: tuple[int, ...] = (),
    bounds: tuple[float, ...] = (),
    keep_rest: bool = True,
    cut: float = float("-inf"),
) -> Policy:
    return Policy(bounds, Wave(top, quotas, keep_rest), cut)
