"""The simulated network of `bench truc`, a small run of it, and its goals by figures that are made up."""

import asyncio
import urllib.request

import pytest

from bench.truc import HOMOPHILY, Harvest, goals, traverse
from bench.truc_network import NetworkAsk
from bench.truc_server import serving
from opilio.discover import Question
from tests.unit.discover.microblog.villages import villages

USERS = 600


@pytest.mark.parametrize("homophily", HOMOPHILY)
def test_followees_have_the_users_language_as_often_as_the_parameters_say(homophily: float) -> None:
    network = villages(USERS, homophily)
    pairs = [
        network.language(friend) == "id"
        for user in range(USERS)
        if network.language(user) == "id"
        for friend in network.followees(user)
    ]
    assert sum(pairs) / len(pairs) == pytest.approx(homophily + (1 - homophily) * 0.2, abs=0.07)


def test_the_server_and_the_ask_give_the_same_answers() -> None:
    paths = [
        "timelines/public",
        "timelines/tag/id",
        "accounts/5/statuses",
        "accounts/5/following",
        "accounts/5000/statuses",
    ]
    with serving(villages()) as server:
        ask = NetworkAsk(villages())
        for path in paths[:4]:
            url = f"http://127.0.0.1:{server.port}/api/v1/{path}"
            with urllib.request.urlopen(url) as answer:
                fetched = asyncio.run(ask(Question(url)))
                assert (answer.read(), answer.headers["Link"] or "") == (fetched.body, fetched.header("link"))
        assert asyncio.run(ask(Question(f"http://127.0.0.1/api/v1/{paths[4]}"))).status == 404


@pytest.mark.parametrize("name", ["random", "English excluded", "Indonesian identified", "surface", "channels"])
def test_every_traversal_stays_within_its_budget_and_finds_the_target(name: str) -> None:
    harvest = asyncio.run(traverse(villages(USERS), name, 60, 1))
    assert 0 < harvest.requests <= 60
    assert 0 < harvest.target <= harvest.links


def made(excluded: float, identified: float, at_zero: float, english: float) -> list[bool]:
    def harvest(gain: float, english_share: float) -> list[Harvest]:
        return [Harvest(100, 1_000, 10 * gain, round(1_000 * english_share))]

    found = {
        (0.7, "random"): harvest(1, 0.7), (0.7, "English excluded"): harvest(excluded, english),
        (0.7, "Indonesian identified"): harvest(identified, 0.3), (0.0, "random"): harvest(1, 0.7),
        (0.0, "English excluded"): harvest(at_zero, 0.3), (0.0, "Indonesian identified"): harvest(at_zero, 0.3),
    }  # fmt: skip
    return [goal.met for goal in goals(found)]


def test_each_goal_can_be_missed() -> None:
    assert all(made(2, 7, 1, 0.4))
    assert made(1.7, 5, 1, 0.8) == [False, False, True, True, True, True, False]
    assert made(2, 7, 0.7, 0.4) == [True, True, False, True, False, True, True]
    assert made(2, 7, 1.3, 0.4) == [True, True, True, False, True, False, True]
