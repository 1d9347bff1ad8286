"""Measures a crawl by the order of its fetches: pure arithmetic over one `Trace`.

* harvest at B fetches (R/4, R, 2R, 4R): relevant pages among the first B fetches, divided by B or R, whichever is less,
  since there are no more relevant pages than R.
* auc: the area under the curve of relevant pages over fetches up to the budget, as a share of that of a crawl that
  fetches nothing but relevant pages. A crawl that ends early keeps what it has to the end of the budget.
* weighted coverage WC: the tokens of documents that were kept and are relevant, as a share of the tokens of all
  relevant pages.
* held-out recall: fetched relevant pages that were not samples, as a share of all relevant pages that were not samples.
* new tokens: those of all documents that the crawl kept, relevant or not. A text that is already in the corpus is not
  kept again.
* time to R: simulated seconds until R pages were fetched, relevant or not. Seconds per relevant page: the same time (or
  that of the last page, if the crawl ended before), divided by the relevant pages among them. So a crawl that waits for
  the best host and one that asks all hosts are compared as whoever waits for pages feels it.
* the verdicts: precision and recall of what was kept among all pages that were fetched, up to the limit; see `accuracy`.
  Pages that ask not to be used, and copies of pages that were kept, are left out: no judge can keep them.
"""

from collections.abc import Callable, Collection, Mapping
from itertools import accumulate
from typing import Final, NamedTuple

from .accuracy import Accuracy, Bin, compare
from .budget import part_of

_POINTS: Final = 100  # points of a curve, besides the start

Curve = tuple[tuple[int, int], ...]
TimeCurve = tuple[tuple[float, int], ...]


class Download(NamedTuple):
    url: str
    host: str
    size_bytes: int
    at_s: float = 0.0  # simulated seconds since the crawl began


class Trace(NamedTuple):
    downloads: list[Download]  # in order
    kept: dict[str, int]  # URL → tokens
    stop: str
    scores: Mapping[str, float] | None = None  # URL → the judge's score; None: nothing was judged
    takes_time: bool = False  # False: no simulated time passes
    barred: Collection[str] = ()  # URLs of pages that could not be kept, whatever the judge said


class Yardstick(NamedTuple):
    """What a trace is compared with. `tokens` are those of all relevant pages."""

    relevant: frozenset[str]
    samples: Collection[str]
    budget: int
    limit: int  # where the crawl was stopped, if nothing else stopped it
    tokens: int


class Figures(NamedTuple):
    """The fields of a `Run` that are measured; see there."""

    fetched: int
    relevant_fetched: int
    harvest_at_r: float
    harvest_at_2r: float | None
    auc: float
    weighted_coverage: float
    held_out_recall: float
    bytes: int
    bytes_per_relevant: float | None
    hosts: int
    kept: int
    kept_relevant: int
    new_tokens: int
    new_tokens_per_1000: float
    curve: Curve
    coverage_curve: Curve
    kept_precision: float | None
    kept_recall: float | None
    kept_f1: float | None
    best_f1: float | None
    calibration_error: float | None
    bins: tuple[Bin, ...]
    harvest_at_quarter_r: float | None
    harvest_at_4r: float | None
    time_to_r_s: float | None
    seconds_per_relevant: float | None
    time_curve: TimeCurve


