"""A frontier against a model that is too simple to be wrong, over random lives with kills, stops and lost commits.

The model holds one state and score per URL, and for each host and address when its last request ended. It is the model that knows
what really happened: a kill takes memory from the frontier, never from the model's clock.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from opilio.core.items import Candidate, Lease
from opilio.core.outcome import Drop
from opilio.enqueue import SCHEMA, Ended, Ending, Frontier, Listener, Policy, Politeness, SqliteStore, State, bucket_of
from opilio.enqueue.policy import Best, Patience, Patient, Weighted
from opilio.folder.database import Database
from tests.builders import memory_store

DELAY_S = 2.0
POLITE = Politeness(delay_s=DELAY_S, backoff_s=3.0, tries=2, lease_s=50.0, patience_s=5.0)
HOSTS = ("a", "b", "c", "d")
ADDRESSES = ("10.0.0.1", "10.0.0.2")

hosts = st.sampled_from(HOSTS)
addresses = st.sampled_from(ADDRESSES)
scores = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 1.0])
chances = st.integers(0, 2**16)


class FrontierLife(RuleBasedStateMachine, Listener):
    kinds: tuple[type[Policy], ...] = (Policy, Weighted)  # a resumed frontier may have another one

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 1000.0
        self.urls: dict[str, State] = {}
        self.scores: dict[str, float] = {}
        self.under: set[str] = set()  # URLs that the cut has ended
        self.cut = 0.0
        self.ended_s: dict[str, float] = {}  # by host and by address
        self.leases: dict[int, Lease] = {}
        self.on_wire: dict[int, set[str]] = {}  # a lease's host, and its address once that is known
        self.store = self.new_store()
        self.frontier = self.new_frontier(0, after_kill=False)

    def new_store(self) -> SqliteStore:
        return memory_store()

    def new_frontier(self, highest: int, *, after_kill: bool) -> Frontier:
        policy = self.kinds[highest % len(self.kinds)]((0.5,), cut=self.cut)
        self.told = self.done(highest)
        frontier = Frontier(self.store, policy, POLITE, Random(highest), listeners=[self])
        frontier.open(self.now_s, highest, after_kill=after_kill)
        return frontier

    def done(self, highest: int) -> dict[int, Drop | None]:
        rows = map(self.store.read, range(1, highest + 1))
        return {row.id: row.drop for row in rows if row.state is State.DONE}

    # --- what is told

    def ended(self, ended: Ended) -> None:
        for link in ended.links:
            assert link not in self.told, "an ending was told twice"
            self.told[link] = ended.drop

    def returned(self, links: Sequence[int], drop: Drop) -> None:
        for link in links:
            assert self.told.pop(link) is drop, "a return from another ending was told"

    # --- what happens

    @rule(host=hosts, score=scores, count=st.integers(1, 12), name=chances)
    def meet(self, host: str, score: float, count: int, name: int) -> None:
        urls = [f"http://{host}/{(name + n) % 40}" for n in range(count)]
        known = len(self.frontier)
        met = self.frontier.meet(urls)
        assert [one > known for one in met] == [url not in self.urls for url in urls]
        fresh = [
            (one, Candidate(url, host, 0), score - n / 100)
            for n, (one, url) in enumerate(zip(met, urls, strict=True))
            if one > known
        ]
        self.frontier.put(fresh, self.now_s)
        for _, candidate, value in fresh:
            closed = self.frontier.schedule.host(host).closed
            self.urls[candidate.url], self.scores[candidate.url] = State.QUEUED, value
            self.settle(candidate.url)
            if closed:
                self.urls[candidate.url] = State.DONE

    @rule()
    def lease(self) -> None:
        before = {number for number, lease in self.leases.items() if lease.deadline_s <= self.now_s}
        lease = self.frontier.lease(self.now_s)
        for number in before:
            if number in self.on_wire:  # it may have been asked for until now
                self.off_wire(number)
            self.forget(number, State.QUEUED)
        if lease is None:
            return
        assert self.urls[lease.url] is State.QUEUED
        assert all(lease.host not in taken for taken in self.on_wire.values()), "a host was asked twice at once"
        self.is_polite(lease.host)
        self.is_waited_for(lease)
        self.urls[lease.url] = State.LEASED
        self.leases[lease.id] = lease
        self.on_wire[lease.id] = {lease.host}

    @precondition(lambda self: self.on_wire)
    @rule(chance=chances, address=addresses)
    def place(self, chance: int, address: str) -> None:
        number = sorted(self.on_wire)[chance % len(self.on_wire)]
        lease = self.leases[number]
        if len(self.on_wire[number]) > 1:  # a request goes to one address
            return
        if self.frontier.place(lease, address, self.now_s):
            others = [taken for other, taken in self.on_wire.items() if other != number]
            assert all(address not in taken for taken in others), "an address was asked twice at once"
            self.is_polite(address)
            self.on_wire[number].add(address)
        else:
            del self.on_wire[number]
            self.forget(number, State.QUEUED)

    @precondition(lambda self: self.on_wire)
    @rule(chance=chances, pause_s=st.sampled_from([0.0, 7.0]))
    def release(self, chance: int, pause_s: float) -> None:
        number = sorted(self.on_wire)[chance % len(self.on_wire)]
        self.frontier.release(self.leases[number], self.now_s, pause_s=pause_s)
        self.off_wire(number)

    @precondition(lambda self: self.leases)
    @rule(chance=chances, how=st.sampled_from(["finish", "retry", "give back"]))
    def end(self, chance: int, how: str) -> None:
        number = sorted(self.leases)[chance % len(self.leases)]
        lease = self.leases[number]
        if how != "give back" and number in self.on_wire:
            self.frontier.release(lease, self.now_s)
            self.off_wire(number)
        ending = Ending(Drop.FETCH_FAILED)
        if how == "finish":
            assert self.frontier.finish(lease, ending, self.now_s)
            self.forget(number, State.DONE)
        elif how == "retry":
            again = self.frontier.retry(lease, ending, self.now_s)
            assert again is (lease.tries + 1 < POLITE.tries)
            self.forget(number, State.QUEUED if again else State.DONE)
        else:
            self.frontier.give_back(lease, self.now_s)
            self.forget(number, State.QUEUED)
        assert not self.frontier.finish(lease, ending, self.now_s), "a lease ended twice"

    @precondition(lambda self: self.urls)
    @rule(chance=chances, score=scores, count=st.integers(1, 20))
    def rescore(self, chance: int, score: float, count: int) -> None:
        numbers = [(chance + n) % len(self.urls) + 1 for n in range(count)]
        others = [(number, score - n / 100) for n, number in enumerate(numbers)]
        changed = {self.frontier.links.url(number): value for number, value in others}
        self.frontier.rescore(others, self.now_s)
        for url, value in changed.items():
            if self.urls[url] is State.QUEUED or url in self.under:
                self.scores[url] = value
                self.settle(url)

    @rule(bounds=st.sampled_from([(), (0.5,), (0.7, 0.2)]), cut=st.sampled_from([-1.0, 0.0, 0.3, 0.6]))
    def redraw(self, bounds: tuple[float, ...], cut: float) -> None:
        self.frontier.redraw(bounds, cut, self.now_s)
        self.cut = cut
        for url in self.urls:
            self.settle(url)

    @precondition(lambda self: len(self.urls) > 30)
    @rule(host=hosts)
    def close(self, host: str) -> None:
        self.frontier.close_host(host, Drop.HOST_DEAD)
        for url, state in self.urls.items():
            if url.startswith(f"http://{host}/") and state is State.QUEUED:
                self.urls[url] = State.DONE

    @rule(seconds=st.sampled_from([0.5, 1.0, 2.0, 10.0, 60.0]))
    def wait(self, seconds: float) -> None:
        self.now_s += seconds

    # --- what must hold

    @invariant()
    def every_url_is_in_the_state_that_the_model_knows(self) -> None:
        found = {row.url: row.state for row in map(self.store.read, range(1, len(self.frontier) + 1))}
        for lease in self.leases.values():
            if lease.deadline_s <= self.now_s:  # comes back with the next call of lease, or ends before
                found[lease.url] = self.urls[lease.url]
        assert found == self.urls

    @invariant()
    def counters_say_what_the_store_holds(self) -> None:
        states = list(self.urls.values())
        assert (self.frontier.queued, self.frontier.leased) == (states.count(State.QUEUED), states.count(State.LEASED))
        assert sum(links for _, _, links in self.store.queued()) == self.frontier.queued
        assert self.frontier.leases.on_wire == len(self.on_wire)

    @invariant()
    def what_the_cut_has_ended_is_known_as_such(self) -> None:
        rows = map(self.store.read, range(1, len(self.frontier) + 1))
        assert {row.url for row in rows if row.drop is Drop.BELOW_CUT} == self.under

    @invariant()
    def every_ending_was_told(self) -> None:
        assert self.told == self.done(len(self.frontier))

    def teardown(self) -> None:
        """Whatever happened, all that is queued can be fetched."""
        for number in list(self.leases):
            self.frontier.give_back(self.leases[number], self.now_s)
            self.forget(number, State.QUEUED)
        self.redraw((), -1.0)
        assert not self.under
        while self.frontier.queued:
            lease = self.frontier.lease(self.now_s)
            if lease is None:
                ready_s = self.frontier.schedule.next_ready_s(self.now_s)
                assert ready_s is not None, "queued links that nobody can ever lease"
                self.now_s = max(self.now_s, ready_s)
                continue
            self.frontier.release(lease, self.now_s)
            assert self.frontier.finish(lease, Ending(None), self.now_s)

    # --- inside

    def is_polite(self, who: str) -> None:
        assert self.now_s - self.ended_s.get(who, 0.0) >= DELAY_S, f"{who} was asked before its time"

    def is_waited_for(self, lease: Lease) -> None:
        """A patient policy hands out nothing while something better is to be had soon."""
        policy, schedule = self.frontier.policy, self.frontier.schedule
        queued = [url for url, state in self.urls.items() if state is State.QUEUED]
        soon = [self.scores[url] for url in queued if not schedule.host(url.split("/")[2]).resting]
        if policy.patience is Patience.LINK:
            assert lease.score >= max(soon), "a better link was not waited for"
        elif policy.patience is Patience.BUCKET:
            best = min(bucket_of(score, policy.bounds) for score in soon)
            assert bucket_of(lease.score, policy.bounds) == best, "a better bucket was not waited for"

    def off_wire(self, number: int) -> None:
        for who in self.on_wire.pop(number):
            self.ended_s[who] = self.now_s

    def forget(self, number: int, state: State) -> None:
        lease = self.leases.pop(number, None)
        if lease is None:
            return
        self.on_wire.pop(number, None)
        self.urls[lease.url] = State.DONE if self.is_closed(lease.url) else state
        self.settle(lease.url)

    def settle(self, url: str) -> None:
        """Puts a link on its side of the cut."""
        if self.scores[url] < self.cut and self.urls[url] is State.QUEUED:
            self.under.add(url)
            self.urls[url] = State.DONE
        elif self.scores[url] >= self.cut and url in self.under:
            self.under.remove(url)
            self.urls[url] = State.DONE if self.is_closed(url) else State.QUEUED

    def is_closed(self, url: str) -> bool:
        return self.frontier.schedule.host(url.split("/")[2]).closed is not None


class DurableLife(FrontierLife):
    """The same on disk, where the process may be killed or stopped between any two of its acts."""

    def new_store(self) -> SqliteStore:
        self.folder = tempfile.TemporaryDirectory()
        self.committed: dict[str, State] = {}
        self.committed_scores: dict[str, float] = {}
        self.committed_under: set[str] = set()
        self.known: set[str] = set()  # hosts and addresses that a commit has seen
        return self.open_store()

    def open_store(self) -> SqliteStore:
        self.database = Database(Path(self.folder.name) / "crawl.db", [SCHEMA])
        return SqliteStore(self.database.connection)

    @rule()
    def commit(self) -> None:
        self.frontier.schedule.save()
        self.database.commit()
        self.committed = dict(self.urls)
        self.committed_scores, self.committed_under = dict(self.scores), set(self.under)
        self.known = {name for host in self.store.hosts() for name in (host.name, host.address)}

    @rule()
    def kill(self) -> None:
        """What runs at the moment may have been asked for: the model says that it ended now."""
        self.database.close()
        for number in list(self.on_wire):
            self.off_wire(number)
        self.resume(after_kill=True)
        self.ended_s = {who: when_s for who, when_s in self.ended_s.items() if who in self.known}

    @precondition(lambda self: not self.leases)
    @rule()
    def stop(self) -> None:
        """Longer than the delay; what shorter stops must keep is promised in the unit tests."""
        self.now_s += DELAY_S
        self.commit()
        self.database.close()
        self.resume(after_kill=False)

    def resume(self, *, after_kill: bool) -> None:
        self.leases.clear()
        store = self.open_store()
        self.store = store
        self.frontier = self.new_frontier(store.highest(), after_kill=after_kill)
        back = {url: State.DONE if self.is_closed(url) else State.QUEUED for url in self.committed}
        self.urls = {url: back[url] if state is State.LEASED else state for url, state in self.committed.items()}
        self.scores, self.under = dict(self.committed_scores), set(self.committed_under)
        self.redraw((0.5,), self.cut)  # as a crawl does when its cut was changed since the commit
        assert all(self.frontier.find(url) for url in self.urls), "a committed URL was forgotten"

    def teardown(self) -> None:
        super().teardown()
        self.database.close()
        self.folder.cleanup()


class PatientLife(FrontierLife):
    kinds = (Patient,)


class BestLife(FrontierLife):
    kinds = (Best,)


class PatientDurableLife(DurableLife):
    kinds = (Patient, Best)


TestFrontierLife = FrontierLife.TestCase
TestFrontierLife.settings = settings(max_examples=40, stateful_step_count=50, deadline=None, database=None)
TestDurableLife = DurableLife.TestCase
TestDurableLife.settings = settings(max_examples=25, stateful_step_count=50, deadline=None, database=None)
TestPatientLife = PatientLife.TestCase
TestPatientLife.settings = settings(max_examples=20, stateful_step_count=50, deadline=None, database=None)
TestBestLife = BestLife.TestCase
TestBestLife.settings = settings(max_examples=20, stateful_step_count=50, deadline=None, database=None)
TestPatientDurableLife = PatientDurableLife.TestCase
TestPatientDurableLife.settings = settings(max_examples=15, stateful_step_count=50, deadline=None, database=None)
