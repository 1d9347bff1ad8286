"""`bench focus`: does a focused crawl find more of its domain? The second experiment of Remus & Biemann (2016), in
small.

The domain is German. Samples, held-out text and seeds are drawn from a web's German pages (`focus_web`); a crawl that
goes breadth first, one by perplexity under a model of the samples, and one by the identified language go through the
same recorded pages (`focus_crawl`). At growing numbers of downloaded words, each is asked how much German it has, and
how well a model of the samples and its documents predicts the held-out text. Every figure is the mean of five draws.
"""

import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from opilio.core.items import Page

from .chart import CurveChart, Panel
from .focus_crawl import RECIPES, HeldOut, Point, Start, mean_point, measure, replay, trace
from .focus_web import DEMO, PLAIN, Document, Draw, LabelledWeb, Ties, draw, labelled_webs, ties
from .form import Cell, Goal, Report

_DRAWS: Final = 5
_SCALE: Final = (3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
_MOST_CHECKPOINTS: Final = 5
_UNFOCUSED, _FOCUSED = RECIPES[:2]
_SAMPLES_ALONE: Final = "samples alone"
_COLUMNS: Final = (
    "web", "recipe", "tokens", "German documents %", "German tokens", "times unfocused", "perplexity", "without OOV",
    "German only", "German without OOV",
)  # fmt: skip
_PAPER: Final = {  # tokens → German tokens, by whether the crawl is focused
    100_000: {True: 87_105, False: 34_250},
    1_000_000: {True: 867_686, False: 216_432},
    300_000_000: {True: 277_303_711, False: 61_122_895},
}
_PAPER_SHARES: Final = {True: 92.31, False: 15.51}  # in percent of the whole crawl


class Outcome(NamedTuple):
    web: str
    checkpoints: tuple[int, ...]
    points: dict[str, list[Point]]  # by recipe, one for each checkpoint
    alone: Point  # before anything is crawled
    ties: Ties
    sizes: tuple[int, int, int]  # words of the samples and of the held-out text, and how many of these are OOV
    gains: list[float]  # of each draw, halfway: German tokens of the focused crawl by those of the unfocused one

    @property
    def middle(self) -> int:
        return len(self.checkpoints) // 2


def run(seed: int = 1, progress: Callable[[int, int], None] = lambda _done, _all: None) -> Report:
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="opilio-focus-") as scratch:
        for number, web in enumerate(labelled_webs(Path(scratch))):
            outcomes.append(_experiment(web, seed, partial(_progress, progress, number)))
    rows = [row for outcome in outcomes for row in _rows(outcome)] + _paper_rows()
    goals = [goal for outcome in outcomes if outcome.web in (DEMO, PLAIN) for goal in _goals(outcome)]
    notes = [note for outcome in outcomes for note in _notes(outcome)]
    if len(outcomes) == 1:
        notes.append("The recorded webs are missing: set OPILIO_DATA to the folder that has webs/fsfe-plain.warc.gz.")
    return Report("focus", _COLUMNS, rows, goals, notes, _chart(outcomes))


def _progress(progress: Callable[[int, int], None], web: int, draws: int) -> None:
    progress(web * _DRAWS + draws, 3 * _DRAWS)


def _experiment(web: LabelledWeb, seed: int, progress: Callable[[int], None]) -> Outcome:
    checkpoints = tuple(tokens for tokens in _SCALE if tokens <= web.words() / 2)[-_MOST_CHECKPOINTS:]
    points: dict[str, list[list[Point]]] = {recipe: [] for recipe in RECIPES}
    alone, tied, sizes = [], [], []
    for number in range(_DRAWS):
        drawn = draw(web, seed + number)
        held_out = held_out_of(web, drawn)
        alone.append(measure([], held_out))
        tied.append(ties(web, held_out.domain_perplexities(web), drawn.known))
        sizes.append((sum(web.documents[url].words for url in drawn.samples), held_out.words, held_out.oov))
        for recipe in RECIPES:
            order = crawl(web, drawn, recipe, checkpoints[-1])
            points[recipe].append(trace(order, held_out, checkpoints))
        progress(number + 1)
    means = {recipe: [mean_point(each) for each in zip(*runs, strict=True)] for recipe, runs in points.items()}
    samples, words, oov = map(round, np.mean(sizes, axis=0))
    place = len(checkpoints) // 2
    pairs = zip(points[_FOCUSED], points[_UNFOCUSED], strict=True)
    gains = [focused[place].german_tokens / base[place].german_tokens for focused, base in pairs]
    tie = Ties(*np.mean(tied, axis=0).tolist())
    return Outcome(web.name, checkpoints, means, mean_point(alone), tie, (samples, words, oov), gains)


