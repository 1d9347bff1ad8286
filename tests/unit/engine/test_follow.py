"""From a page back to the frontier: what is new is queued, what is known is sighted, and redirects have an end."""

from collections.abc import Sequence
from random import Random

import pytest

from opilio.core.config import load_config
from opilio.core.items import Lease, Seed, Target, Verdict
from opilio.core.outcome import Drop
from opilio.engine.follow import Follow
from opilio.engine.listeners import DropCounts, ForgottenLinks
from opilio.enqueue import Admission, Ending, Frontier, Policy, Politeness, QueryCounts, State
from opilio.folder import Tally
from opilio.lead import FRESH, Judged, PlainLead, Stale
from tests.builders import link, memory_store, page

NOW_S = 1000.0
YES = Verdict(0.9, belongs=True)


class _Counting(PlainLead):
    """Scores a target by how often it was sighted, and remembers what it was shown."""

    def __init__(self, sightings: int = 3, stale: Stale = FRESH) -> None:
        self.sightings = sightings
        self.stale = stale
        self.learned: list[Judged] = []
        self.boundaries = 0

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        return [float(len(target.sightings)) for target in targets]

    def learn(self, judged: Judged) -> Stale:
        self.learned.append(judged)
        return self.stale

    def boundary(self) -> Stale:
        self.boundaries += 1
        return Stale(everything=True)


class _Field:
    def __init__(self, lead: PlainLead, *settings: str, seeds_alone: bool = False) -> None:
        config = load_config(settings=settings)
        self.store = memory_store()
        self.tally = Tally()
        listeners = (DropCounts(self.tally), ForgottenLinks(lead))
        self.frontier = Frontier(self.store, Policy(), Politeness(delay_s=0.0), Random(0), listeners=listeners)
        admission = Admission(config.scope, config.limits.redirects)
        queries = QueryCounts(config.scope.queries_per_path)
        self.follow = Follow(self.frontier, lead, admission, queries, self.tally, seeds_alone=seeds_alone)

    def seeds(self, *urls: str) -> int:
        return self.follow.seeds([Seed(url, "test") for url in urls], NOW_S)

    def lease(self) -> Lease:
        lease = self.frontier.lease(NOW_S)
        assert lease is not None
        return lease

    def page(self, lease: Lease, *links: str, nofollow: bool = False) -> None:
        found = tuple(link(url, anchor=f"to {url}", position=n) for n, url in enumerate(links))
        gleaned = page("text", url=lease.url, links=found, nofollow=nofollow, refused_links={"scheme": 2})
        self.follow.page(lease, gleaned, YES, NOW_S, kept=True)
        self.frontier.release(lease, NOW_S)
        assert self.frontier.finish(lease, Ending(None), NOW_S)

    def redirect(self, lease: Lease, location: str) -> Drop:
        drop = self.follow.redirect(lease, location, NOW_S)
        self.frontier.release(lease, NOW_S)
        assert self.frontier.finish(lease, Ending(drop), NOW_S)
        return drop

    def state(self, url: str) -> State:
        return self.store.read(self.frontier.find(url)).state

    def drop(self, url: str) -> Drop | None:
        return self.store.read(self.frontier.find(url)).drop


# --- seeds and links


def test_seeds_are_queued_once_and_the_rest_is_counted() -> None:
    field = _Field(PlainLead(), 'scope.hosts=["a.test"]')
    assert field.seeds("http://a.test", "http://a.test/#top", "ftp://a.test/", "http://b.test/") == 1
    assert field.tally.drops == {Drop.SCHEME: 1, Drop.HOST_OUT_OF_SCOPE: 1}
    assert field.drop("http://b.test/") is Drop.HOST_OUT_OF_SCOPE
    assert field.seeds("http://a.test/") == 0
    assert field.lease().depth == 0


def test_new_links_are_queued_one_deeper_with_their_parent() -> None:
    field = _Field(PlainLead())
    field.seeds("http://a.test/")
    seed = field.lease()
    field.page(seed, "http://a.test/1", "http://b.test/", "http://a.test/")
    links = [field.lease(), field.lease()]
    assert [(link.url, link.depth, link.parent) for link in links] == [
        ("http://a.test/1", 1, seed.id),
        ("http://b.test/", 1, seed.id),
    ]
    assert field.tally.drops == {Drop.SCHEME: 2}
    assert field.frontier.queued == 0


def test_a_page_that_says_nofollow_teaches_the_lead_but_its_links_are_passed_over() -> None:
    lead = _Counting()
    field = _Field(lead)
    field.seeds("http://a.test/")
    seed = field.lease()
    field.page(seed, "http://a.test/1", "http://a.test/2", nofollow=True)
    assert (field.frontier.queued, field.tally.drops[Drop.NOFOLLOW], len(lead.learned)) == (0, 2, 1)
    assert field.store.count_unfollowed(Drop.NOFOLLOW) == (2, 1)


