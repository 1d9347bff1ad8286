"""From a judged page back to the frontier: which of its links are new, which may be queued, and what each is worth."""

from collections.abc import Iterator, Sequence
from itertools import islice
from math import isnan

from opilio.core.errors import OpilioError
from opilio.core.items import Candidate, Lease, Page, Seed, Sighting, Target, Verdict
from opilio.core.outcome import Drop
from opilio.core.url import Url, parse, split
from opilio.enqueue import Admission, Frontier, QueryCounts
from opilio.folder.tally import Tally
from opilio.lead import Counting, Judged, Lead, Refreshing, Stale


class Follow:
    def __init__(
        self,
        frontier: Frontier,
        lead: Lead,
        admission: Admission,
        queries: QueryCounts,
        tally: Tally,
        *,
        nofollow: bool = False,
    ) -> None:
        self._frontier = frontier
        self._lead = lead
        self._admission = admission
        self._queries = queries
        self._tally = tally
        self._nofollow = nofollow
        self._returning: Iterator[list[Target]] = iter(())

    def seeds(self, seeds: Sequence[Seed], now_s: float) -> int:
        """Queues those that are new and in scope; how many."""
        candidates = []
        for seed in seeds:
            url = parse(seed.url)
            if isinstance(url, Drop):
                self._tally.dropped(url)
            else:
                candidates.append(Candidate(url.href, url.host, 0, anchor=f"seed {seed.source}".strip()))
        return self._queue(candidates, now_s)

    def redirect(self, lease: Lease, location: str, now_s: float) -> Drop:
        """Queues the target in the place of the lease's URL; how that URL ends."""
        self.no_page(lease)
        url = parse(location)
        if isinstance(url, Drop):
            return url
        refused = self._admission.refuse(url, lease.depth, lease.hops + 1)
        if refused in (Drop.URL_TOO_LONG, Drop.REDIRECT_LIMIT):
            return refused
        candidate = Candidate(url.href, url.host, lease.depth, lease.id, lease.hops + 1, "redirect")
        if self._queue([candidate], now_s, score=lease.score) and self._lead.sightings:
            self._hand_on(lease, self._frontier.find(url.href))
        return Drop.REDIRECTED

    def page(
        self, lease: Lease, page: Page, verdict: Verdict, now_s: float, *, kept: bool, size_bytes: int = 0
    ) -> None:
        """Lets the lead learn from the page, then queues its links and adds its sightings to those that are known."""
        wants = self._lead.sightings
        target = self._frontier.targets([lease.id])[0] if wants else _bare(lease)
        stale = self._lead.learn(Judged(target, page, verdict, kept, size_bytes))
        for drop, times in page.refused_links.items():
            self._tally.dropped(Drop(drop), times)
        if page.nofollow and not self._nofollow:
            self._tally.dropped(Drop.NOFOLLOW, len(page.links))
        elif wants:
            self._sight(lease, page, verdict, now_s)
        else:
            depth = lease.depth + 1
            self._queue(
                [Candidate(link.url, link.host, depth, lease.id, anchor=link.anchor) for link in page.links], now_s
            )
        self.rescore(stale, now_s)
        for targets in islice(self._returning, 1):
            self._rescore([target for target in targets if target.sightings], now_s)
        if isinstance(self._lead, Refreshing):
            self._lead.forget(self._frontier.rescore(self._lead.fresh(), now_s))

    def _hand_on(self, lease: Lease, target: int) -> None:
        """What led to a link leads to where it is redirected."""
        for sighting in self._frontier.targets([lease.id])[0].sightings:
            self._frontier.add_sightings([(target, sighting)], self._lead.sightings)

    def no_page(self, lease: Lease) -> None:
        """The link has ended without one: the lead need not follow it any more."""
        if isinstance(self._lead, Refreshing):
            self._lead.forget([lease.id])

    def take_up(self) -> None:
        """After a resumption a lead that knows the open links itself gets them back, some with every page, and with fresh
        scores."""
        if isinstance(self._lead, Refreshing):
            self._returning = self._frontier.open_targets()

    def boundary(self, now_s: float) -> int:
        """The end of a layer or batch: the lead acts on it, then the next wave goes through."""
        if isinstance(self._lead, Counting):
            self._lead.count(self._frontier.waiting)
        self.rescore(self._lead.boundary(), now_s)
        return self._frontier.cross(now_s)

    def rescore(self, stale: Stale, now_s: float) -> None:
        if stale.everything:
            for targets in self._frontier.open_targets():
                self._rescore(targets, now_s)
        elif stale.links:
            self._rescore(self._frontier.targets(stale.links), now_s)

    def _queue(self, candidates: Sequence[Candidate], now_s: float, score: float | None = None) -> int:
        fresh, refused = self._sort(candidates)
        targets = [Target(number, one.url, one.host, one.depth, one.hops, ()) for number, one in fresh]
        scores = self._scores(targets) if score is None else [score or 0.0] * len(targets)
        self._frontier.refuse(refused, now_s)
        self._frontier.put([(number, one, value) for (number, one), value in zip(fresh, scores, strict=True)], now_s)
        return len(fresh)

    def _sort(
        self, candidates: Sequence[Candidate]
    ) -> tuple[list[tuple[int, Candidate]], list[tuple[int, Candidate, Drop]]]:
        """New and admitted; new and refused. What is known already is neither."""
        fresh: list[tuple[int, Candidate]] = []
        refused: list[tuple[int, Candidate, Drop]] = []
        last = len(self._frontier)
        numbers = self._frontier.meet([candidate.url for candidate in candidates])
        for number, candidate in zip(numbers, candidates, strict=True):
            if number <= last:  # known before, or twice in this list
                continue
            last = number
            url = split(candidate.url)
            drop = url if isinstance(url, Drop) else self._refuse(url, candidate.depth, candidate.hops)
            if drop is None:
                fresh.append((number, candidate))
            else:
                self._tally.dropped(drop)
                refused.append((number, candidate, drop))
        return fresh, refused

    def _sight(self, lease: Lease, page: Page, verdict: Verdict, now_s: float) -> None:
        """Like `_queue`, for a lead that wants to see where a target was seen, and sees it again when more is known."""
        depth = lease.depth + 1
        candidates = [Candidate(link.url, link.host, depth, lease.id, anchor=link.anchor) for link in page.links]
        fresh, refused = self._sort(candidates)
        self._frontier.refuse(refused, now_s)
        new = {number for number, _ in fresh}
        measures = {opinion.judge: opinion.measure for opinion in verdict.opinions if opinion.measure is not None}
        seen = {
            self._frontier.find(link.url): Sighting(lease.id, lease.url, verdict.score, verdict.belongs, link, measures)
            for link in page.links
        }
        known = [number for number in seen if number not in new and self._frontier.can_rise(number)]
        targets = [Target(number, one.url, one.host, one.depth, 0, (seen[number],)) for number, one in fresh]
        targets += [_with(target, seen[target.id]) for target in self._frontier.targets(known)]
        scores = self._scores(targets)  # all at once: asking has a price of its own
        self._frontier.put([(number, one, value) for (number, one), value in zip(fresh, scores, strict=False)], now_s)
        is_open = new.union(known)
        self._frontier.add_sightings([pair for pair in seen.items() if pair[0] in is_open], self._lead.sightings)
        self._frontier.rescore(list(zip(known, scores[len(fresh) :], strict=True)), now_s)

    def _rescore(self, targets: Sequence[Target], now_s: float) -> None:
        scores = self._scores(targets)
        self._frontier.rescore([(target.id, score) for target, score in zip(targets, scores, strict=True)], now_s)

    def _scores(self, targets: Sequence[Target]) -> list[float]:
        """What the lead says, as plain numbers."""
        scores = [float(score) for score in self._lead.score(targets)] if targets else []
        if len(scores) != len(targets) or any(map(isnan, scores)):
            raise OpilioError(
                f"the lead {type(self._lead).__name__} must give one number for each target, and gave {scores[:5]}"
            )
        return scores

    def _refuse(self, url: Url, depth: int, hops: int) -> Drop | None:
        return self._admission.refuse(url, depth, hops) or self._queries.refuse(url)


def _bare(lease: Lease) -> Target:
    return Target(lease.id, lease.url, lease.host, lease.depth, lease.hops, ())


def _with(target: Target, sighting: Sighting) -> Target:
    """The newest sighting is always shown, also where there is no room to store it."""
    if any(seen.parent == sighting.parent for seen in target.sightings):
        return target
    return target._replace(sightings=(*target.sightings, sighting))
