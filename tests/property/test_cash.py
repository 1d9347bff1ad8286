"""The cash of OPIC+COMMD is neither made nor lost, and links get what the published formula gives them."""

from random import Random
from typing import NamedTuple

from hypothesis import event, given, settings
from hypothesis import strategies as st

from opilio.core.config import load_config
from opilio.core.items import Lease, Seed, Verdict
from opilio.core.outcome import Drop
from opilio.engine.follow import Follow
from opilio.enqueue import Admission, Ending, Frontier, Policy, Politeness, QueryCounts, State
from opilio.enqueue.policy import Wave
from opilio.folder import Tally
from opilio.lead import Opic
from tests.builders import link, memory_store
from tests.builders import page as gleaned_page

NOW_S = 1000.0
CASH = 7.0  # whatever there is of it: only shares matter
TOLERANCE = 1e-9


class Web(NamedTuple):
    links: list[dict[int, int]]  # of each page: how often it links to which, perhaps to itself
    relevant: list[bool]
    broken: list[bool]
    seeds: int
    top: int


@st.composite
def webs(draw: st.DrawFn) -> Web:
    """Pages without links, few relevant ones and small layers, so that each special case comes up often."""
    size = draw(st.integers(4, 14))
    some_links = st.dictionaries(st.integers(0, size - 1), st.integers(1, 3), min_size=1, max_size=6)
    links = draw(st.lists(st.one_of(some_links, some_links, st.just({})), min_size=size, max_size=size))
    flags = st.lists(st.integers(0, 9), min_size=size, max_size=size)
    share = draw(st.sampled_from([1, 5, 9]))
    relevant, broken = [one < share for one in draw(flags)], [one < 1 for one in draw(flags)]
    return Web(links, relevant, broken, draw(st.integers(1, min(3, size))), draw(st.integers(0, 3)))


class Ledger:
    """The formula as it is written down, with every link of a layer kept until its end."""

    def __init__(self, web: Web) -> None:
        self.web = web
        self.cash = dict.fromkeys(range(web.seeds), CASH / web.seeds)
        self.scores: dict[int, float] = {}

    def flow(self, fetched: list[int], queue: set[int]) -> None:
        links = {page: {to: times for to, times in self.web.links[page].items() if to != page} for page in fetched}
        givers = [page for page in fetched if self.web.relevant[page] and links[page]]
        idle = sum(cash for page, cash in self.cash.items() if page not in givers)
        if givers:
            flown: dict[int, float] = {}
            for page in givers:
                for to, times in links[page].items():
                    share = times / sum(links[page].values())
                    flown[to] = flown.get(to, 0.0) + share * (self.cash.get(page, 0.0) + idle / len(givers))
            self.cash = flown
        else:
            self.cash = {page: CASH / len(queue) for page in queue}
        cases = {
            "a relevant page without links": any(self.web.relevant[page] and not links[page] for page in fetched),
            "no page that gives": not givers,
            "links that are cut": givers and 0 < self.web.top < len(queue),
        }
        for name in filter(cases.__getitem__, cases):
            event(name)  # --hypothesis-show-statistics tells how often
        for page in queue:
            self.scores[page] = self.scores.get(page, 0.0) + self.cash.get(page, 0.0) / CASH


class Crawler:
    def __init__(self, web: Web) -> None:
        self.web = web
        self.lead = Opic()
        self.store = memory_store()
        config = load_config()
        self.frontier = Frontier(self.store, Policy(wave=Wave(web.top)), Politeness(delay_s=0.0), Random(0))
        admission, queries = Admission(config.scope, 5), QueryCounts(1000)
        self.follow = Follow(self.frontier, self.lead, admission, queries, Tally())
        self.follow.seeds([Seed(_url(page), "test") for page in range(web.seeds)], NOW_S)

    def layer(self) -> list[int]:
        """Fetches what is queued; the pages that came."""
        fetched = []
        while (lease := self.frontier.lease(NOW_S)) is not None:
            page = int(lease.url.rpartition("/")[2])
            if not self.web.broken[page]:
                fetched.append(page)
                self.visit(lease, page)
            self.frontier.release(lease, NOW_S)
            self.frontier.finish(lease, Ending(Drop.FETCH_FAILED if self.web.broken[page] else None), NOW_S)
        return fetched

    def visit(self, lease: Lease, page: int) -> None:
        links = tuple(link(_url(to), times=times) for to, times in self.web.links[page].items())
        gleaned = gleaned_page("text", url=lease.url, links=links)
        belongs = self.web.relevant[page]
        self.follow.page(lease, gleaned, Verdict(float(belongs), belongs=belongs), NOW_S, kept=belongs)

    def waiting(self) -> dict[int, float]:
        rows = [self.store.read(number) for number in range(1, len(self.frontier) + 1)]
        return {_page_of(row.url): row.score for row in rows if row.state in (State.WAITING, State.QUEUED)}

    def restart(self) -> None:
        """Saves and loads the lead, as a crawl does that was killed."""
        state = self.lead.save()
        assert state is not None
        self.lead = Opic()
        self.lead.load(state)
        self.follow._lead = self.lead


def _url(page: int) -> str:
    return f"http://{_host(page)}/{page}"


def _host(page: int) -> str:
    return f"h{page % 3}.test"


def _page_of(url: str) -> int:
    return int(url.rpartition("/")[2])


@settings(max_examples=150)
@given(webs(), st.booleans())
def test_cash_is_conserved_in_every_layer_and_flows_by_the_formula(web: Web, restarted: bool) -> None:
    crawler, ledger = Crawler(web), Ledger(web)
    while True:
        fetched = crawler.layer()
        queue = set(crawler.waiting())
        if not queue:
            break
        if restarted and fetched:
            crawler.restart()
        crawler.follow.boundary(NOW_S)
        ledger.flow(fetched, queue)
        cash = crawler.lead._state
        assert abs(sum(cash.held.values()) + cash.equal * len(queue) - 1.0) < TOLERANCE
        assert abs(sum(ledger.cash.values()) - CASH) < TOLERANCE
        scores = crawler.waiting()
        assert scores.keys() == queue
        assert all(abs(scores[page] - ledger.scores[page]) < TOLERANCE for page in queue)