def test_a_link_that_was_passed_over_is_queued_when_another_page_has_it() -> None:
    field = _Field(PlainLead())
    field.seeds("http://a.test/", "http://b.test/")
    field.page(field.lease(), "http://a.test/1", nofollow=True)
    field.page(field.lease(), "http://a.test/1")
    assert field.lease().url == "http://a.test/1"


def test_a_crawl_of_its_seeds_alone_passes_over_every_link() -> None:
    field = _Field(PlainLead(), seeds_alone=True)
    field.seeds("http://a.test/")
    seed = field.lease()
    field.page(seed, "http://a.test/1")
    assert (len(field.frontier), field.tally.drops[Drop.TOO_DEEP]) == (1, 1)
    assert field.store.count_unfollowed(Drop.TOO_DEEP) == (1, 1)


def test_links_beyond_the_depth_are_remembered_as_too_deep() -> None:
    field = _Field(PlainLead(), "scope.max_depth=0")
    field.seeds("http://a.test/")
    field.page(field.lease(), "http://a.test/1")
    assert (field.drop("http://a.test/1"), field.tally.drops[Drop.TOO_DEEP]) == (Drop.TOO_DEEP, 1)


# --- sightings


@pytest.mark.parametrize("links", [("http://t.test/",), ("http://t.test/", "http://u.test/")])
def test_a_target_is_scored_again_with_every_page_that_links_it(links: tuple[str, ...]) -> None:
    lead = _Counting(sightings=3)
    field = _Field(lead)
    field.seeds(*(f"http://{n}.test/" for n in range(5)))
    parents = [field.lease() for _ in range(5)]
    for times, parent in enumerate(parents, 1):
        field.page(parent, *links)
        number = field.frontier.find("http://t.test/")
        [(_, target)] = field.frontier.links.open([number])
        assert len(target.sightings) == min(times, 3)
        assert field.store.read(number).score == min(times, 4)  # the newest is shown even where it is not stored
    seen = target.sightings
    assert [sighting.parent for sighting in seen] == [parent.id for parent in parents[:3]]
    assert (seen[0].parent_score, seen[0].parent_belongs, seen[0].link.anchor) == (0.9, True, "to http://t.test/")


def test_a_lead_that_wants_no_sightings_has_none_stored() -> None:
    field = _Field(PlainLead())
    field.seeds("http://a.test/")
    field.page(field.lease(), "http://t.test/")
    assert field.frontier.links.sightings([field.frontier.find("http://t.test/")]) == [()]


def test_the_lead_learns_from_a_page_with_the_sightings_that_led_to_it() -> None:
    lead = _Counting()
    field = _Field(lead)
    field.seeds("http://a.test/")
    field.page(field.lease(), "http://t.test/")
    field.page(field.lease())
    first, second = lead.learned
    assert (first.target.url, first.target.sightings, first.kept) == ("http://a.test/", (), True)
    assert [sighting.parent_url for sighting in second.target.sightings] == ["http://a.test/"]


def test_links_that_are_leased_or_done_get_no_more_sightings() -> None:
    field = _Field(_Counting())
    field.seeds("http://a.test/", "http://b.test/")
    one, other = field.lease(), field.lease()
    field.page(one, "http://b.test/", "http://a.test/")
    assert field.frontier.links.sightings([one.id, other.id]) == [(), ()]
    assert field.state("http://b.test/") is State.LEASED


def test_stale_links_are_scored_again_also_when_they_are_named_twice() -> None:
    lead = _Counting()
    field = _Field(lead)
    field.seeds("http://a.test/", "http://b.test/", "http://c.test/")
    lease = field.lease()
    field.frontier.rescore([(2, 5.0), (3, 7.0)], NOW_S)
    lead.stale = Stale(links=(2, 2))
    field.page(lease)
    assert [field.store.read(number).score for number in (2, 3)] == [0.0, 7.0]
    lead.stale = Stale(everything=True)
    field.page(field.lease())
    assert field.store.read(2).score == 0.0


def test_a_boundary_asks_the_lead_before_it_lets_links_through() -> None:
    lead = _Counting()
    field = _Field(lead)
    field.seeds("http://a.test/")
    field.frontier.rescore([(1, 9.0)], NOW_S)
    field.follow.boundary(NOW_S)
    assert (lead.boundaries, field.store.read(1).score) == (1, 0.0)


# --- redirects


def test_a_redirect_queues_its_target_in_its_place() -> None:
    field = _Field(_Counting())
    field.seeds("http://a.test/old")
    lease = field.lease()
    assert field.redirect(lease, "http://a.test/new#part") is Drop.REDIRECTED
    target = field.lease()
    assert (target.url, target.depth, target.hops, target.parent) == ("http://a.test/new", 0, 1, lease.id)
    assert target.score == lease.score


