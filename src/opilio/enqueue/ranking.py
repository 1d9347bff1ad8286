"""How a link stands with the score that a lead gave it, under the policy as it is: its bucket, and whether it is queued, waits
for a wave, or has ended because it is under the cut or its host is closed.

Rule: nothing here is stored or announced; the frontier does that.
"""

from opilio.core.items import Candidate
from opilio.core.outcome import Drop
from opilio.core.url import fingerprint

from .policy import DUE, Policy, bucket_of
from .schedule import Schedule
from .store import State, StoredLink


class Ranking:
    def __init__(self, policy: Policy, schedule: Schedule) -> None:
        self._policy = policy
        self._schedule = schedule

    def new(self, number: int, candidate: Candidate, score: float, now_s: float) -> StoredLink:
        """Returns the row of a link that was just met."""
        state, drop = self._first_state(candidate.depth, candidate.hops), None
        if score < self._policy.cut:
            state, drop = State.DONE, Drop.BELOW_CUT
        return self._row(number, candidate, score, state, drop, now_s)

    def refused(self, number: int, candidate: Candidate, drop: Drop, now_s: float) -> StoredLink:
        """Returns the row of a link that was just met, and that admission has refused."""
        return self._row(number, candidate, 0.0, State.DONE, drop, now_s)

    def ranked(self, row: StoredLink, score: float) -> StoredLink:
        """Returns what becomes of a link that can rise when it has this score."""
        if row.bucket == DUE:
            return row.ranked(row.state, DUE, score, row.drop)
        state, drop = row.state, None
        if score < self._policy.cut:
            state, drop = State.DONE, Drop.BELOW_CUT
        elif row.drop is not None:
            drop = self._schedule.closed(row.host)  # perhaps after the link was cut
            state = State.DONE if drop else self._first_state(row.depth, row.hops)
        bucket = bucket_of(score, self._policy.bounds)
        if state is State.QUEUED and bucket > row.bucket and self._policy.wave and self._policy.wave.quotas:
            state = self._first_state(row.depth, row.hops)  # it has lost its place, and waits for one in its new bucket
        return row.ranked(state, bucket, score, drop)

    def first(self, row: StoredLink) -> StoredLink:
        """Returns a link that has ended as it is queued once more, in the best bucket."""
        score = max(row.score, self._policy.cut, *self._policy.bounds[:1])
        return row.ranked(State.QUEUED, bucket_of(score, self._policy.bounds), score, None)._replace(tries=0)

    def _row(
        self, number: int, candidate: Candidate, score: float, state: State, drop: Drop | None, now_s: float
    ) -> StoredLink:
        host = self._schedule.host(candidate.host)
        if host.closed and state is not State.DONE:
            state, drop = State.DONE, host.closed
        return StoredLink(
            number, fingerprint(candidate.url), candidate.url, host.id, state, bucket_of(score, self._policy.bounds), score,
            candidate.depth, candidate.hops, 0, candidate.parent, candidate.anchor, now_s, drop,
        )  # fmt: skip

    def _first_state(self, depth: int, hops: int) -> State:
        return State.WAITING if self._policy.wave and depth and not hops else State.QUEUED
