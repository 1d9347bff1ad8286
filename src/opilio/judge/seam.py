"""The protocols of judges."""

from typing import Protocol, runtime_checkable

from opilio.core.items import Page, Verdict


class Judge(Protocol):
    def judge(self, page: Page) -> Verdict: ...


@runtime_checkable
class Adaptive(Protocol):
    """A judge that is calibrated by the pages seen. The main process has one copy, which watches; the copies that
    judge, in other processes, are rebuilt from its state (`Context.state`) whenever it changes, and do not change
    otherwise."""

    def watch(self, page: Page, verdict: Verdict) -> bool:
        """Is called with every page that was judged. Returns whether there is a new calibration."""
        ...

    def state(self) -> bytes: ...


@runtime_checkable
class Teachable(Protocol):
    """A judge that learns from pages that the operator has marked. The copy in the main process learns, and the others
    get its state."""

    def teach(self, page: Page, belongs: bool) -> bool:
        """Returns whether there is a new calibration. If a URL is marked several times, the last mark counts. A page
        that was read back from the corpus has its text, title and language, but no blocks, links or classes."""
        ...


@runtime_checkable
class Proposing(Protocol):
    """A judge that can propose bounds for a queue in which links are ranked by its measure of their parents."""

    def bounds(self) -> tuple[float, float, float]:
        """Returns the upper bounds of HIGH, MEDIUM and NORMAL; links above the third are dropped."""
        ...