def test_a_redirect_is_admitted_like_any_other_url() -> None:
    field = _Field(PlainLead(), 'scope.hosts=["a.test"]')
    field.seeds("http://a.test/1", "http://a.test/2")
    assert field.redirect(field.lease(), "http://b.test/") is Drop.REDIRECTED
    assert field.drop("http://b.test/") is Drop.HOST_OUT_OF_SCOPE
    assert field.redirect(field.lease(), "file:///etc/passwd") is Drop.SCHEME
    assert field.frontier.queued == 0


def test_a_redirect_to_what_is_known_queues_nothing() -> None:
    field = _Field(PlainLead())
    field.seeds("http://a.test/")
    assert field.redirect(field.lease(), "http://a.test/") is Drop.REDIRECTED
    assert (field.frontier.queued, len(field.frontier)) == (0, 1)


def test_a_chain_of_redirects_ends_at_its_limit() -> None:
    field = _Field(PlainLead(), "limits.redirects=3")
    field.seeds("http://a.test/0")
    drops = [field.redirect(field.lease(), f"http://a.test/{n}") for n in range(1, 5)]
    assert drops == [Drop.REDIRECTED] * 3 + [Drop.REDIRECT_LIMIT]
    assert field.frontier.queued == 0


def test_a_redirect_counts_once_among_the_query_strings_of_a_path() -> None:
    field = _Field(PlainLead(), "scope.queries_per_path=2")
    field.seeds("http://a.test/1", "http://a.test/2", "http://a.test/3")
    for n in range(3):
        field.redirect(field.lease(), f"http://a.test/list?page={n}")
    queued = [field.state(f"http://a.test/list?page={n}") for n in range(3)]
    assert queued == [State.QUEUED, State.QUEUED, State.DONE]


# --- a lead that knows the open links itself


class _Following(_Counting):
    """Remembers which links it was shown, and which it may forget."""

    knows_links = True

    def __init__(self) -> None:
        super().__init__()
        self.shown: set[int] = set()
        self.forgotten: list[int] = []

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        self.shown.update(target.id for target in targets)
        return super().score(targets)

    def fresh(self) -> Sequence[tuple[int, float]]:
        return []

    def forget(self, links: Sequence[int]) -> None:
        self.forgotten += links


def test_where_a_redirect_leads_has_the_sightings_of_the_link() -> None:
    lead = _Following()
    field = _Field(lead)
    field.seeds("http://a.test/")
    field.page(field.lease(), "http://a.test/old")
    old = field.lease()
    assert field.redirect(old, "http://a.test/new") is Drop.REDIRECTED
    assert lead.forgotten == [old.id]
    field.page(field.lease())
    assert [sighting.link.url for sighting in lead.learned[-1].target.sightings] == ["http://a.test/old"]


def test_a_redirect_to_nowhere_is_forgotten_too() -> None:
    lead = _Following()
    field = _Field(lead)
    field.seeds("http://a.test/")
    seed = field.lease()
    assert field.redirect(seed, "ftp://a.test/") is Drop.SCHEME
    assert lead.forgotten == [seed.id]


def test_open_links_come_back_to_a_lead_that_takes_up_a_crawl() -> None:
    first = _Field(_Following())
    first.seeds("http://a.test/")
    first.page(first.lease(), *(f"http://a.test/{number}" for number in range(30)))
    lead = _Following()
    admission = Admission(load_config().scope, 5)
    taken_up = Follow(first.frontier, lead, admission, QueryCounts(10), first.tally)
    taken_up.take_up()
    lease = first.lease()
    taken_up.page(lease, page("text", url=lease.url), YES, NOW_S, kept=True)
    still_open = {first.frontier.find(f"http://a.test/{number}") for number in range(30)} - {lease.id}
    assert still_open <= lead.shown


@pytest.mark.parametrize(
    ("nofollow", "drops"),
    [(False, {Drop.URL_TOO_LONG: 2, Drop.SCHEME: 2}), (True, {Drop.NOFOLLOW: 3, Drop.SCHEME: 2})],
)
def test_links_that_are_too_long_are_counted_and_remembered_without_a_row(
    nofollow: bool, drops: dict[Drop, int]
) -> None:
    field = _Field(PlainLead())
    field.seeds("http://a.test/")
    long = [f"http://{host}.test/{'x' * 3_000}" for host in ("a", "b")]
    field.page(field.lease(), *long, "http://a.test/1", nofollow=nofollow)
    assert field.tally.drops == drops
    assert len(field.frontier) == (1 if nofollow else 2)
    assert field.store.count_unfollowed(Drop.NOFOLLOW if nofollow else Drop.URL_TOO_LONG) == (3 if nofollow else 2, 1)
