"""The lab's verbs, the same for the command line and for `import opilio`: run, make, record."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

from opilio.core.errors import ConfigError
from opilio.folder import CrawlFolder
from opilio.ops.names import Names, each, paths
from opilio.ops.writing import writing

from .experiment import EVERY_TOPIC, Plan, Question, Result, answer, plan
from .maker import PURE_SETTINGS, Library, Parameters, make_tunnel, make_web
from .protocol import SAMPLES
from .recorder import Recording, record_web
from .report.files import write_json, write_result
from .workers import Progress

Planned = Callable[[Plan], Progress]  # hears what will be run, and returns who hears of each run


def run(
    web: Names,
    *,
    labels: Names = (),
    topic: str | Iterable[str] = (),
    recipe: str | Iterable[str] = (),
    repeat: int = 1,
    samples: int = SAMPLES,
    seed_urls: str | Path | None = None,
    budget: int | None = None,
    gold: bool = False,
    flip: float = 0.0,
    per_host_cap: int | None = None,
    topic_pages: str | tuple[int, int] = "1:",
    topics: int = 0,
    settings: Iterable[str] = (),
    processes: int = 0,
    json: str | Path | None = None,
    output: str | Path | None = None,
    planned: Planned = lambda _plan: lambda _outcome: None,
) -> Result:
    """Runs recipes over recorded webs, and says what each gets for the same number of fetches. All runs go to `json` as a file,
    and with tables, charts and an HTML page to the folder `output`, if they are named."""
    question = Question(
        webs=tuple(paths(web)),
        labels=tuple(paths(labels)),
        recipes=tuple(each(recipe)),
        topics=tuple(each(topic)) or (EVERY_TOPIC,),
        topic_pages=_range(topic_pages) if isinstance(topic_pages, str) else topic_pages,
        most_topics=topics,
        repeat=repeat,
        samples=samples,
        seed_urls=Path(seed_urls) if seed_urls else None,
        budget=budget or 0,
        gold=gold,
        per_host_cap=per_host_cap or 0,
        settings=tuple(settings),
        flip=flip,
    )
    found = plan(question)
    result = answer(question, found, processes, planned(found))
    if json:
        write_json(result, Path(json))
    if output:
        write_result(result, Path(output))
    return result


def make(
    output: str | Path,
    *,
    pages: int | None = None,
    domains: int | None = None,
    seed: int | None = None,
    homophily: float | None = None,
    urls: str | None = None,
    anchors: str | None = None,
    links: str | None = None,
    hosts: Literal["mixed", "pure"] = "mixed",
    tunnel: bool = False,
    settings: Iterable[str] = (),
    progress: Callable[[int, int], None] = lambda _done, _pages: None,
) -> dict[str, Any]:
    """Makes a web of many hosts, with labels for language, topic, type and quality, and returns what it turned out to be."""
    with writing(Path(output)) as path:
        if tunnel:
            return make_tunnel(path, Library.find(), seed=7 if seed is None else seed)
        parameters = Parameters.read(
            [*(PURE_SETTINGS if hosts == "pure" else ()), *settings], pages=pages, domains=domains, seed=seed,
            homophily=homophily, urls=urls, anchors=anchors, links=links,
        )  # fmt: skip
        return make_web(path, parameters, Library.find(), progress)


def record(folder: str | Path, output: str | Path | None = None) -> Recording:
    """Makes a web for the lab of a crawl: one WARC file, DIR.warc.gz if none is named, and its pages' languages as labels."""
    place = Path(folder).resolve()
    return record_web(CrawlFolder(Path(folder)), Path(output) if output else place.with_name(f"{place.name}.warc.gz"))


def _range(words: str) -> tuple[int, int]:
    low, colon, high = words.partition(":")
    try:
        fewest, most = int(low or 1), int(high or 2**31) if colon else int(low)
    except ValueError as error:
        raise ConfigError(f'"{words}" is not a range of pages. Write --topic-pages 25:400.') from error
    if fewest > most:
        raise ConfigError(f'no topic has "{words}" pages: the lower number comes first, --topic-pages {most}:{fewest}.')
    return fewest, most
