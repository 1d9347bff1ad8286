"""A judge tried out on a few pages, before anything is spent on a crawl.

Rules: files go through the workshop of a crawl, and URLs are visited (`visiting`). The judge of a crawl is used as that crawl
saved it, and learns nothing here.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from opilio.core.config import Config, change_config
from opilio.core.errors import ConfigError
from opilio.core.items import Fetched
from opilio.core.languages import language_codes
from opilio.core.outcome import Outcome
from opilio.core.plugin import Context, Sample
from opilio.core.trial import Trial
from opilio.core.url import is_url
from opilio.engine import Task, Workshop
from opilio.engine.samples import sample_reader, warn_small
from opilio.folder import CrawlFolder, View
from opilio.judge import Judge, build_judge

from .known import known
from .names import Names, absolute, each, paths
from .sample_pages import sample_pages
from .settings import Known, Said, settle
from .visiting import visit

RECIPE: Final = "learned"
_ADDRESS: Final = "http://file.invalid/"  # even a page on disk needs an address


class Chosen(NamedTuple):
    config: Config
    judge: Judge
    samples: tuple[Sample, ...] = ()  # empty if the judge is built from its saved state


class Tried(NamedTuple):
    trials: list[Trial]  # one for each page, in their order
    warning: str | None  # if the samples are too short


def judge_try(
    pages: Names,
    *,
    like: Names = (),
    language: str | Iterable[str] = (),
    recipe: str | None = None,
    web: Names = (),
    settings: Iterable[str] = (),
) -> Tried:
    """Returns what a judge says of files and URLs, and why. If the first of the pages is a folder, the judge is that of the
    crawl in it."""
    names = each(pages)
    folder = CrawlFolder(Path(names[0])) if Path(names[0]).is_dir() else None
    if folder and len(names) == 1:
        raise ConfigError(f"which pages? Name files or URLs after {names[0]}.")
    chosen = choose_judge(folder, recipe=recipe, settings=[*settings], like=like, language=language, web=paths(web))
    trials = try_judge(chosen.config, chosen.judge, names[1:] if folder else names, paths(web))
    return Tried(trials, warn_small(chosen.samples) if chosen.samples else None)


def choose_judge(
    folder: CrawlFolder | None,
    *,
    recipe: str | None,
    settings: Sequence[str],
    like: Names,
    language: str | Iterable[str] = (),
    web: Sequence[Path] = (),
) -> Chosen:
    """Returns the judge of a crawl with all that it has learned, or one made from samples."""
    if folder is not None and folder.database.exists():
        if recipe or each(like) or each(language):
            raise ConfigError(
                f"{folder.path} holds a crawl with a recipe and samples of its own. Leave out --like, --language and --recipe, "
                "or the folder."
            )
        return _standing_judge(folder, settings)
    if folder is not None and not folder.config.exists():
        raise ConfigError(f"{folder.path} holds no crawl. Name files or URLs; name a folder of samples with --like.")
    before, chosen = (known(folder.path), recipe) if folder else (Known(), recipe or RECIPE)
    said = Said(chosen, tuple(settings), absolute(like), languages=language_codes(each(language)))
    config = settle(before, said).config
    return _build(config, folder.path if folder else None, web=web)


def try_judge(config: Config, judge: Judge, names: Sequence[str], web: Sequence[Path] = ()) -> list[Trial]:
    """Tries the judge on each file and URL, in their order."""
    urls = [name for name in names if is_url(name)]
    online = dict(zip(urls, visit(config, judge, urls, web), strict=True)) if urls else {}
    workshop = Workshop(config, judge)
    return [online[name] if name in online else _try_file(workshop, name) for name in names]


def _standing_judge(folder: CrawlFolder, settings: Sequence[str]) -> Chosen:
    with View(folder) as view:
        return _build(change_config(view.config, settings), folder.path, view.meta.judge)


def _build(config: Config, folder: Path | None, state: bytes | None = None, web: Sequence[Path] = ()) -> Chosen:
    if state:
        try:
            return Chosen(config, build_judge(Context(config, folder, (), state)))
        except ConfigError:  # a saved model is missing: it is built again below, as when the crawl is resumed
            if not config.corpus.like:
                raise
    home = folder or Path()
    read = sample_reader(home, sample_pages(config, home, web))
    samples = read(config.corpus.like)
    place = folder if state else None  # without a folder a new judge saves no models
    context = Context(config, place, samples, state, read)
    return Chosen(config, build_judge(context), samples)


def _try_file(workshop: Workshop, name: str) -> Trial:
    try:
        body = Path(name).read_bytes()
    except OSError as error:
        raise ConfigError(
            f"cannot read {name}: {error.strerror}. Name files, or URLs with http:// or https://."
        ) from error
    gleaned = workshop.supervise(Task(Fetched(_ADDRESS, Outcome.OK, 200, body=body), 0, ""))
    return Trial(name, gleaned.drop, gleaned.detail, gleaned.page, gleaned.verdict)
