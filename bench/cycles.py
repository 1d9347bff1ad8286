"""Crawls in cycles on a news web that changes every day: the diversity crawler against one that draws its links by chance.

After Barbosa & Bangalore (2011): perplexities of the fetched pages, same-day pages, language models of the day and merged ones on
texts of the day that nobody crawled, what the predictor of classes is worth, and whether garbage is kept away. The web and all
numbers are in docs/made-webs.md. `bench cycles_schools` does the same on a real web, divided into days by topic.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

from opilio.folder.cycles import CyclesFolder
from opilio.lead.diversity import CLASSES, Example, agreement, class_bounds, class_of
from opilio.model.bag_classes import Learner, learn_classes
from opilio.model.linear_svm import bag_of
from opilio.report.cycles import mean_weights

from . import Goal, Progress, Report
from .chart import CurveChart, Panel
from .cycles_crawl import Crawled, DayFigures, Experiment, explore, fetched_urls, garbage_after, run_day, tenths
from .cycles_web import Day, news_days
from .form import Cell

_GARBAGE: Final = 0.1
_GARBAGE_DAYS: Final = 3
_LEARNERS: Final[tuple[Learner, ...]] = ("svm", "logistic", "bayes")
_TEST: Final = 5  # every fifth link is held out
_LAST_TENTHS: Final = 3
_COLUMNS: Final = (
    "day", "web", "pages: perplexity", "baseline's", "same-day pages", "baseline's pages", "over the 65th percentile",
    "merged: diversity", "merged: baseline", "single: diversity", "single: baseline", "as good with",
)  # fmt: skip
_PAPER: Final = (
    "the paper: perplexity of pages 361 against 255 (1.42 times); same-day pages 1.5 times; over the 65th percentile 0.45; "
    "merged diversity < merged baseline < single diversity < single baseline on all days; "
    "SVM 0.57 and 0.616, naive Bayes 0.48 and 0.45"
)


class Quality(NamedTuple):
    """Says how good predicted classes are on links that were held out."""

    accuracy: float
    f_high: float


def run(pages: int = 500, rounds: int = 8, seed: int = 7, progress: Progress | None = None) -> Report:
    """`rounds` is the number of days after the first, and `pages` that of a cycle."""
    with tempfile.TemporaryDirectory(prefix="opilio-cycles-") as name:
        days = counted_days(news_days(rounds, seed), rounds + 1, progress)
        found = explore(Path(name) / "days", days, pages)
        garbage = garbage_share(Path(name) / "garbage", news_days(_GARBAGE_DAYS, seed, _GARBAGE), pages)
    more = [
        Goal(
            "a day's texts under models of any other day", _validity(found), 1.0, "times their perplexity under its own"
        ),
        Goal("stale links classed Low", _stale(found), 0.6, "of them"),
        Goal("garbage after the first lesson", garbage, 0.02, "of the pages", at_least=False),
    ]
    return report("cycles", found, more)


def report(name: str, found: Experiment, more: Sequence[Goal] = (), fresh_from: int = 1) -> Report:
    """`fresh_from` is the day from which same-day pages count."""
    goals = [*_goals(found, fresh_from), *more]
    notes = [_PAPER, *_predictions(found), *_history(found)]
    return Report(name, _COLUMNS, [_row(day) for day in found.days], goals, notes, _chart(found))


def garbage_share(folder: Path, days: Iterator[Day], pages: int) -> float:
    """Returns the share of garbage among the pages that are fetched after the first lesson, from the second cycle on."""
    place = CyclesFolder(folder)
    counts = []
    for day in days:
        cycle = run_day(place, day, pages)
        if cycle.number:
            counts.append(garbage_after(cycle, fetched_urls(place, cycle.number), day))
    return sum(bad for bad, _ in counts) / sum(count for _, count in counts)


def quality(examples: Sequence[Sequence[Example]], learner: Learner) -> Quality:
    """Returns the mean over the days: every fifth link is held out, and the classes are those of the others."""
    found = [_tested(day, learner) for day in examples]
    return Quality(*(fmean(values) for values in zip(*filter(None, found), strict=True)))


def _tested(examples: Sequence[Example], learner: Learner) -> Quality | None:
    training = [one for at, one in enumerate(examples) if at % _TEST]
    bounds = class_bounds([one.score for one in training])
    if bounds is None:
        return None
    bags = [bag_of(one.words.split()) for one in training]
    learned = learn_classes(bags, [class_of(one.score, bounds) for one in training], len(CLASSES), learner).strengths
    tests = examples[::_TEST]
    guesses = [int(learned.of_bag(bag_of(one.words.split())).argmax()) for one in tests]
    return Quality(*agreement([class_of(one.score, bounds) for one in tests], guesses))


def _row(day: DayFigures) -> list[Cell]:
    ours, other = day.diversity, day.baseline
    return [
        f"{day.day}", day.size, fmean(ours.perplexities), fmean(other.perplexities), ours.same_day, other.same_day,
        day.over(ours), ours.merged, other.merged, ours.single, other.single, day.reached,
    ]  # fmt: skip


def _goals(found: Experiment, fresh_from: int) -> list[Goal]:
    days, svm, bayes = found.days, quality(found.examples, "svm"), quality(found.examples, "bayes")
    fresh = [day for day in days if day.day >= fresh_from]
    return [
        Goal("merged diversity is the best model", _share(days, _is_best), 0.8, "of the days"),
        Goal("single diversity is below single baseline", _share(days, _beats), 0.8, "of the days"),
        Goal("perplexity of pages", _ratio(days, lambda one: fmean(one.perplexities)), 1.3, "times the baseline's"),
        Goal("same-day pages", _ratio(fresh, lambda one: float(one.same_day)), 1.3, "times the baseline's"),
        Goal("last three tenths of a cycle", fmean(map(_rise, days)), 1.1, "times the perplexity of the first"),
        Goal("pages over the 65th percentile", fmean(day.over(day.diversity) for day in days), 0.45, "of all"),
        Goal("predictor, accuracy", svm.accuracy, bayes.accuracy, "against naive Bayes"),
        Goal("predictor, F(High)", svm.f_high, bayes.f_high, "against naive Bayes"),
    ]


def _is_best(day: DayFigures) -> bool:
    return day.diversity.merged < min(day.baseline.merged, day.diversity.single, day.baseline.single)


def _beats(day: DayFigures) -> bool:
    return day.diversity.single < day.baseline.single


def _rise(day: DayFigures) -> float:
    parts = tenths(day.diversity)
    return fmean(parts[-_LAST_TENTHS:]) / parts[0]


def _share(days: Sequence[DayFigures], holds: Callable[[DayFigures], bool]) -> float:
    return fmean(map(holds, days))


def _ratio(days: Sequence[DayFigures], figure: Callable[[Crawled], float]) -> float:
    return fmean(figure(day.diversity) for day in days) / fmean(figure(day.baseline) for day in days)


def _stale(found: Experiment) -> float:
    return fmean(day.stale_low for day in found.days if day.stale_low is not None)


def _validity(found: Experiment) -> float:
    """Returns the least that another day's model makes of a day's texts, as a multiple of what its own makes of them."""
    return min(fmean(values) for distance, values in found.by_distance.items() if distance)


def _predictions(found: Experiment) -> Iterator[str]:
    for learner in _LEARNERS:
        accuracy, f_high = quality(found.examples, learner)
        yield f"{learner}: accuracy {accuracy:.3f}, F(High) {f_high:.3f} on held-out links, mean of {len(found.examples)} days"


def _history(found: Experiment) -> Iterator[str]:
    """Yields what the paper's other figures show: distances, distributions, sizes and weights."""
    distances = ", ".join(f"{distance:+d}: {fmean(values):.2f}" for distance, values in found.by_distance.items())
    yield f"perplexity of a day's held-out texts under the baseline's model of that many days later, as a multiple: {distances}"
    below = sum(day.diversity.single < day.level for day in found.days)
    yield f"single diversity is below a single baseline of as many pages without the seeds on {below} of {len(found.days)} days"
    for name, crawled in _crawlers(found):
        cycles = [found.first, *(one.cycle for one in crawled)]
        weights = ", ".join(f"{age}: {weight:.3f}" for age, weight in mean_weights(cycles[1:]).items())
        yield f"{name}: mean weights of models by age in days: {weights}"
        yield f"{name}: words of the merged models, by day: {', '.join(f'{one.model_tokens:,}' for one in cycles)}"
        medians = ", ".join(f"{one.perplexities[5]:,.0f}" for one in cycles[1:])
        yield f"{name}: median perplexity of pages under its own models, by day: {medians}"
        yield f"{name}: mean perplexity by tenth of a cycle: {', '.join(f'{one:,.0f}' for one in _mean_tenths(crawled))}"


