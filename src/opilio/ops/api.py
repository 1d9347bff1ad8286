"""The crawl as a Python iterator. Everything the command line does is a thin layer over this module and `wiring`."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from opilio.core.config import Config, load_config
from opilio.core.errors import ConfigError
from opilio.core.items import Gleaned, Record, Seed
from opilio.engine import Crawl
from opilio.engine.build import Blueprint, build_crawl, read_seeds
from opilio.folder import ControlServer, CrawlFolder, FolderLock
from opilio.folder.database import open_readonly
from opilio.judge import Judging
from opilio.keep import CorpusReader, unpack
from opilio.lead import Lead

_PLAIN: Final = "breadth-first"  # a lead of the caller's has scores of its own: no bounds that samples choose


def crawl(
    config: Config | Mapping[str, Any] | str | Path,
    folder: str | Path | None = None,
    *,
    judge: Judging | None = None,
    lead: Lead | None = None,
    web: str | Path | Sequence[str | Path] = (),
    seeds: Iterable[str] = (),
) -> Iterator[Record]:
    """Crawls and yields each document after it is safe on disk. The same call resumes where an earlier one ended.

    `config` is a crawl folder or its crawl.toml, the tables of one as a mapping, or a loaded `Config`; the corpus goes to
    `folder`, which for a path is the folder itself. With `web`, recorded pages are replayed instead of asking the network.
    """
    settings, place = _settle(config, folder, _PLAIN if lead else None)
    recorded = [web] if isinstance(web, str | Path) else list(web)
    plan = Blueprint(settings, place, judge=judge, lead=lead, web=[Path(path) for path in recorded])
    chosen = read_seeds(settings, place, urls=seeds)
    _refuse_running_loop()
    with FolderLock(plan.folder), asyncio.Runner(loop_factory=loop_factory()) as runner:
        box: list[Gleaned] = []
        running, stream = runner.run(_start(plan, chosen))
        try:
            while runner.run(_next(stream, box)):
                yield unpack(box.pop().record)
        finally:
            running.stop("left by the caller")
            while runner.run(_next(stream, box)):
                box.clear()


def read(folder: str | Path) -> Iterator[Record]:
    """The documents of a crawl's corpus, also while it runs."""
    place = CrawlFolder(Path(folder))
    connection = open_readonly(place.database)
    try:
        yield from CorpusReader(connection, place.path)
    finally:
        connection.close()


def stream_crawl(crawl: Crawl, folder: CrawlFolder, seeds: list[Seed]) -> AsyncIterator[Gleaned]:
    """The running crawl with its control channel open."""
    return crawl.stream(seeds, ControlServer(folder, crawl.control))


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop  # noqa: PLC0415
    except ImportError:  # not made for this platform
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


def _settle(
    config: Config | Mapping[str, Any] | str | Path, folder: str | Path | None, unnamed: str | None
) -> tuple[Config, Path]:
    if isinstance(config, str | Path):
        path = Path(config)
        file = path / "crawl.toml" if path.is_dir() else path
        return load_config(file, unnamed=unnamed), Path(folder) if folder else file.parent
    if folder is None:
        raise ConfigError('where should the corpus go? Pass folder="…" along with settings that are not a folder.')
    return (config if isinstance(config, Config) else load_config(tables=config, unnamed=unnamed)), Path(folder)


def _refuse_running_loop() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise ConfigError("opilio.crawl() cannot run inside an event loop, such as a notebook's. Call it from a thread.")


async def _start(plan: Blueprint, seeds: list[Seed]) -> tuple[Crawl, AsyncIterator[Gleaned]]:
    crawl = build_crawl(plan)
    return crawl, stream_crawl(crawl, plan.folder, seeds)


async def _next(stream: AsyncIterator[Gleaned], box: list[Gleaned]) -> bool:
    """Puts the next one into the box; False at the end. Not returned: the runner would spell it out, at a millisecond each."""
    box.extend([gleaned] if (gleaned := await anext(stream, None)) is not None else [])
    return bool(box)
