"""A lead and a judge that know the labels: the greedy oracle knows those of links, the gold judge those of pages.

The oracle fetches links to relevant pages first, then those to pages without a label (a list or an index, which may
lead anywhere), then those to pages about something else; among equals it goes breadth-first. It does not look ahead: it
does not delay a relevant page for one that leads to more of them, nor search for the shortest path through irrelevant
pages. So it is not an upper bound in the strict sense, but it is hard to beat.
"""

from collections.abc import Callable, Sequence
from typing import Final

from opilio.core.items import Opinion, Page, Target, Verdict
from opilio.judge import Judge
from opilio.lead import Lead

from .labels import Labels

_STEP: Final = 1e6  # above any depth
_RELEVANT_VERDICT: Final = Verdict(1.0, belongs=True, opinions=(Opinion("labels", 1.0, "has a label of the topic"),))
_OTHER_VERDICT: Final = Verdict(0.0, belongs=False, opinions=(Opinion("labels", 0.0, "has no label of the topic"),))


class Oracle(Lead):
    """`leads_to` gives the URL of the page behind a link, after redirects."""

    def __init__(self, labels: Labels, topic: str, leads_to: Callable[[str], str]) -> None:
        self._relevant = labels.relevant(topic)
        self._labelled = labels.labelled
        self._leads_to = leads_to

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        return [_STEP * self._rank(target.url) - target.depth for target in targets]

    def explain(self, target: Target) -> Sequence[str]:
        kinds = ("about something else", "without a label", "that is relevant")
        return [f"leads to a page {kinds[self._rank(target.url)]}"]

    def _rank(self, url: str) -> int:
        page = url if url in self._labelled else self._leads_to(url)
        return 2 if page in self._relevant else int(page not in self._labelled)


class Gold(Judge):
    def __init__(self, relevant: frozenset[str]) -> None:
        self._relevant = relevant

    def judge(self, page: Page) -> Verdict:
        return _RELEVANT_VERDICT if page.url in self._relevant else _OTHER_VERDICT
