"""Runs one job of `lab judge`: builds the judge from its samples, shows it the pages of the web, and compares its verdicts
with the labels.

Rules: the judge is used as a crawl uses it, and through its seam alone. One copy watches; the copy that judges is built
from the state of the first whenever there is a new calibration. It meets the pages in a random order that the repetition
decides. Its verdicts count once it has met them all, as when a finished corpus is judged again. Pages that are samples are
met like any other, but do not count: every judge knows them.
"""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

from opilio.core.config import Config, load_config
from opilio.core.errors import OpilioError
from opilio.core.items import Page, Verdict
from opilio.core.limits import Limits
from opilio.core.plugin import Context
from opilio.core.url import Url, parse
from opilio.glean import glean
from opilio.judge import Judge, build_judge
from opilio.lab.accuracy import Accuracy, compare, fields_of
from opilio.lab.labels import Labels
from opilio.lab.opened import Webs
from opilio.lab.protocol import Failure
from opilio.lab.runner import draw_samples, name_of, new_judge, recipe_source, save_samples
from opilio.lab.samples import PLAIN, cut_words, write_samples
from opilio.lab.shelf import Shelf

from .job import OWN, JudgeJob, JudgeRun

Verdicts = dict[str, Verdict]  # by URL


class JudgeRunner:
    def __init__(self, webs: Webs | None = None) -> None:
        self._webs = webs or Webs()
        self._addresses: dict[str, list[str]] = {}  # web → the addresses of its pages, sorted

    def run(self, job: JudgeJob) -> JudgeRun | Failure:
        """Runs a job; a mistake of the operator ends this run, but not the experiment."""
        try:
            return self._run(job)
        except OpilioError as error:
            return Failure(name_of(job.web), job.topic, name_of(job.recipe), job.repetition, str(error))

    def _run(self, job: JudgeJob) -> JudgeRun:
        shelf, labels = self._webs.open(job.web, job.labels)
        drawn = () if job.way.origin == OWN else _draw(job, labels, shelf)
        urls, relevant = self._urls(job.web, shelf), labels.relevant(job.topic)
        counted, weight = _counted(job, [url for url in urls if url not in drawn], relevant)
        with tempfile.TemporaryDirectory(prefix="opilio-lab-") as name:
            folder = Path(name)
            config = _config(job, _save(job, drawn, shelf, folder))
            judge = new_judge(config, folder)
            strangers, fellows = _share(judge, job.strangers), _share(judge, job.fellows)
            order = Random(job.repetition).sample(urls, len(urls))[: job.meet or None]
            given = _meet(judge, config, folder, _pages(shelf, order))
            final = _copy(judge, config, folder)
            verdicts = {page.url: final.judge(page) for page in _pages(shelf, counted)}
        met = {url: verdict for url, verdict in given.items() if url not in drawn}
        return JudgeRun(
            **fields_of(_compare(verdicts, relevant, weight)),
            web=name_of(job.web),
            topic=job.topic,
            recipe=name_of(job.recipe),
            repetition=job.repetition,
            way=job.way,
            first=job.first,
            judge=str(config.judge["name"]),
            meeting=_compare(met, relevant),
            strangers=strangers,
            fellows=fellows,
            samples=drawn,
            kept_pages={
                place: 1.0 if url in relevant else weight
                for place, url in enumerate(urls)
                if url in verdicts and verdicts[url].belongs
            },
        )

    def _urls(self, web: str, shelf: Shelf) -> list[str]:
        """Returns the addresses that have a page, which gleans each of them once. A robots.txt is never a document."""
        if web not in self._addresses:
            documents = (url for url in sorted(shelf.urls()) if urlsplit(url).path != "/robots.txt")
            self._addresses[web] = [page.url for page in _pages(shelf, documents)]
        return self._addresses[web]


def _draw(job: JudgeJob, labels: Labels, shelf: Shelf) -> tuple[str, ...]:
    pages = labels.topics.get(job.topic, ())
    return draw_samples(job.topic, name_of(job.web), job.repetition, job.way.samples, pages, shelf)


def _counted(job: JudgeJob, urls: Sequence[str], relevant: frozenset[str]) -> tuple[list[str], float]:
    """Returns the pages whose verdicts count, and how many pages each of them that is not relevant stands for."""
    others = [url for url in urls if url not in relevant]
    if not 0 < job.others < len(others):
        return list(urls), 1.0
    sample = Random(job.repetition).sample(others, job.others)
    return [*(url for url in urls if url in relevant), *sample], len(others) / job.others


def _save(job: JudgeJob, drawn: Sequence[str], shelf: Shelf, folder: Path) -> list[str]:
    """Writes the samples. Pages are written as they were served, unless they are asked for in another form or length."""
    if drawn and job.way.form == PLAIN and not job.way.words:
        return save_samples(drawn, shelf, folder)
    texts = [page.prose for page in _pages(shelf, drawn)] if drawn else job.texts
    return write_samples([cut_words(text, job.way.words) for text in texts], job.way.form, folder)


def _config(job: JudgeJob, like: list[str]) -> Config:
    path, recipe = recipe_source(job.recipe)
    return load_config(path, recipe=recipe, tables={"corpus": {"like": like}}, settings=job.settings)


def _pages(shelf: Shelf, urls: Iterable[str]) -> Iterator[Page]:
    return (page for page in map(shelf.page, urls) if page is not None)


def _meet(judge: Judge, config: Config, folder: Path, pages: Iterable[Page]) -> Verdicts:
    """Shows the judge the pages, and returns the verdicts that a crawl would have gone by."""
    given: Verdicts = {}
    copy = _copy(judge, config, folder)
    for page in pages:
        given[page.url] = copy.judge(page)
        if judge.watch(page, given[page.url]):
            copy = _copy(judge, config, folder)
    return given


def _copy(judge: Judge, config: Config, folder: Path) -> Judge:
    """Builds a judge from the state of another, as every worker of a crawl does."""
    if (state := judge.state()) is None:
        return judge
    return build_judge(Context(config, folder, (), state))


def _share(judge: Judge, texts: Sequence[str]) -> float | None:
    """Returns which share of the texts belongs, or None if there are no texts."""
    verdicts = [judge.judge(_page_of(text)) for text in texts]
    return sum(verdict.belongs for verdict in verdicts) / len(verdicts) if verdicts else None


def _page_of(text: str) -> Page:
    url = parse("http://text.invalid/")
    assert isinstance(url, Url)
    page = glean(url, 0, (("content-type", "text/plain; charset=utf-8"),), text.encode(), Limits(), context=False)
    assert isinstance(page, Page)
    return page


def _compare(verdicts: Verdicts, relevant: frozenset[str], weight: float = 1.0) -> Accuracy:
    scores = [verdict.score for verdict in verdicts.values()]
    belongs = [verdict.belongs for verdict in verdicts.values()]
    return compare(scores, belongs, [url in relevant for url in verdicts], weight)
