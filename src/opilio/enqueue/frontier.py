"""The frontier: every URL that was ever met, and the leases on those that are being fetched.

A link's life: it is met and gets a number (`meet`), a lead gives it a score (`put`), the `Schedule` offers it when its
host may be asked, `lease` hands it out, `release` says that the request is over, `finish` or `retry` ends the lease.
Scores may change at any time before the lease (`rescore`), and so may the policy's bounds and cut (`redraw`): a link
under the cut has ended, until one of them lifts it. Where the policy has a wave, links wait until `cross` lets them
through.

Rules: a lease that is not ended by its deadline goes back to the queue, and what comes for it later is refused. Every
ending is told to the listeners (`endings`). Time and chance come in as arguments.
"""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from random import Random

from opilio.core.fingerprints import FingerprintMap
from opilio.core.items import Candidate, Lease
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import fingerprint

from .endings import Announcer, Ended, Listener
from .hosts import HostQueue
from .leases import Leases
from .links import Links
from .policy import DUE, Policy
from .politeness import Politeness
from .ranking import Ranking
from .ready import ALL_KINDS, Kinds
from .schedule import Schedule
from .sqlite import SqliteStore
from .store import Ending, State, StoredLink


class Frontier:
    def __init__(
        self,
        store: SqliteStore,
        policy: Policy,
        politeness: Politeness,
        random: Random,
        cache: Path | None = None,
        listeners: Sequence[Listener] = (),
    ) -> None:
        self._store = store
        self._cache = cache
        self._announcer = Announcer(listeners)
        self._seen = FingerprintMap()
        self._last = 0
        self.leases = Leases()
        self.schedule = Schedule(store, politeness, random)
        self.links = Links(store.connection, self.schedule.name)
        self.policy = policy
        self._ranking = Ranking(policy, self.schedule)
        self.waiting = 0

    def __len__(self) -> int:
        """Returns how many URLs were ever met."""
        return self._last

    @property
    def queued(self) -> int:
        return self.schedule.queued

    @property
    def leased(self) -> int:
        return len(self.leases)

    @property
    def has_more(self) -> bool:
        """Returns whether anything may still be leased by this policy. One that serves only pages that are due does not wait for
        hosts that have none."""
        return self.policy.crosses or self.schedule.due > 0

    # --- opening and saving

    def open(self, now_s: float, highest: int, *, after_kill: bool, saved_s: float = 0.0) -> int:
        """Loads what the store holds, up to link number `highest`, which was saved at `saved_s` by the clock of then. Returns how
        many leases a kill left behind."""
        released = self._store.release_leases()
        if released:
            self._end_closed()
        self.schedule.restore(now_s, after_kill=after_kill, ahead_s=max(0.0, saved_s - now_s))
        self.waiting = self._store.waiting()
        covered = self._seen.load(self._cache, highest) if self._cache else 0
        self._seen.extend(self._store.known(covered))
        self._last = highest
        return released

    def save_seen(self) -> None:
        """Writes the cache of known URLs. Call it right after a commit, since the cache must not know more than the store."""
        if self._cache:
            self._seen.save(self._cache, self._last)

    # --- meeting and scoring

    def find(self, url: str) -> int:
        """Returns the URL's number, or 0 if it was never met."""
        return self._seen.find([fingerprint(url)])[0]

    def meet(self, urls: Sequence[str]) -> list[int]:
        """Returns the number of each URL. Numbers above the `len` before the call are new and rise in the order of the URLs;
        their links must be `put` or `refuse`d before the next commit."""
        keys = [fingerprint(url) for url in urls]
        numbers = self._seen.find(keys)
        if 0 in numbers:
            fresh: dict[int, int] = {}  # the same URL may come twice
            for place, number in enumerate(numbers):
                if not number:
                    numbers[place] = fresh.setdefault(keys[place], self._last + len(fresh) + 1)
            self._seen.extend(fresh.items())
            self._last += len(fresh)
        return numbers

    def put(self, links: Iterable[tuple[int, Candidate, float]], now_s: float) -> None:
        """Queues new links with their scores; those under the policy's cut end here."""
        rows = [self._ranking.new(number, candidate, score, now_s) for number, candidate, score in links]
        self._store.insert(rows)
        self._announcer.dropped(rows)
        self.waiting += sum(row.state is State.WAITING for row in rows)
        self.schedule.add([row for row in rows if row.state is State.QUEUED], now_s)

    def refuse(self, links: Iterable[tuple[int, Candidate, Drop]], now_s: float) -> None:
        """Stores URLs that admission refused, so that `why` can explain them."""
        rows = [self._ranking.refused(number, candidate, drop, now_s) for number, candidate, drop in links]
        self._store.insert(rows)
        self._announcer.dropped(rows)

    def pass_over(self, page: int, urls: Iterable[str], drop: Drop) -> None:
        """Remembers that links of a page are not followed, so that `why` can name the page. They count as never met: another
        page may still bring them into the queue."""
        self._store.put_unfollowed(page, drop, list(dict.fromkeys(map(fingerprint, urls))))

    def rescore(self, scores: Sequence[tuple[int, float]], now_s: float) -> None:
        """Gives links that can rise other scores: they move to their bucket, end under the cut, or come back from
        there. Those that are leased or done are left alone. If a link has two scores, the last one counts."""
        if scores:
            last = dict(scores)
            self.rank([(row, last[row.id]) for row in self._store.read_all(list(last))], now_s)

    def rank(self, scores: Sequence[tuple[StoredLink, float]], now_s: float) -> None:
        """Does what `rescore` does, for rows that were just read."""
        self._move([(row, self._ranking.ranked(row, score)) for row, score in scores if row.can_rise], now_s)

    def readmit(self, scores: Sequence[tuple[StoredLink, float]], now_s: float) -> int:
        """Queues links that have ended once more, with these scores. Returns how many of them are not under the cut, or at a
        closed host."""
        ranked = [(row, self._ranking.ranked(row, score)._replace(tries=0)) for row, score in scores]
        self._move(ranked, now_s)
        back = [new.id for _, new in ranked if new.drop is None]
        self._store.forget_endings(back)
        return len(back)

    def refuse_again(self, links: Sequence[tuple[StoredLink, Drop]], now_s: float) -> None:
        """Gives links that have ended another drop, where other rules than before refuse them now."""
        self._move([(row, row._replace(drop=drop)) for row, drop in links], now_s)

    def reopen_hosts(self, outcomes: Collection[Outcome]) -> None:
        """Opens hosts that were closed and need not be any more: because of these outcomes, or because the bounds on their
        failures or their pages were raised."""
        failing = self._store.failing_hosts(outcomes) if outcomes else []
        self.schedule.reopen(set(failing))

    def _move(self, ranked: Sequence[tuple[StoredLink, StoredLink]], now_s: float) -> None:
        """Stores what has become of links, tells the listeners and sorts the links into their buckets."""
        changes = [(old, new) for old, new in ranked if old != new]
        self._store.rescore(changes)
        crossing = [(old, new) for old, new in changes if old.state is not new.state or old.drop is not new.drop]
        for old, new in crossing:
            self.waiting += (new.state is State.WAITING) - (old.state is State.WAITING)
        crossing = [(old, new) for old, new in crossing if old.drop is not new.drop]
        self._announcer.returned([old for old, _ in crossing])
        self._announcer.dropped([new for _, new in crossing])
        self.schedule.move(changes, now_s)

    def redraw(self, bounds: tuple[float, ...], cut: float, now_s: float) -> None:
        """Changes the bounds between the buckets and the cut, for links to come and for all that can rise. Costs a look
        at every link ever met."""
        self.policy.bounds, self.policy.cut = bounds, cut
        for rows in self.links.risers():
            self.rank([(row, row.score) for row in rows], now_s)

    def revive(self, link: int, now_s: float) -> bool:
        """Queues a link that has ended once more, in the best bucket. Returns False if its host is closed."""
        row = self._store.read(link)
        if self.schedule.closed(row.host):
            return False
        fresh = self._ranking.first(row)
        self._store.rescore([(row, fresh)])
        self._store.forget_endings([link])
        self._announcer.returned([row])
        self.schedule.add([fresh], now_s)
        return True

    def visit_again(self, links: Sequence[int], now_s: float) -> None:
        """Queues pages that were fetched before, to be visited once more. How they have ended stays as it is. Their hosts are
        asked, even those that are full or were given up: full ones close again with the end of the last visit."""
        rows = [(row, row._replace(state=State.QUEUED, bucket=DUE, tries=0)) for row in self._store.read_all(links)]
        self.schedule.open_again({row.host for row, _ in rows})
        self._store.rescore(rows)
        self.schedule.add([due for _, due in rows], now_s)

    def finish_as_before(self, lease: Lease, now_s: float) -> bool:
        """Ends a visit to a page that was fetched before, and leaves the link as it had ended then. Returns False if the lease
        had expired."""
        if lease not in self.leases:
            return False
        self._end(lease, now_s)
        self._store.finish_as_before(lease.id)
        return True

    def overrule(self, link: int, drop: Drop | None, detail: str, verdict: tuple[float, bool] | None = None) -> None:
        """Gives a link that has brought a page another drop, or none, because the operator has marked it, or because it was
        judged again: then `verdict` is the new score, and whether the page belongs."""
        row = self._store.read(link)
        self._store.overrule(link, drop, detail, *(verdict or (None, None)))
        self._announcer.returned([row])
        self._announcer.ended(Ended([link], drop, page=True, detail=detail))

    # --- leasing

    def lease(self, now_s: float, kinds: Kinds = ALL_KINDS, of_domain: int = 0) -> Lease | None:
        """Hands out the next link of a host of these kinds, or None while none may be asked or nothing is queued. `of_domain` is
        how many leases the hosts in doubt of one registered domain may have; 0: any number."""
        self._expire(now_s)
        deadline_s = now_s + self.schedule.politeness.lease_s
        crowded = self.leases.crowded(of_domain) if of_domain else ()
        while (chosen := self.schedule.next(self.policy, now_s, kinds, crowded)) is not None:
            queue, link = chosen
            row = self._store.lease(link)
            again = row.bucket == DUE
            lease = Lease(
                link, row.url, queue.name, row.depth, row.parent, row.hops, row.tries, row.score, deadline_s, again,
                queue.proven,
            )  # fmt: skip
            self.leases.add(lease, queue, now_s)
            if row.is_intact(queue.name):
                return lease
            self._end_damaged(lease, now_s)
        return None

    def place(self, lease: Lease, address: str, now_s: float) -> bool:
        """Tells the address of the lease's host. Returns False if that address cannot be asked now; the lease is then
        given back, unless it had expired."""
        if lease not in self.leases:
            return False
        if self.schedule.place(self.leases.host(lease), address, now_s):
            return True
        self.leases.end(lease)
        self._requeue(lease, lease.tries, now_s)
        return False

    def release(
        self, lease: Lease, now_s: float, *, asked: bool = True, pause_s: float = 0.0, page: bool = True
    ) -> None:
        """Ends the request: the host cools for its delay, or longer. `asked=False`: no request was made;
        `page=False`: it was not for a page, and does not count as one of the host's."""
        if not self.leases.leave_wire(lease):
            return
        queue = self.leases.host(lease)
        self.schedule.release(queue, now_s, asked=asked, pause_s=pause_s, page=page)
        self._close_if_full(queue)

    def finish(self, lease: Lease, ending: Ending, now_s: float) -> bool:
        """Ends a lease for good. Returns False if it had expired; then nothing of it may be kept."""
        if lease not in self.leases:
            return False
        self._end(lease, now_s)
        if lease.again:
            self._announcer.returned([self._store.read(lease.id)])
        self._store.finish(lease.id, ending)
        page = ending.drop is None or ending.judge_score is not None
        self._announcer.ended(Ended([lease.id], ending.drop, page, lease, ending.detail))
        return True

    def give_back(self, lease: Lease, now_s: float, seen: Ending | None = None) -> None:
        """Puts a link that was not asked for after all back into its place. `seen` says what kept it from being asked for, if
        that was a failure."""
        if lease in self.leases:
            self.release(lease, now_s, asked=False)
            self.leases.end(lease)
            self._requeue(lease, lease.tries, now_s, seen)

    def retry(self, lease: Lease, ending: Ending, now_s: float) -> bool:
        """Queues the link again, or ends it when its tries are used up. Returns whether it will be tried again."""
        if lease not in self.leases:
            return False
        if lease.tries + 1 >= self.schedule.politeness.tries:
            self.finish(lease, ending, now_s)
            return False
        self.release(lease, now_s, asked=False)
        self.leases.end(lease)
        self._requeue(lease, lease.tries + 1, now_s, ending)
        return True

    def close_host(self, host: str, drop: Drop, outcome: Outcome | None = None) -> int:
        """Closes a host: every link that is queued or waiting for it ends, now and later. `outcome` is its last failure.
        Returns how many ended now."""
        queue = self.schedule.host(host)
        self.schedule.close(queue, drop)
        ended = self._store.clear_host(queue.id, drop, outcome)
        self.waiting = self._store.waiting() if self.waiting else 0
        self._announcer.ended(Ended(ended, drop))
        return len(ended)

    # --- boundaries

    @property
    def at_boundary(self) -> bool:
        """Returns whether nothing is queued or leased, but a wave is waiting."""
        return self.policy.crosses and bool(self.waiting) and not self.queued and not self.leases

    def cross(self, now_s: float) -> int:
        """Queues the next wave. Returns how many links it has."""
        wave = self.policy.wave
        promoted = self._promote()
        if not promoted:  # quotas that no waiting link fits must not stop the crawl
            promoted = self._store.promote(None, -1)
        self.waiting -= len(promoted)
        if wave and not wave.keep_rest:
            ended = self._store.drop_waiting(Drop.LAYER_CUT)
            self.waiting = 0
            self._announcer.ended(Ended(ended, Drop.LAYER_CUT))
        self.schedule.add(promoted, now_s)
        return len(promoted)

    # --- inside

    def _promote(self) -> list[StoredLink]:
        """Queues waiting links: with quotas some of every bucket, else those of the best bucket that has any. Places that a
        bucket cannot fill go to the best of the others: else the worst would take more of a batch, the emptier the best is."""
        wave = self.policy.wave
        if wave and wave.quotas:
            promoted = [row for bucket, limit in enumerate(wave.quotas) for row in self._store.promote(bucket, limit)]
            for bucket in range(len(wave.quotas)):
                promoted += self._store.promote(bucket, sum(wave.quotas) - len(promoted))
            return promoted
        buckets, limit = range(len(self.policy.bounds) + 1), (wave.top if wave else 0) or -1
        return next(filter(None, (self._store.promote(bucket, limit) for bucket in buckets)), [])

    def _requeue(self, lease: Lease, tries: int, now_s: float, seen: Ending | None = None) -> None:
        closed = self.schedule.host(lease.host).closed
        if closed and lease.again:
            self._store.finish_as_before(lease.id)
            return
        if closed:
            self._store.finish(lease.id, (seen or Ending(closed))._replace(drop=closed))
            self._announcer.ended(Ended([lease.id], closed, lease=lease))
            return
        self._store.requeue(lease.id, tries, None if lease.again else seen)
        row = self._store.read(lease.id)
        self.schedule.add([row], now_s)
        self.rank([(row, row.score)], now_s)  # bounds and cut may have changed during the lease

    def _end(self, lease: Lease, now_s: float) -> None:
        """Ends a lease that does not go back to the queue."""
        queue = self.leases.host(lease)
        self.release(lease, now_s, asked=False)
        self.leases.end(lease)
        if lease.again:
            self._close_if_full(queue)

    def _end_damaged(self, lease: Lease, now_s: float) -> None:
        """Ends a lease whose row is damaged. A page that was fetched before stays in the corpus, and is not visited."""
        if lease.again:
            self.finish_as_before(lease, now_s)
        else:
            self.finish(lease, Ending(Drop.DAMAGED), now_s)

    def _close_if_full(self, queue: HostQueue) -> None:
        is_full = 0 < self.schedule.politeness.pages_per_host <= queue.fetched
        if is_full and queue.closed is None and not queue.has_due and not self.leases.has_due(queue):
            self.close_host(queue.name, Drop.HOST_FULL)

    def _end_closed(self) -> None:
        """Ends the links of closed hosts: a host may have been closed while one of its links was leased."""
        for host in self._store.hosts():
            if host.closed:
                self._announcer.ended(Ended(self._store.clear_host(host.id, host.closed), host.closed))

    def _expire(self, now_s: float) -> None:
        for lease in self.leases.expired(now_s):
            self.release(lease, now_s)
            self.leases.end(lease)
            self._requeue(lease, lease.tries, now_s)
