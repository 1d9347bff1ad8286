"""The lab's verbs, the same for the command line and for `import opilio`: run, judge, make, record, serve."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, Literal

from opilio.core.errors import ConfigError
from opilio.folder import CrawlFolder
from opilio.ops.names import Names, paths
from opilio.ops.names import each as names_of
from opilio.ops.writing import output_folder, output_path, writing

from .budget import Budget
from .experiment import Plan, Question, Result, answer, plan
from .maker import PURE_SETTINGS, Library, Parameters, make_news, make_tunnel, make_web
from .pace import Pace
from .protocol import SAMPLES
from .recorder import Recording, record_web
from .report.files import write_json, write_result
from .report.judge_files import write_judge_json, write_judge_result
from .samples import PLAIN
from .served import Served
from .topics import Scope
from .verdicts.experiment import JudgePlan, JudgeQuestion, JudgeResult
from .verdicts.experiment import answer as answer_judging
from .verdicts.experiment import plan as plan_judging
from .workers import JudgeProgress, Progress

Planned = Callable[[Plan], Progress]  # hears what will be run, and returns who hears of each run
JudgePlanned = Callable[[JudgePlan], JudgeProgress]


def run(
    web: Names,
    *,
    labels: Names = (),
    topic: str | Iterable[str] = (),
    recipe: str | Iterable[str] = (),
    repeat: int = 1,
    samples: int = SAMPLES,
    texts: str | Path | None = None,
    seed_urls: str | Path | None = None,
    budget: str | int | None = None,
    baselines: bool = True,
    against: str = "",
    gold: bool = False,
    flip: float = 0.0,
    per_host_cap: int | None = None,
    delay: float = 0.0,
    parallel: int = 1,
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
    file, folder = _outputs(json, output)
    question = Question(
        _scope(web, labels, topic, topic_pages, topics, texts, recipe, repeat, settings),
        samples=samples,
        seed_urls=Path(seed_urls) if seed_urls else None,
        budget=Budget.read(budget),
        baselines=baselines,
        pace=Pace(delay, parallel),
        against=against,
        gold=gold,
        per_host_cap=per_host_cap or 0,
        flip=flip,
    )
    found = plan(question)
    result = answer(question, found, processes, planned(found))
    if file:
        write_json(result, file)
    if folder:
        write_result(result, folder)
    return result


def judge(
    web: Names,
    *,
    labels: Names = (),
    topic: str | Iterable[str] = (),
    texts: str | Path | None = None,
    origin: str | Iterable[str] = (),
    samples: int | str | Iterable[int | str] = SAMPLES,
    words: int | Iterable[int] = 0,
    form: str | Iterable[str] = PLAIN,
    each: bool = False,
    recipe: str | Iterable[str] = (),
    repeat: int = 1,
    meet: int = 0,
    others: int = 0,
    topic_pages: str | tuple[int, int] = "1:",
    topics: int = 0,
    settings: Iterable[str] = (),
    processes: int = 0,
    json: str | Path | None = None,
    output: str | Path | None = None,
    planned: JudgePlanned = lambda _plan: lambda _outcome: None,
) -> JudgeResult:
    """Judges all pages of recorded webs, with samples of each number, length, form and origin that is named, and compares the
    verdicts with the labels. All runs go to `json` as a file, and with a chart to the folder `output`, if they are named."""
    file, folder = _outputs(json, output)
    question = JudgeQuestion(
        _scope(web, labels, topic, topic_pages, topics, texts, recipe, repeat, settings),
        origins=tuple(names_of(origin)),
        samples=_numbers(samples),
        words=(words,) if isinstance(words, int) else tuple(words),
        forms=tuple(names_of(form)),
        each=each,
        meet=meet,
        others=others,
    )
    found = plan_judging(question)
    result = answer_judging(question, found, processes, planned(found))
    if file:
        write_judge_json(result, file)
    if folder:
        write_judge_result(result, folder)
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
    news: int | None = None,
    settings: Iterable[str] = (),
    progress: Callable[[int, int], None] = lambda _done, _pages: None,
) -> dict[str, Any]:
    """Makes a web of many hosts, with labels for language, topic, type and quality, and returns what it turned out to be."""
    with writing(output_path(output)) as path:
        if tunnel or news is not None:
            make = make_tunnel if news is None else partial(make_news, day=news)
            return make(path, library=Library.find(), seed=7 if seed is None else seed)
        parameters = Parameters.read(
            [*(PURE_SETTINGS if hosts == "pure" else ()), *settings], pages=pages, domains=domains, seed=seed,
            homophily=homophily, urls=urls, anchors=anchors, links=links,
        )  # fmt: skip
        return make_web(path, parameters, Library.find(), progress)


def record(folder: str | Path, output: str | Path | None = None) -> Recording:
    """Makes a web for the lab of a crawl: one WARC file, DIR.warc.gz if none is named, and its pages' languages as labels."""
    place = Path(folder).resolve()
    path = output_path(output) if output else place.with_name(f"{place.name}.warc.gz")
    return record_web(CrawlFolder(Path(folder)), path)


def serve(web: Names, *, port: int = 0, certificate: str | Path | None = None) -> Served:
    """Serves a recorded web on loopback, as an HTTP proxy and by the Host header, until what it returns is closed. With a
    certificate and its key in a PEM file, the proxy answers https too."""
    return Served(list(paths(web)), port, Path(certificate) if certificate else None)


def _outputs(json: str | Path | None, output: str | Path | None) -> tuple[Path | None, Path | None]:
    """Returns the file and the folder of the results. They are checked before the runs, which may take hours."""
    return output_path(json) if json else None, output_folder(output) if output else None


def _scope(
    web: Names,
    labels: Names,
    topic: str | Iterable[str],
    topic_pages: str | tuple[int, int],
    topics: int,
    texts: str | Path | None,
    recipe: str | Iterable[str],
    repeat: int,
    settings: Iterable[str],
) -> Scope:
    return Scope(
        webs=tuple(paths(web)),
        labels=tuple(paths(labels)),
        topics=tuple(names_of(topic)),
        topic_pages=_range(topic_pages) if isinstance(topic_pages, str) else topic_pages,
        most_topics=topics,
        texts=Path(texts) if texts else None,
        recipes=tuple(names_of(recipe)),
        repeat=repeat,
        settings=tuple(settings),
    )


def _numbers(samples: int | str | Iterable[int | str]) -> tuple[int, ...]:
    """Returns numbers of samples, which may be given as ranges: 1:5."""
    given = [samples] if isinstance(samples, int | str) else samples
    ranges = [(one, one) if isinstance(one, int) else _range(one, "samples", "--samples 1:5") for one in given]
    return tuple(dict.fromkeys(number for low, high in ranges for number in range(low, high + 1)))


def _range(words: str, things: str = "pages", example: str = "--topic-pages 25:400") -> tuple[int, int]:
    low, colon, high = words.partition(":")
    try:
        fewest, most = int(low or 1), int(high or 2**31) if colon else int(low)
    except ValueError as error:
        raise ConfigError(f'"{words}" is not a range of {things}. Write {example}.') from error
    if fewest > most:
        option = example.partition(" ")[0]
        raise ConfigError(f'no topic has "{words}" {things}: the lower number comes first, {option} {most}:{fewest}.')
    return fewest, most
