"""What a judge is."""

from typing import Protocol, runtime_checkable

from opilio.core.items import Page, Verdict


class Judge(Protocol):
    def judge(self, page: Page) -> Verdict: ...


@runtime_checkable
class Adaptive(Protocol):
    """A judge that is calibrated by the pages met. The crawl's owner has one copy, which watches; the copies that judge, in
    other processes, are built anew from its state (`Context.state`) whenever it changes, and stay as they are until then."""

    def watch(self, page: Page, verdict: Verdict) -> bool:
        """Sees every page that was judged; whether there is a new calibration."""
        ...

    def state(self) -> bytes: ...


@runtime_checkable
class Teachable(Protocol):
    """A judge that takes the operator's word for a page. It is told to the owner's copy, and the others get its state."""

    def teach(self, page: Page, belongs: bool) -> bool:
        """Whether there is a new calibration. Of what is said of one URL the last counts. A page that was read back from the
        corpus has its text, title and language, but no blocks, links or classes."""
        ...


@runtime_checkable
class Proposing(Protocol):
    """A judge that knows good bounds for a queue of links whose worth is what it measured of their parents."""

    def bounds(self) -> tuple[float, float, float]:
        """Up to the first is HIGH, up to the second MEDIUM, up to the third NORMAL; what is above leads nowhere."""
        ...
