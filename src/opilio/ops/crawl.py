"""The verb `crawl`: starts or resumes a crawl. In Python it is an iterator over the documents.

A `Running` is made by `crawl` and by the other verbs that crawl (`sample`, `pilot`, `judge run`, the demo). Nothing happens
before the caller iterates over it, or calls `to_end`; from then on it holds the folder's lock until it ends. Leaving a loop early
stops the crawl cleanly.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from opilio.core.config import UNFOCUSED, Config, Layer, read_toml
from opilio.core.errors import ConfigError
from opilio.core.items import Gleaned, Record, Seed
from opilio.engine.build import Blueprint, build_crawl
from opilio.engine.loop import Crawl
from opilio.engine.run import event_loop
from opilio.folder import ControlServer, CrawlFolder, FolderLock, View
from opilio.judge import Judging
from opilio.keep import unpack
from opilio.lead import Lead

from .seeds import read_seeds
from .settings import Known, Said, settle
from .until import until_settings
from .watching import Nobody, Watch, heed_signals

Names = str | Path | Iterable[str | Path]
Settings = Mapping[str, Any] | Iterable[str]  # tables, or table.key=value
Seeds = Sequence[Seed] | Callable[[Crawl], Sequence[Seed]]


def crawl(
    config: Config | Mapping[str, Any] | str | Path,
    folder: str | Path | None = None,
    *,
    recipe: str | None = None,
    like: Names = (),
    positive: Names = (),
    negative: Names = (),
    seeds: Names = (),
    url: str | Iterable[str] = (),
    pages: int | None = None,
    until: str | Iterable[str] = (),
    web: Names = (),
    workers: int | None = None,
    settings: Iterable[str] = (),
    judge: Judging | None = None,
    lead: Lead | None = None,
) -> "Running":
    """Crawls and yields each document after it is safe on disk. The same call resumes where an earlier one ended.

    `config` is a crawl's folder, with or without a crawl.toml, the path of a crawl.toml, the tables of one as a mapping, or a
    loaded `Config`; the corpus goes to `folder`, which for a path is the folder itself. `seeds` are URLs, or files with a URL
    per line. With `web`, recorded pages are replayed instead of asking the network. `judge` and `lead` may be objects of your
    own. All other arguments mean the same as on the command line.
    """
    own, place = _own(config, folder)
    said = Said(
        recipe,
        (*settings, *until_settings(each(until)), *_numbers(("stop.pages", pages), ("crawl.workers", workers))),
        absolute(like),
        absolute(positive),
        absolute(negative),
        UNFOCUSED if lead else None,  # bounds from samples do not fit the scores of the caller's own lead
    )
    settled = settle(known(place, own), said)
    plan = Blueprint(settled.config, place, judge=judge, lead=lead, web=paths(web))
    files, urls = files_and_urls(seeds)
    chosen = read_seeds(settled.config, place, files, [*urls, *each(url)])
    return Running(plan, chosen, [settled.warning] if settled.warning else [])


class Running(Iterator[Record]):
    """A crawl that is about to run. `reason` says why it stopped, once it has."""

    def __init__(self, plan: Blueprint, seeds: Seeds, warnings: Sequence[str] = ()) -> None:
        self.folder = plan.folder
        self.warnings = list(warnings)  # what the operator should know before it starts
        self._plan = plan
        self._seeds = seeds
        self._box: list[str] = []  # the reason; shared with the generator, which must not hold this object alive
        self._documents = _documents(plan, seeds, self._box)

    def __next__(self) -> Record:
        return next(self._documents)

    def close(self) -> None:
        """Stops the crawl, if it runs. What was kept is safe on disk."""
        self._documents.close()

    @property
    def reason(self) -> str:
        return self._box[0] if self._box else ""

    def to_end(self, watch: Watch | None = None) -> str:
        """Crawls in the foreground until there is a reason to stop, and returns it. The first Ctrl-C stops cleanly."""
        with FolderLock(self.folder), event_loop() as runner:
            self._box[:] = [runner.run(_to_end(self._plan, self._seeds, watch or Nobody()))]
        return self.reason


def known(folder: Path, own: Layer | None = None) -> Known:
    """Returns the settings that a folder has by itself; `own` takes the place of its crawl.toml."""
    place = CrawlFolder(folder)
    if own is None and place.config.exists():
        own = Layer(str(place.config), read_toml(place.config))
    if not place.database.exists():
        return Known(own)
    with View(place) as view:
        return Known(own, view.meta.config, tuple(view.meta.changed))


def each(names: Names) -> list[str]:
    """Returns one name or several as a list."""
    return [str(names)] if isinstance(names, str | Path) else [str(name) for name in names]


def paths(names: Names) -> list[Path]:
    return [Path(name) for name in each(names)]


def absolute(names: Names) -> tuple[str, ...]:
    """Returns absolute paths, because settings are used again in other working directories."""
    return tuple(str(path.resolve()) for path in paths(names))


def like_settings(like: Names) -> list[str]:
    """Returns samples as a setting, for verbs whose judge is chosen without them."""
    named = absolute(like)
    return [f"corpus.like={msgspec.json.encode(named).decode()}"] if named else []


def _numbers(*named: tuple[str, int | None]) -> list[str]:
    return [f"{key}={value}" for key, value in named if value is not None]


def _own(config: Config | Mapping[str, Any] | str | Path, folder: str | Path | None) -> tuple[Layer | None, Path]:
    if isinstance(config, str | Path):
        path = Path(config)
        if path.suffix != ".toml" and not path.is_file():
            return None, Path(folder) if folder else path
        return Layer(str(path), read_toml(path)), Path(folder) if folder else path.parent
    if folder is None:
        raise ConfigError('where should the corpus go? Pass folder="…" along with settings that are not a folder.')
    tables = msgspec.to_builtins(config) if isinstance(config, Config) else config
    return Layer("the settings", tables), Path(folder)


def files_and_urls(seeds: Names) -> tuple[list[Path], list[str]]:
    """Divides seeds into files and URLs: a string is a URL unless it is the name of a file, and a Path is a file."""
    given = [seeds] if isinstance(seeds, str | Path) else list(seeds)
    files = [Path(seed) for seed in given if isinstance(seed, Path) or Path(seed).is_file()]
    return files, [seed for seed in given if isinstance(seed, str) and not Path(seed).is_file()]


def _documents(plan: Blueprint, seeds: Seeds, reason: list[str]) -> Generator[Record, None, None]:
    _refuse_running_loop()
    with FolderLock(plan.folder), event_loop() as runner:
        box: list[Gleaned] = []
        running, stream = runner.run(_start(plan, seeds))
        try:
            while runner.run(_next(stream, box)):
                yield unpack(box.pop().record)
        finally:
            running.stop("left by the caller")
            while runner.run(_next(stream, box)):
                box.clear()
            reason[:] = [running.parts.tally.stop_reason]


async def _start(plan: Blueprint, seeds: Seeds) -> tuple[Crawl, AsyncIterator[Gleaned]]:
    crawl = build_crawl(plan)
    chosen = seeds(crawl) if callable(seeds) else seeds
    return crawl, crawl.stream(chosen, ControlServer(plan.folder, crawl.control))


async def _next(stream: AsyncIterator[Gleaned], box: list[Gleaned]) -> bool:
    """Puts the next page into the box. Returns False at the end. If it returned the page, the runner's debugging code would
    print it in full, which takes a millisecond."""
    box.extend([gleaned] if (gleaned := await anext(stream, None)) is not None else [])
    return bool(box)


async def _to_end(plan: Blueprint, seeds: Seeds, watch: Watch) -> str:
    crawl = build_crawl(plan)
    chosen = seeds(crawl) if callable(seeds) else seeds
    watch.start(crawl.status, crawl.warnings, _most_pages(crawl.config, len(chosen)))
    ticker = asyncio.create_task(_tick(watch))
    try:
        with heed_signals(crawl, watch):
            async for _ in crawl.stream(chosen, ControlServer(plan.folder, crawl.control)):
                pass
    finally:
        ticker.cancel()
        watch.end()
    return crawl.parts.tally.stop_reason


def _most_pages(config: Config, seeds: int) -> int:
    """Returns the most pages that the crawl can fetch, 0 if that is unknown. A crawl without links fetches only its seeds."""
    limit = config.stop.pages
    return min(limit or seeds, seeds) if config.scope.max_depth == 0 else limit


async def _tick(watch: Watch) -> None:
    while True:
        await asyncio.sleep(watch.interval_s)
        watch.tick()


def _refuse_running_loop() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise ConfigError(
        "opilio.crawl() cannot run inside an event loop, such as a notebook's. Call it from a thread of its own."
    )
