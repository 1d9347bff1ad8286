"""What it gains to go from user to user by language (TRUC), on a simulated microblog, against random traversal.

The network, the traversals and the goals were fixed in docs/experiments.md before the first run. The traversals are the code of
`opilio scout`; only the random one is written here, over the same service and with the same requests.
"""

import asyncio
import gzip
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import mean
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import msgspec

from opilio.core.clock import SIMULATED_START_S
from opilio.core.errors import OpilioError
from opilio.discover import BudgetSpent, Find
from opilio.discover.microblog import Kind, Listing, MessageFilter, Microblog
from opilio.discover.microblog.mastodon import MastodonService
from opilio.discover.microblog.service import show
from opilio.discover.microblog.truc import Terms

from . import Goal, Progress, Report
from .chart import CurveChart, Panel
from .form import Cell
from .truc_network import ENGLISH, TARGET, TARGETS, Network, NetworkAsk, Parameters

HOMOPHILY: Final = (0.0, 0.3, 0.5, 0.7, 0.9)
_COUNTED: Final = 0.7
_BUDGET: Final = 2_000
_RANDOM, _EXCLUDED, _IDENTIFIED = "random", "English excluded", "Indonesian identified"
_SURFACE, _CHANNELS = "surface", "channels"
_LEVELS: Final = {_CHANNELS: 0, _SURFACE: 1, _IDENTIFIED: 2, _EXCLUDED: 2}
_TIMELINE: Final = Listing(Kind.TIMELINE, "public")


class Harvest(NamedTuple):
    """What one traversal of one network has found."""

    requests: int
    links: int
    target: float  # in the target language; the mean of languages of its size for a traversal that knows no target
    english: int

    @property
    def per_request(self) -> float:
        return self.target / self.requests

    @property
    def english_share(self) -> float:
        return self.english / max(1, self.links)


Found = dict[tuple[float, str], list[Harvest]]


def run(rounds: int = 10, seed: int = 101, progress: Progress | None = None) -> Report:
    found = compare(Parameters(), range(seed, seed + rounds), _BUDGET, progress=progress)
    return Report(
        "truc",
        ("homophily", "traversal", "requests", "links", "target links", "per request", "× random", "English %"),
        [_row(found, homophily, name) for homophily, name in found],
        goals(found),
        ["Each figure is the mean of the networks. Links that were set aside do not count."],
        chart=_chart(found),
    )


def compare(
    parameters: Parameters,
    seeds: Sequence[int],
    budget: int,
    homophily: Sequence[float] = HOMOPHILY,
    progress: Progress | None = None,
) -> Found:
    sentences = read_sentences()
    names = (_RANDOM, _EXCLUDED, _IDENTIFIED)
    asked = [(each, (*names, _SURFACE, _CHANNELS) if each == _COUNTED else names) for each in homophily]
    found: Found = {(each, name): [] for each, all_names in asked for name in all_names}
    done = 0
    for each, all_names in asked:
        for seed in seeds:
            network = Network(sentences, replace(parameters, homophily=each, seed=seed))
            for name in all_names:
                found[each, name].append(asyncio.run(traverse(network, name, budget, seed)))
                done += 1
                if progress is not None:
                    progress(done, len(found) * len(seeds))
    return found


def read_sentences() -> Mapping[str, Sequence[str]]:
    path = Path(os.environ.get("OPILIO_DATA") or "nowhere") / "text" / "sentences.json.gz"
    if not path.exists():
        raise OpilioError("bench truc needs text/sentences.json.gz in the folder that OPILIO_DATA names.")
    sentences: dict[str, list[str]] = msgspec.json.decode(gzip.decompress(path.read_bytes()), type=dict[str, list[str]])
    return sentences


async def traverse(network: Network, name: str, budget: int, seed: int) -> Harvest:
    ask = NetworkAsk(network, budget)
    if name == _RANDOM:
        return _harvest(ask, await _wander(ask, Random(seed)), TARGETS)
    service = MastodonService("http://network.example", tags=[TARGET])
    wanted = () if name == _EXCLUDED else (TARGET,)
    message_filter = MessageFilter(exclude=(ENGLISH,) if name == _EXCLUDED else (), wanted=wanted)
    starts = service.channels(()) if name == _CHANNELS else service.timelines()
    source = Microblog(service, starts, message_filter, Terms(levels=_LEVELS[name]), lambda: SIMULATED_START_S)
    finds: list[Find] = []
    try:
        async for batch in source.finds(ask, {}):
            finds += batch
    except BudgetSpent:
        pass
    return _harvest(ask, {find.url for find in finds if not find.set_aside}, wanted or TARGETS)