def held_out_of(web: LabelledWeb, drawn: Draw) -> HeldOut:
    others = [document.lines for url, document in web.documents.items() if url not in frozenset(drawn.held_out)]
    samples, own = ([web.documents[url].lines for url in urls] for urls in (drawn.samples, drawn.held_out))
    return HeldOut(samples, own, others)


def crawl(web: LabelledWeb, drawn: Draw, recipe: str, tokens: int) -> list[Document]:
    """No host is waited for. Pages that are known already do not count."""
    start = Start([web.documents[url].text for url in drawn.samples], drawn.seeds)

    def read(page: Page) -> Document | None:
        return None if page.url in drawn.known else web.documents.get(page.url)

    return replay([web.warc], start, recipe, tokens, read, ("fetch.delay_s=0",))


def _rows(outcome: Outcome) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = [(outcome.web, _SAMPLES_ALONE, 0, None, None, None, *map(round, outcome.alone[4:]))]
    for recipe, points in outcome.points.items():
        for tokens, point, base in zip(outcome.checkpoints, points, outcome.points[_UNFOCUSED], strict=True):
            rows.append((
                outcome.web, recipe, min(tokens, round(point.tokens)), 100 * point.german_documents / point.documents,
                round(point.german_tokens), point.german_tokens / base.german_tokens, *map(round, point[4:]),
            ))  # fmt: skip
    return rows


def _paper_rows() -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    for focused, name in ((False, "not focused"), (True, "focused")):
        for tokens, german in _PAPER.items():
            share = _PAPER_SHARES[focused] if tokens == max(_PAPER) else None
            rows.append(
                ("the paper", name, tokens, share, german[focused], german[focused] / german[False], *[None] * 4)
            )
    return rows


def _goals(outcome: Outcome) -> list[Goal]:
    """Asks that the order of the paper's findings is not reversed halfway through."""
    focused, base = (outcome.points[recipe][outcome.middle] for recipe in (_FOCUSED, _UNFOCUSED))
    where = f"recipe {_FOCUSED} on {outcome.web} at {outcome.checkpoints[outcome.middle]:,} tokens"
    more, less = focused.german_tokens / base.german_tokens, focused.perplexity / base.perplexity
    return [
        Goal(f"{where}: German tokens", more, 1, f"times those of {_UNFOCUSED}"),
        Goal(f"{where}: perplexity of the held-out text", less, 1, f"times that of {_UNFOCUSED}", at_least=False),
    ]


def _notes(outcome: Outcome) -> list[str]:
    tied, (samples, words, oov) = outcome.ties, outcome.sizes
    sizes = f"{samples:,} words of samples; {words:,} are held out, of which {oov:,} are OOV for the samples."
    links = (
        f"Links lead to German documents from German documents in {tied.from_german:.0%}, from other documents in "
        f"{tied.from_others:.0%}, from pages without text in {tied.from_listings:.0%} of all cases. A German document links to "
        f"{tied.german_linked:.0%} of the German documents and to {tied.others_linked:.0%} of the others; pages without text "
        f"alone link to {tied.only_listed:.0%} of the German ones."
    )
    chances = (
        f"A German document has a lower perplexity than another one with a chance of {tied.own:.3f}, the best page that links "
        f"to it with {tied.parents:.3f}."
    )
    draws = (
        f"At {outcome.checkpoints[outcome.middle]:,} tokens the gain in German tokens goes from {min(outcome.gains):.2f} to "
        f"{max(outcome.gains):.2f} between the draws."
    )
    return [f"{outcome.web}: {sizes} {links} {chances} {draws}"]


def _chart(outcomes: Sequence[Outcome]) -> CurveChart:
    panels = []
    for outcome in outcomes:
        points = {name: outcome.points[name] for name in (_FOCUSED, _UNFOCUSED, *RECIPES[2:])}
        shares = [(name, tuple((one.tokens, 100 * one.german_share) for one in all_)) for name, all_ in points.items()]
        values = [(name, tuple((one.tokens, one.perplexity) for one in all_)) for name, all_ in points.items()]
        values.append((_SAMPLES_ALONE, tuple((tokens, outcome.alone.perplexity) for tokens in outcome.checkpoints)))
        panels.append(Panel(f"{outcome.web}: how much of it is German", "% of the tokens", tuple(shares)))
        panels.append(Panel(f"{outcome.web}: held-out text", "perplexity", tuple(values)))
    return CurveChart("Does focus pay? German as the domain", "tokens downloaded", tuple(panels), logarithmic=True)
