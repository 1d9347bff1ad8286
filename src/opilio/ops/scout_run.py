"""The verb `scout run`: asks sources for URLs, and probes one of each domain."""

import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from opilio.core.config import Config
from opilio.core.errors import ConfigError
from opilio.core.languages import language_codes
from opilio.core.plugin import Context, build_plugin
from opilio.discover import Source
from opilio.discover.directory import Directory
from opilio.discover.standing import SourceStanding, Standing
from opilio.engine.run import event_loop
from opilio.engine.samples import sample_reader

from .crawl import numbers
from .names import Names, absolute, each, paths
from .sample_pages import sample_pages
from .scout_place import ScoutPlace, save_config
from .scouting import Scouting, ScoutWatch
from .settings import Known, Said, settle


class Scouted(NamedTuple):
    sources: list[SourceStanding]
    requests: int  # of sources
    probed: int  # URLs
    stopped: bool  # by the operator


def scout_run(
    directory: str | Path,
    source: str | Iterable[str] = (),
    *,
    language: str | Iterable[str] = (),
    like: Names = (),
    budget: int | None = None,
    per_domain: int | None = None,
    mode: str | None = None,
    keep_messages: bool = False,
    from_archive: bool = False,
    repeat: float = 0.0,
    web: Names = (),
    settings: Iterable[str] = (),
    watch: ScoutWatch | None = None,
) -> Scouted:
    """Asks the sources, each written as NAME or NAME=WHERE, and probes what they find. The same call goes on where an earlier one
    ended, and adds what is new. With `repeat`, it begins again this many seconds after its end, until it is stopped. All other
    arguments mean the same as on the command line."""
    said = Said(
        None,
        (*settings, *numbers(("scout.budget", budget), ("scout.per_domain", per_domain)), *_words(mode, keep_messages)),
        absolute(like),
        languages=language_codes(each(language)),
    )
    config = settle(Known(), said).config
    place, names, recorded = ScoutPlace(directory), [*each(source)], paths(web)
    if from_archive and recorded:
        raise ConfigError("pages come from a recorded web (--web) or from the archive (--from-archive): choose one.")
    if not names and not place.path.exists():
        raise ConfigError(f"{place.path} is new, so name a source, such as --source urls=list.txt.")
    pages = sample_pages(config, place.work, recorded)
    context = Context(config, None, sample_reader(Path(), pages)(config.corpus.like))
    sources = build_sources(names, context)
    with place.open() as opened:
        while True:
            save_config(opened, config)
            standing = work(opened, place, config, recorded, watch, sources, pages=pages, from_archive=from_archive)
            if not repeat or standing.stopped:
                return scouted(standing)
            try:
                time.sleep(repeat)
            except KeyboardInterrupt:
                standing.stopped = True
                return scouted(standing)
            sources = build_sources(names, context)  # a source may remember what it has read of a file


def work(
    directory: Directory,
    place: ScoutPlace,
    config: Config,
    web: Sequence[Path],
    watch: ScoutWatch | None,
    sources: Mapping[str, Source] | None = None,
    *,
    draws: bool = True,
    pages: Mapping[str, str] | None = None,
    from_archive: bool = False,
) -> Standing:
    """Runs a scout to its end. `pages` has the texts of samples that are URLs, which are fetched if it is None."""
    known = sample_pages(config, place.work, web) if pages is None else pages
    scouting = Scouting(directory, config, place.work, web, known, watch, from_archive=from_archive)
    with event_loop() as runner:
        return runner.run(scouting.run(sources or {}, draws=draws))


def build_sources(names: Iterable[str], context: Context) -> dict[str, Source]:
    """Builds sources from what was written: NAME, or NAME=WHERE."""
    built = {}
    for written in names:
        name, _, where = written.partition("=")
        options = context.config.sources.get(name, {})
        if not isinstance(options, dict):
            raise ConfigError(f"sources.{name} must be a table with options, such as [sources.{name}].")
        built[written] = build_plugin("source", {"name": name, "where": where, **options}, context)
    return built


def _words(mode: str | None, keep_messages: bool) -> list[str]:
    return [*([f"scout.mode={mode}"] if mode else []), *(["scout.keep_messages=true"] if keep_messages else [])]


def scouted(standing: Standing) -> Scouted:
    return Scouted(standing.sources, standing.requests(), standing.drawn, standing.stopped)