def measure(trace: Trace, by: Yardstick) -> Figures:
    within = trace.downloads[: by.budget]
    good = [one for one in within if one.url in by.relevant]
    kept = [one.url for one in within if one.url in trace.kept]
    kept_relevant = [url for url in kept if url in by.relevant]
    size_bytes = sum(one.size_bytes for one in within)
    new_tokens = sum(trace.kept[url] for url in kept)
    tokens = sum(trace.kept[url] for url in kept_relevant)
    held_out = by.relevant.difference(by.samples)
    total = len(by.relevant)
    verdicts = _verdicts(trace, by)
    return Figures(
        fetched=len(within),
        relevant_fetched=len(good),
        harvest_at_r=_found(trace, by, total) / total,
        harvest_at_2r=_harvest(trace, by, 2.0),
        auc=_area(trace, by),
        weighted_coverage=tokens / by.tokens if by.tokens else 0.0,
        held_out_recall=sum(one.url in held_out for one in good) / len(held_out) if held_out else 0.0,
        bytes=size_bytes,
        bytes_per_relevant=size_bytes / len(good) if good else None,
        hosts=len({one.host for one in good}),
        kept=len(kept),
        kept_relevant=len(kept_relevant),
        new_tokens=new_tokens,
        new_tokens_per_1000=1000 * new_tokens / len(within) if within else 0.0,
        curve=_curve(within, lambda one: int(one.url in by.relevant)),
        coverage_curve=_curve(within, lambda one: trace.kept.get(one.url, 0) if one.url in by.relevant else 0),
        kept_precision=verdicts.precision if verdicts else None,
        kept_recall=verdicts.recall if verdicts else None,
        kept_f1=verdicts.f1 if verdicts else None,
        best_f1=verdicts.best_f1 if verdicts else None,
        calibration_error=verdicts.calibration_error if verdicts else None,
        bins=verdicts.bins if verdicts else (),
        harvest_at_quarter_r=_harvest(trace, by, 0.25),
        harvest_at_4r=_harvest(trace, by, 4.0),
        time_to_r_s=trace.downloads[total - 1].at_s if trace.takes_time and len(trace.downloads) >= total else None,
        seconds_per_relevant=_seconds_per_relevant(trace, by),
        time_curve=_time_curve(trace, by),
    )


def _verdicts(trace: Trace, by: Yardstick) -> Accuracy | None:
    """Compares with the labels what was kept of all that was fetched. A page that could not be judged has the score 0."""
    if trace.scores is None:
        return None
    urls = [one.url for one in trace.downloads[: by.limit] if one.url not in trace.barred]
    scores, kept = [trace.scores.get(url, 0.0) for url in urls], [url in trace.kept for url in urls]
    return compare(scores, kept, [url in by.relevant for url in urls])


def _harvest(trace: Trace, by: Yardstick, share: float) -> float | None:
    """Returns the harvest at this share of R, or None if the crawl was not allowed that far."""
    fetches = part_of(len(by.relevant), share)
    return _found(trace, by, fetches) / min(fetches, len(by.relevant)) if by.limit >= fetches else None


def _seconds_per_relevant(trace: Trace, by: Yardstick) -> float | None:
    first = trace.downloads[: len(by.relevant)]
    good = sum(one.url in by.relevant for one in first)
    return first[-1].at_s / good if trace.takes_time and good else None


def _time_curve(trace: Trace, by: Yardstick) -> TimeCurve:
    """Returns the points of the curve over seconds instead of fetches; none if no time passes."""
    if not trace.takes_time:
        return ()
    within = trace.downloads[: by.budget]
    times = [0.0, *(one.at_s for one in within)]
    return tuple(
        (round(times[place], 3), height) for place, height in _curve(within, lambda one: int(one.url in by.relevant))
    )


def _found(trace: Trace, by: Yardstick, fetches: int) -> int:
    return sum(one.url in by.relevant for one in trace.downloads[:fetches])


def _area(trace: Trace, by: Yardstick) -> float:
    found = list(accumulate(one.url in by.relevant for one in trace.downloads[: by.budget]))
    missed = by.budget - len(found)
    best = sum(min(fetch, len(by.relevant)) for fetch in range(1, by.budget + 1))
    return (sum(found) + missed * (found[-1] if found else 0)) / best


def _curve(within: list[Download], weigh: Callable[[Download], int]) -> Curve:
    """Returns points from (0, 0) to the last fetch, in steps of equal width."""
    heights = [0, *accumulate(map(weigh, within))]
    last = len(within)
    places = sorted({round(last * point / _POINTS) for point in range(_POINTS + 1)})
    return tuple((place, heights[place]) for place in places)
