"""A judge tried out on a few pages, before anything is spent on a crawl.

Rules: files go through the workshop of a crawl. URLs are the seeds of a small crawl that follows no link, in a temporary
folder; it heeds robots.txt, the address guard, redirects and delays like any crawl. Each URL is tried once, and no host is
waited for longer than a minute. The judge of a crawl is used as that crawl saved it, and learns nothing here.
"""

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from opilio.core.config import Config, change_config
from opilio.core.errors import ConfigError
from opilio.core.items import Fetched, Page, Seed, Verdict
from opilio.core.outcome import Drop, Outcome
from opilio.core.plugin import Context, Sample, build_plugin
from opilio.core.trial import Trial
from opilio.core.url import Url, parse
from opilio.engine import Task, Workshop
from opilio.engine.build import Blueprint
from opilio.engine.run import run_crawl
from opilio.engine.samples import sample_reader, warn_small
from opilio.enqueue import LinkReader, State
from opilio.enqueue.reader import MetLink
from opilio.folder import CrawlFolder, View
from opilio.judge import Judge
from opilio.lead import BreadthFirst

from .known import known
from .names import Names, absolute, each, is_url, paths
from .settings import Known, Said, settle

RECIPE: Final = "learned"
_SMALL_CRAWL_SETTINGS: Final = (
    "scope.max_depth=0", "scope.pages_per_host=0", "corpus.like=[]", "fetch.tries=1", "policy.wave=none", "policy.cut=-1e308",
    "crawl.max_wait_s=60", "crawl.event_log=false", "stop.pages=0", "stop.kept=0", "stop.size_bytes=0", "stop.tokens=0",
    "stop.precision=0", "stop.saturation=0",
)  # fmt: skip
_HOPS: Final = 20  # redirects that are followed
_ADDRESS: Final = "http://file.invalid/"  # even a page on disk needs an address


class Chosen(NamedTuple):
    config: Config
    judge: Judge
    samples: tuple[Sample, ...] = ()  # empty if the judge is built from its saved state


class _Witness:
    """A judge that remembers each page and verdict."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.seen: dict[str, tuple[Page, Verdict]] = {}

    def judge(self, page: Page) -> Verdict:
        verdict = self._judge.judge(page)
        self.seen[page.url] = page, verdict
        return verdict


class Tried(NamedTuple):
    trials: list[Trial]  # one for each page, in their order
    warning: str | None  # if the samples are too short


def judge_try(
    pages: Names, *, like: Names = (), recipe: str | None = None, web: Names = (), settings: Iterable[str] = ()
) -> Tried:
    """Returns what a judge says of files and URLs, and why. If the first of the pages is a folder, the judge is that of the
    crawl in it."""
    names = each(pages)
    folder = CrawlFolder(Path(names[0])) if Path(names[0]).is_dir() else None
    if folder and len(names) == 1:
        raise ConfigError(f"which pages? Name files or URLs after {names[0]}.")
    chosen = choose_judge(folder, recipe=recipe, settings=[*settings], like=paths(like))
    trials = try_judge(chosen.config, chosen.judge, names[1:] if folder else names, paths(web))
    return Tried(trials, warn_small(chosen.samples) if chosen.samples else None)


def choose_judge(
    folder: CrawlFolder | None, *, recipe: str | None, settings: Sequence[str], like: Sequence[Path]
) -> Chosen:
    """Returns the judge of a crawl with all that it has learned, or one made from samples."""
    if folder is not None and folder.database.exists():
        if recipe or like:
            raise ConfigError(
                f"{folder.path} holds a crawl with a recipe and samples of its own. Leave out --like and --recipe, or the folder."
            )
        return _standing_judge(folder, settings)
    if folder is not None and not folder.config.exists():
        raise ConfigError(f"{folder.path} holds no crawl. Name files or URLs; name a folder of samples with --like.")
    before, chosen = (known(folder.path), recipe) if folder else (Known(), recipe or RECIPE)
    config = settle(before, Said(chosen, tuple(settings), absolute(like))).config
    return _build(config, folder.path if folder else None)


def try_judge(config: Config, judge: Judge, names: Sequence[str], web: Sequence[Path] = ()) -> list[Trial]:
    """Tries the judge on each file and URL, in their order."""
    urls = [name for name in names if is_url(name)]
    online = dict(zip(urls, _try_urls(config, judge, urls, web), strict=True)) if urls else {}
    workshop = Workshop(config, judge)
    return [online[name] if name in online else _try_file(workshop, name) for name in names]


def _standing_judge(folder: CrawlFolder, settings: Sequence[str]) -> Chosen:
    with View(folder) as view:
        return _build(change_config(view.config, settings), folder.path, view.meta.judge)


def _build(config: Config, folder: Path | None, state: bytes | None = None) -> Chosen:
    if state:
        try:
            return Chosen(config, build_plugin("judge", config.judge, Context(config, folder, (), state)))
        except ConfigError:  # a saved model is missing: it is built again below, as when the crawl is resumed
            if not config.corpus.like:
                raise
    read = sample_reader(folder or Path())
    samples = read(config.corpus.like)
    place = folder if state else None  # without a folder a new judge saves no models
    context = Context(config, place, samples, state, read)
    return Chosen(config, build_plugin("judge", config.judge, context), samples)


def _try_file(workshop: Workshop, name: str) -> Trial:
    try:
        body = Path(name).read_bytes()
    except OSError as error:
        raise ConfigError(
            f"cannot read {name}: {error.strerror}. Name files, or URLs with http:// or https://."
        ) from error
    gleaned = workshop.supervise(Task(Fetched(_ADDRESS, Outcome.OK, 200, body=body), 0, ""))
    return Trial(name, gleaned.drop, gleaned.detail, gleaned.page, gleaned.verdict)


def _try_urls(config: Config, judge: Judge, urls: Sequence[str], web: Sequence[Path]) -> list[Trial]:
    witness = _Witness(judge)
    with tempfile.TemporaryDirectory(prefix="opilio-try-") as name:
        folder = CrawlFolder(Path(name))
        small = change_config(config, _SMALL_CRAWL_SETTINGS)
        plan = Blueprint(small, folder.path, judge=witness, lead=BreadthFirst(), web=web)
        run_crawl(plan, [Seed(url) for url in urls])
        with View(folder) as view:
            return [_ending(view.links, url, witness) for url in urls]


def _ending(links: LinkReader, name: str, witness: _Witness) -> Trial:
    """Returns how the URL ended, or the last one that its redirects led to."""
    url = parse(name)
    if isinstance(url, Drop):
        return Trial(name, url)
    link, ending = _find(links, url)
    for _ in range(_HOPS):
        target = parse(ending.detail) if link.drop is Drop.REDIRECTED else Drop.MALFORMED_URL
        if isinstance(target, Drop):
            break
        url = target
        link, ending = _find(links, url)
    seen = witness.seen.get(url.href, (None, None))
    if link.state is not State.DONE:
        return Trial(name, Drop.FETCH_FAILED, "its host asks for a longer pause than a minute")
    detail = ending.detail
    if link.drop is Drop.FETCH_FAILED and not detail:
        detail = f"HTTP {ending.status}" if ending.status else (ending.outcome or "").replace("_", " ")
    return Trial(name, link.drop, detail, *seen)


def _find(links: LinkReader, url: Url) -> MetLink:
    found = links.find(url.href)
    assert found is not None  # the small crawl has met every seed and every redirect's target
    return found
