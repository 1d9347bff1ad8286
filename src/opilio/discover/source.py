"""What a source is: something that finds URLs, a batch at a time, and can go on after a kill.

Rules:
* A source never opens a socket. It asks (`Ask`), and whoever answers is polite, counts the budget and guards addresses.
* What it must know to go on, it writes into its memory before it yields a batch. The batch and the memory are committed as
  one, so that after a kill no find is lost, and no request is repeated but the last.
* What it cannot read is a `SourceError` that names the source and what to do. The other sources go on.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, MutableMapping, Sequence
from typing import NamedTuple, Protocol

from opilio.core.errors import OpilioError
from opilio.core.items import Fetched, Headers

from .find import Find

Memory = MutableMapping[str, bytes]  # of one source, in the directory; iteration is in the order of the keys


class SourceError(OpilioError):
    """A source cannot be used, or has answered what nobody can read."""


class BudgetSpent(Exception):  # noqa: N818  (it is not an error: it ends a source's work for now)
    """The requests that the operator has allowed are used up. Sources let it pass."""


class Question(NamedTuple):
    """One request of a source."""

    url: str
    headers: Headers = ()  # such as an Authorization that comes from the environment
    method: str = "GET"  # or HEAD
    robots: bool = (
        False  # whether robots.txt has a say: for pages, sitemaps and feeds; documented interfaces have terms instead
    )
    delay_s: float = (
        0.0  # the least pause between two requests to this host, if the service asks for more than the settings
    )
    at_most_bytes: int | None = None


class Ask(Protocol):
    async def __call__(self, question: Question) -> Fetched:
        """Returns the answer, its body decoded. Redirects are followed within the usual bounds; pauses that the service asks for
        are kept. A failure is an outcome. Raises `BudgetSpent`."""
        ...


class Source(ABC):
    @abstractmethod
    def finds(self, ask: Ask, memory: Memory) -> AsyncIterator[Sequence[Find]]:
        """Yields what it finds, in batches, from where its memory says that it was. It ends when there is nothing more for
        now; the next run calls it again, and it yields only what is new since then."""
