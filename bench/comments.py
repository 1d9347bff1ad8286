"""Pages with comments: how well the judge recognizes them, and how many of them each strategy finds, layer by layer.

The judge is cross-validated on `gold/comments.jsonl.gz` of OPILIO_DATA, if that exists. The strategies are OPIC+COMMD,
COMMD and breadth first on made webs (`comments_web`), each over ten layers of one page in a hundred of the web. Pages are
relevant by their labels; beside it stands the harvest by the judge, which is how the paper counts. The judge is the one
that comes with Opilio, and knows nothing about the engines of the webs.
"""

import os
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

from opilio.judge.comment_examples import read_examples
from opilio.judge.comment_training import cross_validate
from opilio.lab.layers import Layer, shared
from opilio.lab.maker import Library

from . import Goal, Progress, Report
from .chart import CurveChart, Panel
from .comments_web import DISMISSED, HOMES, STRATEGIES, WEBS, Outcome, explore
from .form import Cell

_PLAIN: Final = "breadth first"
_WHOLE: Final = (HOMES, DISMISSED)  # of these crawls the table has every layer, of the others the last one
_FOLDS: Final = 5
_DIVISIONS: Final = 5
_COLUMNS: Final = (
    "strategy", "seeds", "layer", "fetched", "harvest", "by the judge", "external share", "external harvest", "domains",
)  # fmt: skip
_PAPER: Final = (
    "the paper, layer 10, by its judge: OPIC+COMMD 0.64, COMMD 0.76, breadth first 0.14; external share 0.3–0.4, 0.3–0.4, 0.76; "
    "domains 2,791 with OPIC+COMMD, and considerably fewer with the others"
)


class Found(NamedTuple):
    """A layer of all webs together: by the labels, and by the judge."""

    labels: Layer
    judge: Layer


Outcomes = dict[tuple[str, str], list[Outcome]]  # by strategy and case, one for each web
Layers = dict[tuple[str, str], list[Found]]


def run(pages: int = 30_000, rounds: int = 3, seed: int = 7, progress: Progress | None = None) -> Report:
    """`rounds` webs of each kind, made with the seeds `seed`, `seed` + 1 and so on; `pages` is the size of the plain ones."""
    outcomes: Outcomes = defaultdict(list)
    library, done = Library.find(), 0
    for number in range(rounds):
        for web in WEBS:
            with tempfile.TemporaryDirectory(prefix="opilio-comments-") as name:
                for key, outcome in explore(Path(name), web, pages, seed + number, library):
                    outcomes[key].append(outcome)
            done += 1
            if progress is not None:
                progress(done, rounds * len(WEBS))
    layers = {key: _by_layer(found) for key, found in outcomes.items()}
    rows = [row for (strategy, case), found in layers.items() for row in _rows(strategy, case, found)]
    notes = [f"domains: mean of {rounds} webs; all else: sums over them", _PAPER]
    goals = [*_judge_goals(), *_harvest_goals(layers)]
    return Report("comments", _COLUMNS, rows, goals, [*_overlaps(outcomes), *notes], _chart(layers))


def _by_layer(found: Sequence[Outcome]) -> list[Found]:
    """Sums over all webs; a crawl that ended early adds nothing to later layers."""
    last = max(layer.number for one in found for layer in one.labels)
    labels, judge = [layer for one in found for layer in one.labels], [layer for one in found for layer in one.judge]
    return [Found(_layer(labels, number), _layer(judge, number)) for number in range(last + 1)]


def _layer(layers: Sequence[Layer], number: int) -> Layer:
    return _sum([layer for layer in layers if layer.number == number])


def _sum(layers: Sequence[Layer]) -> Layer:
    """Puts the same layer of several webs together; domains are averaged."""
    domains = round(sum(layer.domains for layer in layers) / len(layers))
    return Layer(layers[0].number, *_counts(layers), domains)


