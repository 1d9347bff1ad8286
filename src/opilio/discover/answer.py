"""What a service has answered to a source: bytes or JSON of the documented form, or a `SourceError` that says what to do.

Rule: nothing that a service can answer becomes any other exception, whatever was sent instead of what is documented.
"""

from typing import Final, TypeVar

import msgspec

from opilio.core.items import Fetched
from opilio.core.outcome import Outcome

from .source import Ask, Question, SourceError

_SHOWN_CHARS: Final = 60
_ADVICE: Final = {
    401: "It wants to know who asks: see docs/sources.md for the token that it needs.",
    403: "It refuses the request: check the address, your operator.contact and the terms of the service.",
    404: "Check the address.",
    410: "It is gone: check the address.",
    429: "It asks for fewer requests: run again later, and the source goes on from here.",
}
T = TypeVar("T")


async def read_answer(ask: Ask, question: Question, source: str) -> Fetched:
    """Returns an answer that has a body. Raises `SourceError` for any other."""
    return answered(await ask(question), question.url, source)


def answered(fetched: Fetched, url: str, source: str) -> Fetched:
    if fetched.outcome is Outcome.OK:
        return fetched
    words = f"{fetched.outcome.words} {fetched.status or ''}".strip()
    raise SourceError(f"{source}: {url} gave no answer ({words}). {_advice(fetched)}")


async def read_json(ask: Ask, question: Question, source: str, form: type[T]) -> T:
    """Returns an answer that is JSON of this form. Raises `SourceError` for any other."""
    fetched = await read_answer(ask, question, source)
    return parse_json(fetched.body, form, question.url, source)


def parse_json(body: bytes, form: type[T], url: str, source: str) -> T:
    try:
        return msgspec.json.decode(body, type=form)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        start = body[:_SHOWN_CHARS].decode("utf-8", "replace")
        raise SourceError(
            f"{source}: {url} did not answer as documented: {error}. It begins with {start!r}. Check that the address is that "
            "of the interface and not of a page for people; if it is, the service has changed, and this source must follow."
        ) from error


def _advice(fetched: Fetched) -> str:
    if fetched.outcome is Outcome.ROBOTS_REFUSED:
        return (
            "Its robots.txt forbids it, and has the last word; or it cannot be fetched, which means the same for now."
        )
    if fetched.outcome is Outcome.TOO_LARGE:
        return "It is larger than a source reads over the network: download it, and name the file instead."
    return _ADVICE.get(fetched.status, "Check the address, or run again later: the source goes on from here.")
