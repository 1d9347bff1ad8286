"""What a judge said of one page that somebody tried it on."""

from typing import NamedTuple

from .items import Page, Verdict
from .outcome import Drop


class Trial(NamedTuple):
    name: str  # as it was given
    drop: Drop | None  # why the page would not be kept
    detail: str = ""
    page: Page | None = None
    verdict: Verdict | None = None
