"""A simulated microblog with users of many languages, which answers as a Mastodon server does.

All parameters are explained in docs/experiments.md. `answer` is a pure function of a path and a query: `truc_server.py` serves it
over HTTP, and `NetworkAsk` without, so that both give the very same answers. Users and messages are made when they are asked for,
from the seed and the user's number, so the size of the network costs nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import msgspec
import numpy as np

from opilio.core.clock import SIMULATED_START_S, iso_time
from opilio.core.items import Fetched, Headers
from opilio.core.outcome import Outcome
from opilio.discover import BudgetSpent, Question

TARGET: Final = "id"
ENGLISH: Final = "en"
TARGETS: Final = ("id", "es", "pt", "de", "fr", "ja", "ru", "it", "tr", "nl", "pl", "sv", "fi")  # all of the same size
MIX: Final = {ENGLISH: 0.60, **dict.fromkeys(TARGETS, 0.03), "ms": 0.005, "tl": 0.005}
_MONTH_S: Final = 30 * 86_400.0
_RENDERED_USERS: Final = 20_000  # whose messages are remembered


@dataclass(frozen=True)
class Parameters:
    homophily: float = 0.7
    users: int = 100_000
    seed: int = 1
    mix: Mapping[str, float] = field(default_factory=lambda: MIX)
    median_degree: float = 20.0
    degree_sigma: float = 0.8
    degrees: tuple[int, int] = (5, 300)
    mean_messages: float = 20.0
    most_messages: int = 200
    own_language: float = 0.85
    linked: float = 0.3
    same_language: float = 0.7  # of a link's target and the message
    words: tuple[int, int] = (5, 20)
    timeline_messages: int = 200
    tag_messages: int = 400
    tag_purity: float = 0.8
    page_messages: int = 40
    page_users: int = 80


class Status(NamedTuple):
    """The n-th newest message of a user."""

    user: int
    number: int


class Network:
    def __init__(self, sentences: Mapping[str, Sequence[str]], parameters: Parameters) -> None:
        self.parameters = parameters
        self._sentences = {language: [line.split() for line in sentences[language]] for language in parameters.mix}
        self._languages = list(parameters.mix)
        self._random = np.random.default_rng(parameters.seed)
        shares = np.array(list(parameters.mix.values()))
        self._user_languages = self._random.choice(len(shares), parameters.users, p=shares / shares.sum())
        self._members = [np.flatnonzero(self._user_languages == each) for each in range(len(shares))]
        counts = self._random.geometric(1 / parameters.mean_messages, parameters.users)
        self._counts = np.minimum(counts, parameters.most_messages)
        self._timeline = self._listed(parameters.timeline_messages, purity=0.0, language=0)
        self._tags = {
            name: self._listed(parameters.tag_messages, parameters.tag_purity, number)
            for number, name in enumerate(self._languages)
        }
        self.messages = lru_cache(maxsize=_RENDERED_USERS)(self._messages)

    def language(self, user: int) -> str:
        return self._languages[int(self._user_languages[user])]

    def followees(self, user: int) -> list[int]:
        terms = self.parameters
        chance = np.random.default_rng((terms.seed, user))
        degree = int(np.clip(terms.median_degree * np.exp(chance.normal(0, terms.degree_sigma)), *terms.degrees))
        stays = chance.random(degree) < terms.homophily
        anywhere = self._user_languages[chance.integers(terms.users, size=degree)]  # draws from the mix
        languages = np.where(stays, self._user_languages[user], anywhere)
        ranks = chance.random(degree) ** 2  # the density of ranks falls with their root
        chosen = (
            self._members[each][int(rank * len(self._members[each]))]
            for each, rank in zip(languages, ranks, strict=True)
        )
        return [int(one) for one in dict.fromkeys(chosen) if one != user]

    def answer(self, path: str, query: Mapping[str, str]) -> tuple[int, Headers, bytes]:
        """Returns status, headers and body, as a server does."""
        parts = path.removeprefix("/api/v1/").split("/")
        before = query.get("max_id", "")
        match parts:
            case ["timelines", "public"]:
                return self._statuses(path, self._timeline, before)
            case ["timelines", "tag", tag] if tag in self._tags:
                return self._statuses(path, self._tags[tag], before)
            case ["accounts", user, "statuses"] if self._is_user(user):
                own = [Status(int(user), number) for number in range(self._counts[int(user)])]
                return self._statuses(path, own, before)
            case ["accounts", user, "following"] if self._is_user(user):
                return self._following(path, int(user), before)
        return 404, (), b'{"error": "Record not found"}'

    def _listed(self, length: int, purity: float, language: int) -> list[Status]:
        """Draws messages of a listing, newest first: of one language with the chance `purity`, else of anybody."""
        weights = self._counts / self._counts.sum()
        anybody = self._random.choice(self.parameters.users, length, p=weights)
        members = self._members[language]
        own = self._random.choice(members, length, p=weights[members] / weights[members].sum())
        users = np.where(self._random.random(length) < purity, own, anybody)
        drawn = {Status(int(user), int(self._random.integers(self._counts[user]))) for user in users}
        return sorted(drawn, key=lambda status: (-self._time_s(status), status))

    def _is_user(self, name: str) -> bool:
        return name.isdigit() and int(name) < self.parameters.users

    def _time_s(self, status: Status) -> float:
        return SIMULATED_START_S - status.number * _MONTH_S / float(self._counts[status.user])

    def _statuses(self, path: str, listed: Sequence[Status], before: str) -> tuple[int, Headers, bytes]:
        start = next((place + 1 for place, status in enumerate(listed) if _id(status) == before), 0) if before else 0
        page = listed[start : start + self.parameters.page_messages]
        more = start + len(page) < len(listed)
        body = [self.messages(status.user)[status.number] for status in page]
        return _json(path, body, _id(page[-1]) if more else "")

    def _following(self, path: str, user: int, before: str) -> tuple[int, Headers, bytes]:
        start, friends = int(before or 0), self.followees(user)
        end = start + self.parameters.page_users
        body = [{"id": str(friend)} for friend in friends[start:end]]
        return _json(path, body, str(end) if end < len(friends) else "")

    def _messages(self, user: int) -> list[dict[str, Any]]:
        chance = Random(self.parameters.seed * 1_000_003 + user)
        return [self._message(Status(user, number), chance) for number in range(self._counts[user])]

    def _message(self, status: Status, chance: Random) -> dict[str, Any]:
        terms, own = self.parameters, self.language(status.user)
        language = own if chance.random() < terms.own_language else ENGLISH
        sentence = chance.choice(self._sentences[language])
        length = chance.randint(*terms.words)
        start = chance.randint(0, max(0, len(sentence) - length))
        text = " ".join(sentence[start : start + length]).replace("&", "&amp;").replace("<", "&lt;")
        if chance.random() < terms.linked:
            target = language if chance.random() < terms.same_language else ENGLISH
            text += f' <a href="https://{target}.example/{status.user}/{status.number}">a link</a>'
        return {
            "id": _id(status),
            "created_at": iso_time(self._time_s(status)),
            "content": f"<p>{text}</p>",
            "account": {"id": str(status.user)},
            "language": None,
        }


@dataclass
class NetworkAsk:
    """Asks the network without HTTP, within a budget of requests."""

    network: Network
    budget: int = 0  # 0: no limit
    requests: int = 0

    async def __call__(self, question: Question) -> Fetched:
        if self.budget and self.requests >= self.budget:
            raise BudgetSpent
        self.requests += 1
        url = urlsplit(question.url)
        status, headers, body = self.network.answer(url.path, dict(parse_qsl(url.query)))
        return Fetched(question.url, Outcome.OK if status < 400 else Outcome.HTTP_ERROR, status, headers, body)


def _id(status: Status) -> str:
    return f"{status.user}{status.number:04}"


def _json(path: str, body: Sequence[Mapping[str, Any]], cursor: str) -> tuple[int, Headers, bytes]:
    link = (("Link", f'<http://network.example{path}?max_id={cursor}>; rel="next"'),) if cursor else ()
    return 200, (("Content-Type", "application/json"), *link), msgspec.json.encode(body)
