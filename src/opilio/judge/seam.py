"""What a judge is: one method that judges a page, and hooks for judges that learn.

The crawl's owner has one copy of the judge, which watches and is taught; the copies that judge, in other processes, are
built anew from its state (`Context.state`) whenever it changes, and stay as they are until then.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol

from opilio.core.account import Account
from opilio.core.items import Page, Verdict
from opilio.core.plugin import Hooks


class Judging(Protocol):
    """The least that a judge must have. `Judge.adopt` makes a full judge of such an object."""

    def judge(self, page: Page) -> Verdict: ...


class Judge(Hooks):
    """A base class: derive from it and write `judge`. Every other method does nothing until it is overridden. A judge that looks
    at the blocks, links or classes of a page says so by `reads_markup`: to judge stored pages again, they are then gleaned anew
    from their bytes."""

    reads_markup: bool = False
    gives_probabilities: bool = False  # a score is the probability that the page belongs
    # It compares words with those of the samples as they are written, so samples must be in the language of the pages.
    compares_words: bool = False

    @abstractmethod
    def judge(self, page: Page) -> Verdict: ...

    def watch(self, page: Page, verdict: Verdict) -> bool:  # noqa: ARG002
        """Sees every page that was judged. Returns whether there is a new calibration."""
        return False

    def state(self) -> bytes | None:
        """Returns what the judge has learned, for copies in other processes and for a resumed crawl, or None if it does not
        learn."""
        return None

    def teach(self, page: Page, belongs: bool) -> bool:  # noqa: ARG002
        """Takes the operator's word for a page. Returns whether there is a new calibration. If a URL is marked more than once,
        the last mark counts. A page that was read back from the corpus has its text, title and language, but no blocks,
        links or classes."""
        return False

    def describe(self) -> Sequence[Account]:
        """Says what the judge has made of the samples; a combination speaks for itself and then for each of its parts."""
        return ()

    def bounds(self) -> tuple[float, float, float] | None:
        """Proposes bounds for a queue of links whose worth is what the judge has measured of their parents. Links up to the
        first bound are HIGH, up to the second MEDIUM, up to the third NORMAL; those above it are not followed."""
        return None