def _crawlers(found: Experiment) -> list[tuple[str, list[Crawled]]]:
    return [("diversity", [day.diversity for day in found.days]), ("baseline", [day.baseline for day in found.days])]


def _chart(found: Experiment) -> CurveChart:
    def both(title: str, unit: str, figure: Callable[[Crawled], float]) -> Panel:
        curves = ((name, _by_day([figure(one) for one in crawled])) for name, crawled in _crawlers(found))
        return Panel(title, unit, tuple(curves))

    models = [(f"merged, {name}", [one.merged for one in crawled]) for name, crawled in _crawlers(found)]
    models += [(f"single, {name}", [one.single for one in crawled]) for name, crawled in _crawlers(found)]
    parts = tuple((name, _by_day(_mean_tenths(crawled))) for name, crawled in _crawlers(found))
    weights = tuple((name, _weight_points(crawled)) for name, crawled in _crawlers(found))
    panels = (
        Panel("Held-out texts of the day", "perplexity", tuple((name, _by_day(values)) for name, values in models)),
        both("Pages", "mean perplexity", lambda one: fmean(one.perplexities)),
        both("Same-day pages", "pages", lambda one: float(one.same_day)),
        both("Merged models", "words of text", lambda one: float(one.cycle.model_tokens)),
        Panel("Within a cycle, mean of all", "mean perplexity", parts, across="tenth of the cycle"),
        Panel("Weights in merged models", "mean weight", weights, across="age in days"),
    )
    return CurveChart("Crawls in cycles", "day", panels)


def _by_day(values: Sequence[float]) -> tuple[tuple[float, float], ...]:
    return tuple((float(day), value) for day, value in enumerate(values, 1))


def _mean_tenths(crawled: Sequence[Crawled]) -> list[float]:
    return [fmean(part) for part in zip(*(tenths(one) for one in crawled), strict=True)]


def _weight_points(crawled: Sequence[Crawled]) -> tuple[tuple[float, float], ...]:
    return tuple((float(age), weight) for age, weight in mean_weights([one.cycle for one in crawled]).items())


def counted_days(days: Iterator[Day], count: int, progress: Progress | None) -> Iterator[Day]:
    for done, day in enumerate(days):
        if progress is not None:
            progress(done, count)
        yield day
