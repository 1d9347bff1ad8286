"""What a microblog service is: how it is asked for a listing, and how its answers are read.

Rules:
* A service is pure: `question` and `read` have no state and open nothing. `show` is the only place that asks.
* Answers are decoded into types that have the fields which we use. What does not fit is a `SourceError` that says so: a
  service that has changed must not look like one that is empty.
* A user who is gone is not an error. Everything else that the service refuses is, in words that say what to do.
"""

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from http import HTTPStatus
from typing import ClassVar, Final, TypeVar

import msgspec

from opilio.core.items import Fetched, Headers
from opilio.core.outcome import Outcome
from opilio.discover.source import Ask, Question, SourceError

from .listing import Kind, Listing, Shown
from .message_filter import MessageFilter

_Decoded = TypeVar("_Decoded")
_REFUSED: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.UNPROCESSABLE_ENTITY})
_GONE: Final = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.GONE})


class Service(ABC):
    name: ClassVar[str]
    place: str = ""  # where the names of users hold, if that is one of many servers
    token_variable: ClassVar[str]  # the environment variable that may hold a token, which is never stored
    threshold: ClassVar[float] = (
        MessageFilter.THRESHOLD
    )  # share of unknown words from which on a message is not in an excluded language

    @abstractmethod
    def question(self, listing: Listing, cursor: str = "") -> Question:
        """Returns the request for a page of the listing; the first one if there is no cursor."""

    @abstractmethod
    def read(self, listing: Listing, answer: Fetched) -> Shown:
        """Reads an answer with status 200. Raises `SourceError` if it is not what the service documents."""

    @abstractmethod
    def timelines(self) -> Sequence[Listing]:
        """Returns where a traversal starts."""

    @abstractmethod
    def channels(self, languages: Sequence[str]) -> Sequence[Listing]:
        """Returns the channels for these languages, or for all that are known if there are none. Raises `ConfigError` if
        there is no channel."""

    def authorization(self) -> Headers:
        token = os.environ.get(self.token_variable, "")
        return (("Authorization", f"Bearer {token}"),) if token else ()

    def decode(self, answer: Fetched, kind: type[_Decoded], part: bytes | None = None) -> _Decoded:
        """Reads the body of an answer, or a part of it."""
        text = (answer.body if part is None else part).decode("utf-8", "replace")  # such a character is not English
        try:
            return _decoded(text, kind)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise self.unreadable(answer, str(error)) from error

    def unreadable(self, answer: Fetched, why: str) -> SourceError:
        return SourceError(
            f"{self.name}: {_place(answer)} answered something else than the service documents ({why}). Check that the"
            " address is one of this service; if it is, the service has changed, and the source must be adapted."
        )


class UnansweredError(SourceError):
    """The service did not answer, or not now. Another try may succeed."""


async def show(service: Service, ask: Ask, listing: Listing, cursor: str = "") -> Shown:
    """Returns a page of the listing; an empty one for a user who cannot be seen."""
    answer = await ask(service.question(listing, cursor))
    if answer.outcome is Outcome.OK and answer.status == HTTPStatus.OK:
        return service.read(listing, answer)
    if listing.kind in (Kind.USER, Kind.FRIENDS) and answer.status in _GONE:
        return Shown()
    lasting = HTTPStatus.BAD_REQUEST <= answer.status < HTTPStatus.INTERNAL_SERVER_ERROR
    raise (SourceError if lasting else UnansweredError)(f"{service.name}: {_refusal(service, answer)}")


def _refusal(service: Service, answer: Fetched) -> str:
    place = _place(answer)
    if answer.status in _REFUSED:
        known = bool(os.environ.get(service.token_variable))
        cure = (
            "holds a token that is not accepted: renew it" if known else "is not set: put a token of the service there"
        )
        return (
            f"{place} wants a login (HTTP {answer.status}). The environment variable {service.token_variable} {cure}."
        )
    if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
        return (
            f"{place} allows no more requests for now (HTTP 429). Run the scout again later, and it goes on, or raise"
            f" sources.{service.name}.delay_s."
        )
    if answer.status:
        return f"{place} answered HTTP {answer.status}. Check the address; if the service is down, run the scout again later."
    return f"{place} cannot be reached: {answer.outcome.words}. Check the address, or run the scout again later, and it goes on."


def _place(answer: Fetched) -> str:
    return answer.url.partition("?")[0].split("/user/")[0].split("/accounts/")[0]  # no names of users in messages


def _decoded(text: str, kind: type[_Decoded]) -> _Decoded:
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:  # perhaps only for half a pair of surrogates in one message
        loose = json.dumps(json.loads(text), ensure_ascii=False)
        return msgspec.json.decode(loose.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), type=kind)
