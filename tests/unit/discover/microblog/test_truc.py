"""The traversal from user to user, on a small simulated network."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from bench.truc_network import Network, NetworkAsk
from opilio.core.items import Fetched
from opilio.core.outcome import Outcome
from opilio.discover import BudgetSpent, Find, Memory, Question, SourceError
from opilio.discover.microblog import MessageFilter, Microblog
from opilio.discover.microblog.mastodon import MastodonService
from opilio.discover.microblog.truc import Terms

from .villages import villages

SURFACE, DEEP = 1, 2
DAY_S = 86_400.0


class Logged(NetworkAsk):
    """An ask that remembers what it was asked, and may fail."""

    def __init__(self, network: Network, budget: int = 0, failing: str = "") -> None:
        super().__init__(network, budget)
        self.asked: list[str] = []
        self._failing = failing

    async def __call__(self, question: Question) -> Fetched:
        fetched = await super().__call__(question)
        self.asked.append(question.url.removeprefix("http://network.example/api/v1/"))
        if self._failing and self._failing in question.url:
            return Fetched(question.url, Outcome.TIMEOUT_TOTAL)
        return fetched

    @property
    def visited(self) -> list[int]:
        return [int(path.split("/")[1]) for path in self.asked if "/statuses" in path]

    @property
    def grown(self) -> list[int]:
        return [int(path.split("/")[1]) for path in self.asked if "/following" in path]


def traverse(
    ask: Logged, memory: Memory, *, wanted: Sequence[str] = ("id",), now_s: float = 2e9, **terms: Any
) -> list[Find]:
    service = MastodonService("http://network.example")
    message_filter = MessageFilter(wanted=wanted)
    source = Microblog(service, service.timelines(), message_filter, Terms(**{"levels": DEEP, **terms}), lambda: now_s)

    async def run() -> list[Find]:
        finds: list[Find] = []
        try:
            async for batch in source.finds(ask, memory):
                finds += batch
        except BudgetSpent:
            pass
        return finds

    return asyncio.run(run())


def test_only_users_of_the_language_are_followed_further() -> None:
    network = villages()
    ask = Logged(network)
    traverse(ask, {})
    assert ask.grown
    assert {network.language(user) for user in ask.grown} == {"id"}
    assert {network.language(user) for user in ask.visited} > {"id"}  # others were visited, and pruned
    assert len(set(ask.asked)) == len(ask.asked)


def test_users_are_visited_in_the_order_in_which_they_were_met() -> None:
    network = villages()
    surface, deep = Logged(network), Logged(network)
    traverse(surface, {}, levels=SURFACE)
    traverse(deep, {})
    met = surface.visited
    for user in deep.grown:
        met += [friend for friend in network.followees(user) if friend not in met]
    assert deep.visited == met


def test_a_surface_run_visits_the_authors_of_the_timeline_and_nobody_else() -> None:
    network = villages()
    ask = Logged(network)
    finds = traverse(ask, {}, levels=SURFACE, sample=1.0)  # the key is random, and may draw none of a few messages
    assert ask.grown == []
    assert 0 < len(ask.visited) < 30
    assert {find.group for find in finds} == {"filtered", "user", "rejected", "random"}


def test_messages_that_fail_are_set_aside_and_so_is_the_benchmark() -> None:
    finds = traverse(Logged(villages()), {}, sample=0.5)
    assert {find.group for find in finds if find.set_aside} == {"rejected", "random"}
    assert {find.group for find in finds if not find.set_aside} == {"filtered", "user"}
    assert {find.language for find in finds if not find.set_aside} == {"id"}
    benchmark = {find.url for find in finds if find.group == "random"}
    all_links = {find.url for find in finds if find.group != "random"}
    assert benchmark < all_links
    assert 0.35 < len(benchmark) / len(all_links) < 0.65


def test_without_a_filter_every_message_is_random_and_every_user_is_kept() -> None:
    ask = Logged(villages())
    finds = traverse(ask, {}, wanted=())
    assert {find.group for find in finds} == {"random", "user"}
    assert not any(find.set_aside for find in finds)
    assert len(ask.visited) > 250  # of 300; a few are followed by nobody


def test_a_traversal_in_pieces_is_the_whole_traversal() -> None:
    whole = Logged(villages())
    expected = traverse(whole, {})
    memory: dict[str, bytes] = {}
    finds: list[Find] = []
    asked: list[str] = []
    while True:
        piece = Logged(villages(), budget=7)
        found = traverse(piece, memory)
        # The key of the directory is random, so the benchmark is another one.
        finds += [find for find in found if find.group != "random"]
        asked += piece.asked
        if piece.requests < 7:
            break
    again = asked.count(whole.asked[0]) - 1  # each run looks for new messages on the timeline
    assert sorted(find.url for find in finds) == sorted(find.url for find in expected if find.group != "random")
    assert len(asked) - again == len(whole.asked)


def test_a_visit_changes_few_rows() -> None:
    changed: list[int] = []

    class Watched(dict[str, bytes]):
        def __setitem__(self, key: str, value: bytes) -> None:
            changed[-1] += 1
            super().__setitem__(key, value)

    class Counting(Logged):
        async def __call__(self, question: Question) -> Fetched:
            changed.append(0)
            return await super().__call__(question)

    changed.append(0)
    memory = Watched()
    network = villages()
    ask = Counting(network)
    traverse(ask, memory)
    visits = [count for count, path in zip(changed[1:], ask.asked, strict=True) if "/statuses" in path]
    assert max(visits) <= 2


def test_who_writes_much_is_visited_again_and_who_failed_is_not() -> None:
    network, memory = villages(), dict[str, bytes]()
    first = Logged(network)
    traverse(first, memory, now_s=2e9)
    second = Logged(network)
    assert traverse(second, memory, now_s=2e9 + 60) == []
    assert second.visited == []
    third = Logged(network)
    assert traverse(third, memory, now_s=2e9 + 200 * DAY_S) == []  # they have written nothing since
    assert {network.language(user) for user in third.visited} == {"id"}
    assert set(third.visited) <= set(first.visited)
    often = [len(network.messages(user)) for user in third.visited]
    assert often[0] == max(often)


def test_one_user_who_cannot_be_asked_about_does_not_end_the_run() -> None:
    network = villages()
    victim = Logged(network)
    traverse(victim, {})
    failing = Logged(network, failing=f"accounts/{victim.visited[1]}/statuses")
    traverse(failing, {})
    assert failing.visited.count(victim.visited[1]) == 2
    assert set(victim.visited) - set(failing.visited) <= set(victim.visited[2:])
    assert len(failing.visited) > 10


def test_a_service_that_answers_nobody_any_more_ends_the_run_with_an_error() -> None:
    ask = Logged(villages(), failing="/statuses")
    with pytest.raises(SourceError, match=r"cannot be reached: .* run the scout again later"):
        traverse(ask, {})
    assert len(ask.visited) == 5


def test_a_surface_run_can_be_deepened() -> None:
    network, memory = villages(), dict[str, bytes]()
    traverse(Logged(network), memory, levels=SURFACE)
    deep, whole = Logged(network), Logged(network)
    traverse(deep, memory)
    traverse(whole, {})
    assert deep.grown == whole.grown
    assert deep.visited == whole.visited[-len(deep.visited) :]


def test_another_language_is_looked_for_from_the_start() -> None:
    network, memory = villages(), dict[str, bytes]()
    traverse(Logged(network), memory)
    german, alone = Logged(network), Logged(network)
    traverse(german, memory, wanted=["de"])
    traverse(alone, {}, wanted=["de"])
    assert german.asked == alone.asked


def test_servers_do_not_share_the_numbers_of_users() -> None:
    assert MastodonService("a.example").place != MastodonService("b.example").place


def test_a_page_that_the_service_has_forgotten_is_looked_for_from_the_top() -> None:
    class Forgetful(Logged):
        async def __call__(self, question: Question) -> Fetched:
            fetched = await super().__call__(question)
            stale = "/timelines/" in question.url and "max_id" in question.url and len(self.asked) == 1
            return Fetched(question.url, Outcome.HTTP_ERROR, 400) if stale else fetched

    network, memory = villages(long_timeline=True), dict[str, bytes]()
    first = traverse(Logged(network, budget=1), memory, levels=0)
    second = traverse(Forgetful(network), memory, levels=0)
    whole = traverse(Logged(network), {}, levels=0)
    assert first
    assert {find.url for find in second} == {find.url for find in whole}
