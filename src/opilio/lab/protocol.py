"""The fixed protocol of the lab: what all runs have in common, whatever the recipe.

* The pages of a topic are relevant; R is their number.
* Repetition r draws, with seed r, five relevant pages as samples. The first is the only seed URL.
* The budget is R fetches. A fetch is a request that was answered with a page: a redirect is not a fetch, and a link to
  a URL that was not recorded costs nothing.
* A crawl goes on to 2R fetches, but only for the harvest at 2R and for what its verdicts were worth. All other figures are
  taken at the budget.
* Pages are fetched one after the other, in simulated time and without delays: only the order that a recipe chooses
  counts. If a delay or several requests at once are asked for, simulated time passes as `pace` says.
* A recipe never sees a label. It sees the samples, the seed, and what it fetches. Only recipes whose sizes were
  published for webs of another size are told R (`SCALES`).

A `Job` and its result are plain values that are passed between processes as msgpack.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from opilio.core.languages import find_code

from .accuracy import Bin

BASELINES: Final = ("random", "breadth-first")
ORACLE: Final = "oracle"
SAMPLES: Final = 5
_TAG: Final = r"[a-z]{2,3}(?:[-_](?:[A-Za-z]{4}|[A-Za-z]{2}|[0-9]{3}))*"  # a code with or without script and region
_LANGUAGE: Final = re.compile(rf"lang(?:uage)?\.({_TAG})")
_ALONE: Final = re.compile(_TAG)
_ISO_639_1: Final = (
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee "
    "el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is "
    "it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms "
    "mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si "
    "sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh "
    "yi yo za zh zu"
)
_CODES: Final = frozenset(_ISO_639_1.split())


class Job(msgspec.Struct, frozen=True, tag=True):
    """One crawl to be run. Paths are absolute."""

    web: str  # the WARC file
    labels: str
    topic: str
    recipe: str  # a name, the oracle, or the path of a crawl.toml
    repetition: int
    samples: int = SAMPLES
    seed_urls: tuple[str, ...] = ()  # used instead of the first sample
    budget: int = 0  # 0: R
    gold: bool = False
    per_host_cap: int = 0
    settings: tuple[str, ...] = ()
    flip: float = 0.0  # share of the pages whose verdict is reversed
    texts: tuple[str, ...] = ()  # samples of one's own, used instead of pages of the web
    budget_of_r: float = 0.0  # the budget in multiples of R, where `budget` is 0; see `Budget`
    delay_s: float = 0.0  # between two requests to a host; see `Pace`
    parallel: int = 1  # requests at once


class Run(msgspec.Struct, frozen=True):
    """The result of a job. Figures are taken at the budget, except the two harvests and the last six, which are taken at 2R."""

    web: str
    topic: str
    recipe: str
    repetition: int
    judge: str
    relevant: int  # R
    budget: int
    fetched: int
    relevant_fetched: int
    harvest_at_r: float
    harvest_at_2r: float | None  # None: the crawl had a smaller limit
    auc: float
    weighted_coverage: float
    held_out_recall: float
    bytes: int
    bytes_per_relevant: float | None  # None: no relevant page was fetched
    hosts: int  # hosts with a relevant page that was fetched
    kept: int
    kept_relevant: int
    new_tokens: int
    new_tokens_per_1000: float
    stop: str
    seeds: tuple[str, ...]
    samples: tuple[str, ...]
    curve: tuple[tuple[int, int], ...]  # (fetched, relevant among them)
    coverage_curve: tuple[tuple[int, int], ...]  # (fetched, tokens of kept relevant documents)
    kept_precision: float | None = None  # from here on: the verdicts on all pages fetched; None: nothing was judged
    kept_recall: float | None = None
    kept_f1: float | None = None
    best_f1: float | None = None
    calibration_error: float | None = None  # points
    bins: tuple[Bin, ...] = ()  # of the scores; empty if nothing was judged
    harvest_at_quarter_r: float | None = None  # of the first R/4 fetches, divided by R/4
    harvest_at_4r: float | None = None  # of the first 4R fetches, divided by R
    time_to_r_s: float | None = (
        None  # simulated seconds until R pages were fetched; None: they were not, or no time passes
    )
    seconds_per_relevant: float | None = None  # of these seconds, for each relevant page among the first R
    time_curve: tuple[tuple[float, int], ...] = ()  # (seconds, relevant pages until then)


class Cost(msgspec.Struct, frozen=True):
    """Processor time of a run for each page that it fetched, without the gleaning, which runs share. It differs from one machine
    and run to the next, so it is not part of a `Run`."""

    web: str
    recipe: str
    cpu_ms: float


class Failure(msgspec.Struct, frozen=True):
    """A job that could not be run, and why."""

    web: str
    topic: str
    recipe: str
    repetition: int
    reason: str


def language_of(topic: str, topics: Iterable[str]) -> str | None:
    """Returns the language code if the topic is a language: `lang.de`, or `de` if all labels of the web (`topics`) are
    such codes, with or without a region or script (`de-AT`, `zh_Hant`). Among other labels, `it` may be a language or
    computing, so it is not taken for one."""
    found = _LANGUAGE.fullmatch(topic)
    if found:
        return found[1]
    return topic if all(map(_is_code, (topic, *topics))) else None


def _is_code(label: str) -> bool:
    return _ALONE.fullmatch(label) is not None and re.split("[-_]", label)[0] in _CODES


def judged_by_language(topic: str, topics: Iterable[str]) -> list[str]:
    """Returns the settings that make the language identifier the judge; none if the topic is not a language that it can tell. The
    filter by language is off, so that a judge that knows the labels decides alone."""
    code = find_code(language_of(topic, topics) or "")
    return ["judge.name=language", f'corpus.languages=["{code}"]', "corpus.other_languages=true"] if code else []


def recipes_with_yardsticks(recipes: Sequence[str], *, baselines: bool = True) -> list[str]:
    """Adds random order, breadth-first and the oracle to the recipes that are compared, unless they are left out."""
    if not baselines:
        return list(dict.fromkeys(recipes))
    return list(dict.fromkeys([*BASELINES, *(each for each in recipes if each != ORACLE), ORACLE]))


def _preemptive(relevant: int) -> list[str]:
    """Returns the published sizes, 400 pages of each class and the best 100 of a depth, or less if there are fewer
    pages."""
    bootstrap, top = (400, 100) if relevant >= 2_000 else (max(5, relevant // 10), max(5, relevant // 20))
    return [f"lead.bootstrap={bootstrap}", f"policy.top={top}"]


SCALES: Final[Mapping[str, Callable[[int], list[str]]]] = {"preemptive": _preemptive}
