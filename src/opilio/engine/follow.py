"""The way into the frontier, for the links of judged pages as for seeds and redirects: which of them are new, which may be
queued, and what the lead says that each is worth."""

from collections.abc import Iterator, Sequence
from itertools import islice
from math import isnan

from msgspec.structs import replace

from opilio.core.errors import OpilioError
from opilio.core.items import Candidate, Lease, Link, Page, Seed, Sighting, Target, Verdict
from opilio.core.outcome import Drop
from opilio.core.url import Url, parse, split
from opilio.enqueue import Admission, Frontier, OpenLink, QueryCounts
from opilio.folder.tally import Tally
from opilio.lead import Judged, Lead, Stale

from .listing import Kind, kind_of, marked


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
        seeds_alone: bool = False,
    ) -> None:
        """`nofollow` follows the links of pages that ask not to; `seeds_alone` follows none at all."""
        self._frontier = frontier
        self._lead = lead
        self._admission = admission
        self._queries = queries
        self._tally = tally
        self._nofollow = nofollow
        self._seeds_alone = seeds_alone
        self._returning: Iterator[list[OpenLink]] = iter(())

    def seeds(self, seeds: Sequence[Seed], now_s: float) -> int:
        """Queues the seeds that are new and in scope. Returns how many."""
        candidates = []
        for seed in seeds:
            url = parse(seed.url)
            if isinstance(url, Drop):
                self._tally.dropped(url)
            else:
                candidates.append(Candidate(url.href, url.host, 0, anchor=f"seed {seed.source}".strip()))
        return len(self._queue(candidates, now_s))

    def redirect(self, lease: Lease, location: str, now_s: float) -> Drop:
        """Queues the target in the place of the lease's URL. Returns how that URL ends."""
        url = parse(location)
        if isinstance(url, Drop):
            return url
        kind = kind_of(lease.url)
        if kind:
            refused = self._admission.refuse_listing(url, lease.hops + 1)
        else:
            refused = self._admission.refuse(url, lease.depth, lease.hops + 1)
        if refused in (Drop.URL_TOO_LONG, Drop.REDIRECT_LIMIT):  # such targets never end, so they get no row
            return refused
        target = marked(url, kind) if kind else url.href
        parent = lease.parent if kind else lease.id
        candidate = Candidate(target, url.host, lease.depth, parent, lease.hops + 1, "redirect")
        queued = self._queue([candidate], now_s, score=lease.score)
        if queued and (seen := self._leased(lease).sightings):  # the target inherits the sightings of the link
            self._frontier.links.put_sightings([(queued[0], seen[: self._lead.sightings])])
        return Drop.REDIRECTED

    def page(
        self,
        lease: Lease,
        page: Page,
        verdict: Verdict,
        now_s: float,
        *,
        kept: bool,
        size_bytes: int = 0,
        address: str = "",
    ) -> None:
        """Lets the lead learn from the page, then queues its new links and adds a sighting to each of the known ones."""
        stale = self._lead.learn(Judged(self._leased(lease), page, verdict, kept, size_bytes, address))
        for drop, times in page.refused_links.items():
            self._tally.dropped(Drop(drop), times)
        if self._seeds_alone:
            self._pass_over(lease, page.links, Drop.TOO_DEEP)
        elif page.nofollow and not self._nofollow:
            self._pass_over(lease, page.links, Drop.NOFOLLOW)
        else:
            self._follow(lease, self._without_long_links(lease, page), verdict, now_s)
        self.rescore(stale, now_s)
        for links in islice(self._returning, 1):
            self._rescore([link for link in links if link.target.sightings], now_s)
        self._frontier.rescore(self._lead.fresh(), now_s)

    def _follow(self, lease: Lease, page: Page, verdict: Verdict, now_s: float) -> None:
        if self._lead.sightings:
            self._sight(lease, page, verdict, now_s)
        else:
            self._queue(_candidates(lease, page), now_s)

    def listings(self, lease: Lease, urls: Sequence[Url], kind: Kind, now_s: float) -> None:
        """Queues sitemaps or feeds with the score of the link that led to them, as if each stood in its place."""
        page = lease.parent if kind_of(lease.url) else lease.id  # an index of sitemaps has no score of its own
        candidates = [Candidate(marked(url, kind), url.host, lease.depth, page, anchor=kind) for url in urls]
        self._queue(candidates, now_s, score=lease.score)

    def listed(self, lease: Lease, page: Page, now_s: float) -> None:
        """Queues the links of a listing, as if they were on the page that led to it."""
        score = self._frontier.links.judge_score(lease.parent) if self._lead.sightings else None
        self._follow(lease, page, Verdict(score or 0.0, belongs=score is not None), now_s)

    def take_up(self) -> None:
        """Shows the open links again, some with every page, to a lead that keeps them itself. They get new scores. To be
        called when a crawl is resumed."""
        if self._lead.knows_links:
            self._returning = self._frontier.links.all_open()

    def boundary(self, now_s: float) -> int:
        """Ends a layer or batch: the lead may score links again, then the next wave is queued. Returns how many links
        it has."""
        self._lead.count(self._frontier.waiting)
        self.rescore(self._lead.boundary(), now_s)
        return self._frontier.cross(now_s)

    def rescore(self, stale: Stale, now_s: float) -> None:
        if stale.everything:
            for links in self._frontier.links.all_open():
                self._rescore(links, now_s)
        elif stale.links:
            self._rescore(self._frontier.links.open(stale.links), now_s)

    def _queue(self, candidates: Sequence[Candidate], now_s: float, score: float | None = None) -> list[int]:
        """Queues the candidates that are new and admitted, and returns their numbers."""
        _, fresh = self._meet(candidates, now_s)
        targets = [Target(number, one.url, one.host, one.depth, one.hops, ()) for number, one in fresh]
        scores = self.scores(targets) if score is None else [score] * len(targets)
        self._frontier.put([(number, one, value) for (number, one), value in zip(fresh, scores, strict=True)], now_s)
        return [number for number, _ in fresh]

    def _without_long_links(self, lease: Lease, page: Page) -> Page:
        """Passes over links that no setting would let in: a page could fill the disk with their rows."""
        long = [link for link in page.links if len(link.url) > self._admission.url_chars]
        if not long:
            return page
        self._pass_over(lease, long, Drop.URL_TOO_LONG)
        return replace(page, links=tuple(link for link in page.links if len(link.url) <= self._admission.url_chars))

    def _pass_over(self, lease: Lease, links: Sequence[Link], drop: Drop) -> None:
        """Counts links that are not followed, and remembers their fingerprints. A row for each would cost twenty times more."""
        if links:
            self._tally.dropped(drop, len(links))
            self._frontier.pass_over(lease.id, [link.url for link in links], drop)

    def _meet(self, candidates: Sequence[Candidate], now_s: float) -> tuple[list[int], list[tuple[int, Candidate]]]:
        """Returns the number of each candidate, and those that are new and admitted. New ones that are refused end
        here."""
        fresh: list[tuple[int, Candidate]] = []
        refused: list[tuple[int, Candidate, Drop]] = []
        last = len(self._frontier)
        numbers = self._frontier.meet([candidate.url for candidate in candidates])
        for number, candidate in zip(numbers, candidates, strict=True):
            if number <= last:  # known before, or twice in this list
                continue
            last = number
            drop = self.refuse(candidate.url, candidate.depth, candidate.hops)
            if drop is None:
                fresh.append((number, candidate))
            else:
                refused.append((number, candidate, drop))
        self._frontier.refuse(refused, now_s)
        return numbers, fresh

    def _sight(self, lease: Lease, page: Page, verdict: Verdict, now_s: float) -> None:
        """Does what `_queue` does, for a lead that wants sightings: known targets get one more and are scored again. Rows
        are read only once."""
        highest = len(self._frontier)
        numbers, fresh = self._meet(_candidates(lease, page), now_s)
        measures = {opinion.judge: opinion.measure for opinion in verdict.opinions if opinion.measure is not None}
        seen = {
            number: Sighting(lease.id, lease.url, verdict.score, verdict.belongs, link, measures)
            for number, link in zip(numbers, page.links, strict=True)
        }
        known = self._frontier.links.open([number for number in seen if number <= highest], self._lead.holds)
        targets = [Target(number, one.url, one.host, one.depth, 0, (seen[number],)) for number, one in fresh]
        targets += [_with(link.target, seen[link.row.id]) for link in known]
        scores = self.scores(targets)  # in one call: each call has a fixed cost
        self._frontier.put([(number, one, value) for (number, one), value in zip(fresh, scores, strict=False)], now_s)
        rows = [link.row for link in known]
        self._frontier.links.put_sightings([(number, (seen[number],)) for number, _ in fresh])
        self._frontier.links.add_sightings([(row.id, seen[row.id]) for row in rows], self._lead.sightings)
        self._frontier.rank(list(zip(rows, scores[len(fresh) :], strict=True)), now_s)

    def _leased(self, lease: Lease) -> Target:
        """Returns the leased link as the lead is shown it. Without sightings nothing is read from the store."""
        target = Target(lease.id, lease.url, lease.host, lease.depth, lease.hops, ())
        if not self._lead.sightings:
            return target
        return target._replace(sightings=self._frontier.links.sightings([lease.id])[0], score=lease.score)

    def _rescore(self, links: Sequence[OpenLink], now_s: float) -> None:
        scores = self.scores([link.target for link in links])
        self._frontier.rank([(link.row, score) for link, score in zip(links, scores, strict=True)], now_s)

    def scores(self, targets: Sequence[Target]) -> list[float]:
        """Asks the lead for scores, as plain numbers."""
        scores = [float(score) for score in self._lead.score(targets)] if targets else []
        if len(scores) != len(targets) or any(map(isnan, scores)):
            raise OpilioError(
                f"the lead {type(self._lead).__name__} must give one number for each target, and gave {scores[:5]}"
            )
        return scores

    def refuse(self, href: str, depth: int, hops: int) -> Drop | None:
        """Returns why a canonical URL may not be queued, or None if it may; then it counts as one of the queries of its path."""
        url = split(href)
        if isinstance(url, Drop):
            return url
        if kind_of(href):
            return self._admission.refuse_listing(url, hops)
        return self._admission.refuse(url, depth, hops) or self._queries.refuse(url)


def _candidates(lease: Lease, page: Page) -> list[Candidate]:
    depth = lease.depth + 1
    return [Candidate(link.url, link.host, depth, lease.id, anchor=link.anchor) for link in page.links]


def _with(target: Target, sighting: Sighting) -> Target:
    """Adds a sighting to those that the lead is shown, even if there is no room to store it."""
    if any(seen.parent == sighting.parent for seen in target.sightings):
        return target
    return target._replace(sightings=(*target.sightings, sighting))