async def _wander(ask: NetworkAsk, chance: Random) -> set[str]:
    """Visits users in random order, from the authors of the timeline; their followees are asked for when nobody is left."""
    service, links = MastodonService("http://network.example"), set[str]()
    met: list[str] = []
    visited: list[str] = []
    known: set[str] = set()
    cursor, start = "", True

    def meet(users: Sequence[str]) -> None:
        met.extend(user for user in dict.fromkeys(users) if user not in known)
        known.update(users)

    try:
        while start or cursor:
            shown = await show(service, ask, _TIMELINE, cursor)
            links.update(link for message in shown.messages for link in message.links)
            meet([message.author for message in shown.messages])
            cursor, start = shown.cursor, False
        while met or visited:
            if met:
                user = _pop(met, chance)
                shown = await show(service, ask, Listing(Kind.USER, user))
                links.update(link for message in shown.messages for link in message.links)
                visited.append(user)
            else:
                meet((await show(service, ask, Listing(Kind.FRIENDS, _pop(visited, chance)))).users)
    except BudgetSpent:
        pass
    return links


def _pop(users: list[str], chance: Random) -> str:
    place = chance.randrange(len(users))
    users[place], users[-1] = users[-1], users[place]
    return users.pop()


def _harvest(ask: NetworkAsk, links: set[str], targets: Sequence[str]) -> Harvest:
    languages = Counter((urlsplit(link).hostname or "").partition(".")[0] for link in links)
    return Harvest(ask.requests, len(links), mean(languages[target] for target in targets), languages[ENGLISH])


def goals(found: Found) -> list[Goal]:
    falls = 100 * (_english(found, _COUNTED, _RANDOM) - _english(found, _COUNTED, _EXCLUDED))
    return [
        Goal(f"{_EXCLUDED} at {_COUNTED}", _gain(found, _COUNTED, _EXCLUDED), 1.8, "× random"),
        Goal(f"{_IDENTIFIED} at {_COUNTED}", _gain(found, _COUNTED, _IDENTIFIED), 6.0, "× random"),
        *(
            Goal(f"{name} at 0", _gain(found, 0.0, name), bound, "× random", at_least=at_least)
            for name in (_EXCLUDED, _IDENTIFIED)
            for bound, at_least in ((0.8, True), (1.25, False))
        ),
        Goal("by how much the share of English falls", falls, 1.0, "points"),
    ]


def _gain(found: Found, homophily: float, name: str) -> float:
    return _mean(found, homophily, name) / _mean(found, homophily, _RANDOM)


def _mean(found: Found, homophily: float, name: str) -> float:
    return mean(harvest.per_request for harvest in found[homophily, name])


def _english(found: Found, homophily: float, name: str) -> float:
    return mean(harvest.english_share for harvest in found[homophily, name])


def _row(found: Found, homophily: float, name: str) -> list[Cell]:
    harvests = found[homophily, name]
    return [
        homophily,
        name,
        round(mean(harvest.requests for harvest in harvests)),
        round(mean(harvest.links for harvest in harvests)),
        round(mean(harvest.target for harvest in harvests)),
        _mean(found, homophily, name),
        _gain(found, homophily, name),
        100 * _english(found, homophily, name),
    ]


def _chart(found: Found) -> CurveChart:
    all_homophily = list(dict.fromkeys(homophily for homophily, _ in found))
    names = (_IDENTIFIED, _EXCLUDED, _RANDOM)
    gains = tuple((name, tuple((each, _gain(found, each, name)) for each in all_homophily)) for name in names)
    english = tuple(
        (name, tuple((each, 100 * _english(found, each, name)) for each in all_homophily)) for name in names
    )
    return CurveChart(
        "From user to user by language: a simulated microblog, 3 % Indonesian",
        "homophily",
        (
            Panel("Indonesian links per request", "× random traversal", gains),
            Panel("English among the links", "%", english),
        ),
    )
