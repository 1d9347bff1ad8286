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
class Proposing(Protocol):
    """A judge that knows good bounds for a queue of links whose worth is what it measured of their parents."""

    def bounds(self) -> tuple[float, float, float]:
        """Up to the first is HIGH, up to the second MEDIUM, up to the third NORMAL; what is above leads nowhere."""
        ...
