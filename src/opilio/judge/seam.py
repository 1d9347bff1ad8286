"""What a judge is."""

from typing import Protocol

from opilio.core.items import Page, Verdict


class Judge(Protocol):
    def judge(self, page: Page) -> Verdict: ...