def _counts(layers: Sequence[Layer]) -> tuple[int, int, int, int]:
    fields = zip(*layers, strict=True)
    _, fetched, relevant, external, external_relevant, _ = map(sum, fields)
    return fetched, relevant, external, external_relevant


def _rows(strategy: str, case: str, layers: Sequence[Found]) -> list[list[Cell]]:
    shown = [(f"{one.labels.number}", one) for one in (layers[1:] if case in _WHOLE else layers[-1:])]
    whole = Found(_whole([one.labels for one in layers]), _whole([one.judge for one in layers]))
    return [[strategy, case, name, *_cells(one)] for name, one in (*shown, ("all", whole))]


def _cells(found: Found) -> list[Cell]:
    labels, judge = found
    shares = [labels.harvest, judge.harvest, labels.external_share, labels.external_harvest]
    return [labels.fetched, *shares, labels.domains]


def _whole(layers: Sequence[Layer]) -> Layer:
    return Layer(0, *_counts(layers), layers[-1].domains)


def _judge_goals() -> list[Goal]:
    gold = Path(os.environ.get("OPILIO_DATA", "")) / "gold" / "comments.jsonl.gz"
    if not gold.is_file():
        return []
    examples = read_examples(gold)
    qualities = [cross_validate(examples, _FOLDS, seed) for seed in range(_DIVISIONS)]
    accuracy, f1 = (
        sum(figures) / _DIVISIONS for figures in zip(*((one.accuracy, one.f1) for one in qualities), strict=True)
    )
    return [
        Goal(f"judge, {_FOLDS} folds", accuracy, 0.87, "accuracy"),
        Goal(f"judge, {_FOLDS} folds", f1, 0.78, "F1"),
    ]


def _harvest_goals(layers: Layers) -> list[Goal]:
    return [
        Goal(f"{each}, {case}, last layer", _last(layers, each, case), 2.0, "times breadth first")
        for case in _WHOLE
        for each in STRATEGIES
        if each != _PLAIN
    ]


def _last(layers: Layers, strategy: str, case: str) -> float:
    """Returns how many times the harvest of breadth first a strategy has in the last layer, by the labels."""
    return layers[strategy, case][-1].labels.harvest / max(layers[_PLAIN, case][-1].labels.harvest, 1e-9)


def _overlaps(outcomes: Outcomes) -> list[str]:
    notes = []
    for case in _WHOLE:
        for first, second in combinations(STRATEGIES, 2):
            pairs = list(zip(outcomes[first, case], outcomes[second, case], strict=True))
            pages = [(shared(one.pages, other.pages), shared(other.pages, one.pages)) for one, other in pairs]
            domains = [(shared(one.domains, other.domains), shared(other.domains, one.domains)) for one, other in pairs]
            notes.append(
                f"{case}: what {first} found was also found by {second}: {_means(pages)} of the pages and {_means(domains)} "
                "of the domains (in brackets: the other way round)"
            )
    return notes


def _means(pairs: Sequence[tuple[float, float]]) -> str:
    there, back = (sum(shares) / len(pairs) for shares in zip(*pairs, strict=True))
    return f"{there:.0%} ({back:.0%})"


def _chart(layers: Layers) -> CurveChart:
    def panel(title: str, unit: str, field: str) -> Panel:
        curves = ((each, layers[each, DISMISSED]) for each in STRATEGIES)
        return Panel(title, unit, tuple((each, _points(found, field)) for each, found in curves))

    return CurveChart(
        "Pages with comments, on webs whose posts link each other",
        "layer",
        (
            panel("Harvest", "share of the layer", "harvest"),
            panel("Harvest on external pages", "share of the layer", "external_harvest"),
            panel("External pages", "share of the layer", "external_share"),
            panel("Domains with comments", "domains so far", "domains"),
        ),
    )


def _points(layers: Sequence[Found], field: str) -> tuple[tuple[float, float], ...]:
    return tuple((float(one.labels.number), float(getattr(one.labels, field))) for one in layers[1:])
