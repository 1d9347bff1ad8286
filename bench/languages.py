"""`bench languages`: does a focused crawl find more of its language, on a web of many hosts? The second experiment of Remus &
Biemann (2016).

The domain is German. On a made web (`languages_web`) a crawl that goes breadth first and one by perplexity under a model of
the samples are equally polite: each host rests after an answer, and the others are asked meanwhile. At growing numbers of
downloaded words, each is asked how much German it has, and how well a model of the samples and its documents predicts the
held-out text. The homophily of the web is varied; its published value is the one that counts. Every figure is the mean of
five draws.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from .chart import CurveChart, Panel
from .focus_crawl import RECIPES, Point, mean_point, measure, replay, trace
from .focus_web import Document
from .form import Cell, Goal, Report
from .languages_web import Domain, Web, draw_domain, make

PUBLISHED: Final = 0.7
_HOMOPHILIES: Final = (0.5, 0.6, PUBLISHED, 0.8, 0.9, 0.95)
_CHECKPOINTS: Final = (30_000, 100_000, 300_000, 1_000_000)
_OTHERS_CHECKPOINTS: Final = _CHECKPOINTS[:-1]  # on webs with another homophily
_GOALS: Final = {100_000: 2.5, 300_000: 3.5}  # tokens → times the German tokens of the unfocused crawl
_DRAWS: Final = 5
_SETTINGS: Final = ("fetch.delay_s=1",)
_UNFOCUSED, _FOCUSED = RECIPES[:2]
_LANGUAGES: Final = ("de", "fr", "en", "nl", "es", "it")  # of the paper's table
_PAPER_GAINS: Final = {100_000: 87_105 / 34_250, 300_000: 267_371 / 95_167, 1_000_000: 867_686 / 216_432}
_COLUMNS: Final = (
    "homophily", "recipe", "tokens", "German documents %", "German tokens", "times unfocused", "most possible", "perplexity",
    "without OOV", "German only", "German without OOV",
)  # fmt: skip

Progress = Callable[[int, int], None]


class Outcome(NamedTuple):
    """What one web shows: points by recipe, one for each checkpoint, and the documents by language at the last one."""

    points: dict[str, list[Point]]
    languages: dict[str, Counter[str]]

    def gain(self, place: int) -> float:
        return self.points[_FOCUSED][place].german_tokens / self.points[_UNFOCUSED][place].german_tokens


def run(rounds: int = _DRAWS, seed: int = 1, progress: Progress = lambda _done, _all: None) -> Report:
    """`rounds`: draws."""
    found: dict[float, list[Outcome]] = {homophily: [] for homophily in _HOMOPHILIES}
    alone = []
    for number in range(rounds):
        domain = draw_domain(seed + number)
        alone.append(measure([], domain.held_out))
        for place, homophily in enumerate(_HOMOPHILIES):
            found[homophily].append(compare(domain, homophily, seed + number, checkpoints_of(homophily)))
            progress(number * len(found) + place + 1, rounds * len(found))
    return report(found, mean_point(alone))


def report(found: dict[float, list[Outcome]], alone: Point) -> Report:
    """`found`: outcomes of the draws by homophily; `alone`: before anything is crawled."""
    first: tuple[Cell, ...] = (None, "samples alone", 0, *[None] * 4, *map(round, alone[4:]))
    rows = [first, *(row for homophily, outcomes in found.items() for row in _rows(homophily, outcomes))]
    return Report("languages", _COLUMNS, rows, _goals(found[PUBLISHED], alone), _notes(found), _chart(found, alone))


def checkpoints_of(homophily: float) -> tuple[int, ...]:
    return _CHECKPOINTS if homophily == PUBLISHED else _OTHERS_CHECKPOINTS


def compare(domain: Domain, homophily: float, seed: int, checkpoints: Sequence[int]) -> Outcome:
    web = make(domain, homophily, seed)
    crawls = {recipe: crawl(web, recipe, checkpoints[-1]) for recipe in (_UNFOCUSED, _FOCUSED)}
    points = {recipe: trace(documents, domain.held_out, checkpoints) for recipe, documents in crawls.items()}
    return Outcome(points, {recipe: Counter(each.language for each in all_) for recipe, all_ in crawls.items()})


def crawl(web: Web, recipe: str, tokens: int) -> list[Document]:
    return replay(web.fetcher, web.start, recipe, tokens, web.read, _SETTINGS)


def _means(outcomes: Sequence[Outcome], recipe: str) -> list[Point]:
    return [mean_point(points) for points in zip(*(outcome.points[recipe] for outcome in outcomes), strict=True)]


def _rows(homophily: float, outcomes: Sequence[Outcome]) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    bases = _means(outcomes, _UNFOCUSED)
    for recipe in (_UNFOCUSED, _FOCUSED):
        for tokens, point, base in zip(checkpoints_of(homophily), _means(outcomes, recipe), bases, strict=True):
            rows.append((
                homophily, recipe, min(tokens, round(point.tokens)), 100 * point.german_documents / point.documents,
                round(point.german_tokens), point.german_tokens / base.german_tokens, 1 / base.german_share,
                *map(round, point[4:]),
            ))  # fmt: skip
    return rows


def _goals(outcomes: Sequence[Outcome], alone: Point) -> list[Goal]:
    focused, base = _means(outcomes, _FOCUSED), _means(outcomes, _UNFOCUSED)
    goals = []
    for tokens, goal in _GOALS.items():
        place = _CHECKPOINTS.index(tokens)
        gain = focused[place].german_tokens / base[place].german_tokens
        goals.append(Goal(f"German tokens at {tokens:,}", gain, goal, f"times those of {_UNFOCUSED}"))
    last = f"perplexity of the held-out text at {_CHECKPOINTS[-1]:,} tokens"
    fall = focused[-1].perplexity / alone.perplexity
    goals.append(Goal(f"{last}, {_FOCUSED}", fall, 1, "times that of the samples alone", at_least=False))
    less = focused[-1].perplexity / base[-1].perplexity
    goals.append(Goal(f"{last}, {_FOCUSED}", less, 1, f"times that of {_UNFOCUSED}", at_least=False))
    return goals


def _notes(found: dict[float, list[Outcome]]) -> list[str]:
    paper = ", ".join(f"{gain:.2f} at {tokens:,}" for tokens, gain in _PAPER_GAINS.items())
    notes = [f"German tokens in the paper, times those of its unfocused crawl: {paper}, and 4.54 at 300 million."]
    for homophily, outcomes in found.items():
        for place, tokens in enumerate(checkpoints_of(homophily)):
            gains = " ".join(f"{outcome.gain(place):.2f}" for outcome in outcomes)
            notes.append(f"homophily {homophily:g}, {tokens:,} tokens: gains of the draws {gains}")
    for recipe in (_UNFOCUSED, _FOCUSED):
        shares = ", ".join(f"{code} {share:.1f}" for code, share in _languages(found[PUBLISHED], recipe).items())
        notes.append(f"documents by language at {_CHECKPOINTS[-1]:,} tokens, {recipe}, in percent: {shares}")
    return notes


def _languages(outcomes: Sequence[Outcome], recipe: str) -> dict[str, float]:
    """Returns percentages, means over the draws."""
    counts = [outcome.languages[recipe] for outcome in outcomes]
    named = {code: fmean(100 * count[code] / count.total() for count in counts) for code in _LANGUAGES}
    return named | {"other": 100 - sum(named.values())}


def _chart(found: dict[float, list[Outcome]], alone: Point) -> CurveChart:
    def gain(homophily: float, tokens: int) -> float:
        place = checkpoints_of(homophily).index(tokens)
        focused, base = (_means(found[homophily], recipe)[place] for recipe in (_FOCUSED, _UNFOCUSED))
        return focused.german_tokens / base.german_tokens

    def possible(homophily: float, tokens: int) -> float:
        return 1 / _means(found[homophily], _UNFOCUSED)[checkpoints_of(homophily).index(tokens)].german_share

    gains = [
        (f"{name} {tokens // 1000}K tokens", tuple((each, figure(each, tokens)) for each in found))
        for tokens in reversed(_GOALS)
        for name, figure in (("at", gain), ("most possible at", possible))
    ]
    points = {name: _means(found[PUBLISHED], name) for name in (_FOCUSED, _UNFOCUSED)}
    flat = (alone.perplexity,) * 2

    def by_tokens(figure: Callable[[Point], float]) -> tuple[tuple[str, tuple[tuple[float, float], ...]], ...]:
        return tuple((name, tuple((one.tokens, figure(one)) for one in all_)) for name, all_ in points.items())

    constant = ("samples alone", tuple(zip((_CHECKPOINTS[0], _CHECKPOINTS[-1]), flat, strict=True)))
    return CurveChart(
        "German on a web of many hosts",
        "tokens downloaded",
        (
            Panel("German tokens, by homophily", "times those of breadth first", tuple(gains), "homophily"),
            Panel(
                f"homophily {PUBLISHED}: how much of it is German",
                "% of the tokens",
                by_tokens(lambda one: 100 * one.german_share),
            ),
            Panel(
                f"homophily {PUBLISHED}: held-out text, all documents",
                "perplexity",
                (*by_tokens(lambda one: one.perplexity), constant),
            ),
            Panel(
                "held-out text, German documents",
                "perplexity",
                (*by_tokens(lambda one: one.german_perplexity), constant),
            ),
        ),
        logarithmic=True,
    )
