"""The verb `pages`: lists the pages that a crawl has stored, kept or not, each with its score and why.

Rules: a list is read from the folder as it was last committed, beside a running crawl if there is one. Of all pages only the rows
are read; records are opened for those that are shown.
"""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from opilio.core.clock import iso_time
from opilio.core.errors import ConfigError
from opilio.core.fields import fields
from opilio.core.items import Record
from opilio.core.listed_page import ListedPage, PageRow
from opilio.core.outcome import Drop
from opilio.core.predicate import predicate
from opilio.core.suggestion import did_you_mean
from opilio.folder import CrawlFolder, View
from opilio.judge.line import dividing_line
from opilio.keep import StoredPage

_LATEST: Final = "fetched"
_DEFAULT_LIMIT: Final = 20


class Stored(NamedTuple):
    row: PageRow
    page: StoredPage
    detail: str  # the drop's

    @property
    def verdict(self) -> tuple[float, bool] | None:
        """Returns the judge's score and decision, if the page was kept or refused for these alone."""
        if self.row.marked is not None or self.row.drop not in (None, Drop.NOT_RELEVANT):
            return None
        return self.row.score, self.row.kept


def pages(
    folder: str | Path,
    *,
    refused: bool = False,
    kept: bool = False,
    near: bool = False,
    latest: bool = False,
    host: str = "",
    language: str = "",
    where: str = "",
    sort: str = "",
    limit: int = _DEFAULT_LIMIT,
) -> list[ListedPage]:
    """Lists stored pages, those with the highest scores first; `near`: those nearest to the judge's line, which has kept them
    or not by little; `latest`: those fetched last; `sort` names a field instead. `limit` 0 lists all."""
    if refused and kept:
        raise ConfigError("a page is kept or refused, not both. Leave out --refused and --kept to list all pages.")
    if near + latest + bool(sort) > 1:
        raise ConfigError("--near, --latest and --sort each give an order. Name one of them.")
    wanted = row_filter(where, host, language)
    order = _order(_LATEST if latest else sort or "score")
    with View(CrawlFolder(Path(folder))) as view:
        found = list(stored_pages(view))
        if near:
            order = _nearest(found)
            found = [page for page in found if page.verdict is not None]
        chosen = sorted(
            (one for one in found if wanted(one.row) and not (one.row.kept and refused) and (one.row.kept or not kept)),
            key=order,
        )
        return [open_page(one, view.documents.at(one.page)) for one in (chosen[:limit] if limit else chosen)]


def stored_pages(view: View) -> Iterator[Stored]:
    """Yields every stored page, in the order in which they were met."""
    marks = view.marks
    host_of = cache(lambda number: view.links.host(number).name)
    for page in view.documents.rows.all():
        link, ending = view.links.met(page.link)
        row = PageRow(
            link.url, host_of(link.host), page.title, page.language, page.tokens, page.score, page.drop is None, page.drop,
            marks.get(page.link), link.depth, iso_time(ending.fetched_s),
        )  # fmt: skip
        yield Stored(row, page, ending.detail)


def open_page(one: Stored, record: Record) -> ListedPage:
    return ListedPage(**msgspec.structs.asdict(one.row), opinions=record.opinions, detail=one.detail)


def row_filter(where: str, host: str = "", language: str = "") -> Callable[[PageRow], bool]:
    chosen = predicate(where, PageRow) if where else lambda _row: True
    return lambda row: row.host == (host or row.host) and row.language == (language or row.language) and chosen(row)


def _order(name: str) -> Callable[[Stored], Any]:
    """Returns the key that sorts by a field: numbers and times from the greatest, texts by the alphabet, flags that are set
    first."""
    known = fields(PageRow)
    if name not in known:
        raise ConfigError(f'cannot sort by "{name}".{did_you_mean(name, known)} Fields: {", ".join(known)}.')
    if name == _LATEST:
        return lambda one: tuple(-ord(char) for char in one.row.fetched)
    if known[name].kind is str:
        return lambda one: str(getattr(one.row, name) or "").casefold()
    return lambda one: -float(getattr(one.row, name) or 0)


def _nearest(found: list[Stored]) -> Callable[[Stored], Any]:
    line = dividing_line(verdict for one in found if (verdict := one.verdict) is not None)
    return lambda one: abs(one.row.score - line)
