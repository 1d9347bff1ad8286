"""The verb `review`: asks about the pages that the judge is least sure of, and the judge learns from each answer.

Rules: an answer is a mark, as by `opilio mark`, in a crawl that runs or has ended. After each answer that the judge has learned
from, the pages in question are judged anew, so the next question is asked with what it knows by then. Pages that are marked, or
that were dropped for something else than the verdict, are not asked about.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from opilio.core.errors import ConfigError
from opilio.core.items import Record
from opilio.core.listed_page import ListedPage
from opilio.engine import Marked
from opilio.engine.stored_page import page_of
from opilio.folder import CrawlFolder, View
from opilio.judge import Judge
from opilio.judge.asking import choose_pool, least_sure
from opilio.judge.line import dividing_line

from .judge_try import choose_judge
from .mark import mark
from .pages import Stored, open_page, row_filter, stored_pages

_DEFAULT_LIMIT: Final = 20


class Answer(StrEnum):
    YES = "yes"
    NO = "no"
    SKIP = "skip"
    QUIT = "quit"


class Question(NamedTuple):
    number: int  # from 1
    page: ListedPage  # with the score that it has now
    text: str
    before: Marked | None  # what became of the page of the last answer


class Reviewed(NamedTuple):
    marks: list[Marked]
    skipped: int


class _Pool(NamedTuple):
    """The pages that may be asked about, with their records."""

    pages: list[ListedPage]
    records: list[Record]
    line: float

    def judge(self, folder: CrawlFolder) -> list[float]:
        """Returns the scores that the crawl's judge gives now. Those of a judge that needs the markup stay as they are."""
        judge = Judge.adopt(choose_judge(folder, recipe=None, settings=(), like=()).judge)
        if judge.reads_markup:
            return [page.score for page in self.pages]
        return [judge.judge(page_of(record)).score for record in self.records]


def review(
    folder: str | Path, answer: Callable[[Question], str], *, where: str = "", limit: int = _DEFAULT_LIMIT
) -> Reviewed:
    """Calls `answer` with one page after the other, which returns "yes", "no", "skip" or "quit". Ends after `limit` answers
    (0: no limit), or when there are no more pages."""
    place = CrawlFolder(Path(folder))
    pool = _read(place, where)
    asked: set[int] = set()
    scores = [page.score for page in pool.pages]
    marks: list[Marked] = []
    skipped = 0
    while not limit or len(marks) < limit:
        chosen = least_sure(scores, pool.line, asked)
        if chosen is None:
            break
        page = msgspec.structs.replace(pool.pages[chosen], score=scores[chosen])
        number = len(marks) + skipped + 1
        said = _checked(answer(Question(number, page, pool.records[chosen].text, marks[-1] if marks else None)))
        if said is Answer.QUIT:
            break
        asked.add(chosen)
        if said is Answer.SKIP:
            skipped += 1
            continue
        marks.append(mark(folder, page.url, said is Answer.YES))
        if marks[-1].learned:
            scores = pool.judge(place)
    return Reviewed(marks, skipped)


def _read(folder: CrawlFolder, where: str) -> _Pool:
    wanted = row_filter(where)
    with View(folder) as view:
        found: Sequence[Stored] = [one for one in stored_pages(view) if one.verdict is not None]
        line = dividing_line(verdict for one in found if (verdict := one.verdict) is not None)
        found = sorted((one for one in found if wanted(one.row)), key=lambda one: -one.row.score)
        chosen = choose_pool(range(len(found)))
        records = [view.documents.at(found[place].page) for place in chosen]
        pages = [open_page(found[place], record) for place, record in zip(chosen, records, strict=True)]
    return _Pool(pages, records, line)


def _checked(said: str) -> Answer:
    try:
        return Answer(said)
    except ValueError:
        raise ConfigError(f'the answer is one of {", ".join(Answer)}, and not "{said}".') from None
