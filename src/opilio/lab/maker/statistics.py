"""Statistics of a made web, counted while it is written: 4 bytes per page and a few sums.

Shares of links are of those from one host to another, without the links of link farms; a link that a page has twice
counts twice.
"""

from array import array
from collections import Counter
from typing import Any

from .kind import PageKind
from .markup import Shown
from .plan import Page, Plan


class Statistics:
    def __init__(self, plan: Plan, texts: str) -> None:
        self._plan, self._texts = plan, texts
        self._in_degree = array("I", bytes(4 * len(plan)))
        self._labels = Counter[str]()
        self._links = Counter[str]()
        self._size_bytes = 0

    def add(self, page: Page, labels: list[str], shown: Shown, size_bytes: int) -> None:
        self._labels.update(
            {".".join(label.split(".")[:2]) if label.startswith("topic.") else label for label in labels}
        )
        self._size_bytes += size_bytes
        inside = (*shown.links.menu, *shown.links.text, *shown.links.aside, *shown.links.listed)
        own = range(page.host.first, page.host.first + page.host.pages)
        for target in inside:
            self._in_degree[target] += 1
            self._links["inside" if target in own else "across"] += 1
        for link in shown.links.across:
            self._across(page, link.target, "text" if link.in_text else "boilerplate")
        for target in shown.from_comments:
            self._across(page, target, "comments")

    def _across(self, page: Page, number: int, block: str) -> None:
        self._in_degree[number] += 1
        target = self._plan.page(number)
        if target.host is page.host:
            self._links["inside"] += 1
            return
        self._links["across"] += 1
        if page.kind is PageKind.FARM:
            return
        self._links["across plain"] += 1
        self._links["same language"] += target.language == page.language
        self._links["same branch"] += target.branch == page.branch
        self._links["same topic"] += (target.language, target.topic) == (page.language, page.topic)
        self._links[block] += 1
        self._links[f"{block} good"] += target.good

    def facts(self) -> dict[str, Any]:
        links, plain = self._links, max(self._links["across plain"], 1)
        total = links["inside"] + links["across"]
        degrees = sorted(self._in_degree, reverse=True)
        return {
            "texts": self._texts,
            "pages": len(self._plan),
            "hosts": len(self._plan.hosts),
            "domains": len({host.domain for host in self._plan.hosts}),
            "size_bytes": self._size_bytes,
            "links": total,
            "links_per_page": round(total / len(self._plan), 1),
            "across_hosts": round(links["across"] / total, 4),
            "same_language": round(links["same language"] / plain, 4),
            "same_language_and_branch": round(links["same branch"] / plain, 4),
            "same_language_and_topic": round(links["same topic"] / plain, 4),
            "good_by_block": {
                block: round(links[f"{block} good"] / max(links[block], 1), 4) for block in ("text", "boilerplate")
            },
            "in_degree": {
                "median": degrees[len(degrees) // 2],
                "90 %": degrees[len(degrees) // 10],
                "99 %": degrees[len(degrees) // 100],
                "most": degrees[0],
            },
            "labels": dict(sorted(self._labels.items())),
        }
