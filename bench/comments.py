"""Pages with comments: how well the judge recognizes them, and how many of them each strategy finds, layer by layer.

The judge is cross-validated on `gold/comments.jsonl.gz` of OPILIO_DATA, if that exists. The strategies are OPIC+COMMD,
COMMD and breadth first on made webs, each over ten layers of one page in a hundred of the web, judged by the labels.
Goals are about crawls that begin at the seeds of the web, the home pages of popular hosts; the table also has crawls
that begin at twenty pages with comments. Forum engines never say "comment", so the judge is told the two words of those
that the web knows.
"""

import os
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from opilio.core.config import load_config
from opilio.judge.comment_examples import read_examples
from opilio.judge.comment_training import cross_validate
from opilio.lab.labels import read_labels
from opilio.lab.layers import SETTINGS, Layer, Visited, crawl_by_layers, measure_layers, shared
from opilio.lab.maker import Library, Parameters, make_web
from opilio.lab.shelf import Shelf

from . import Goal, Progress, Report
from .chart import CurveChart, Panel
from .form import Cell

_LAYERS: Final = 10
_FORUMS: Final = 'judge.keywords=["postbody", "postcontent"]'  # phpBB, vBulletin
_PLAIN: Final = "breadth first"
_STRATEGIES: Final = {
    "OPIC+COMMD": ("comments", _FORUMS),
    "COMMD": ("comments-hard", _FORUMS),
    _PLAIN: ("breadth-first", "policy.wave=layer"),
}
_HOMES: Final = "homes"
_COMMENT_PAGES: Final = "comment pages"
_COMMENT_PAGE_SEEDS: Final = 20
_FOLDS: Final = 5
_DIVISIONS: Final = 5
_COLUMNS: Final = (
    "strategy", "seeds", "layer", "fetched", "harvest", "external share", "external harvest", "domains",
)  # fmt: skip


class Outcome(NamedTuple):
    """What one strategy found on one web."""

    layers: list[Layer]
    pages: frozenset[str]  # with comments, that were fetched
    domains: frozenset[str]


Outcomes = dict[tuple[str, str], list[Outcome]]  # by strategy and seeds, one for each web


def run(pages: int = 30_000, rounds: int = 3, seed: int = 7, progress: Progress | None = None) -> Report:
    """`rounds` webs of that many pages, made with the seeds `seed`, `seed` + 1 and so on."""
    outcomes: Outcomes = defaultdict(list)
    library = Library.find()
    for number in range(rounds):
        with tempfile.TemporaryDirectory(prefix="opilio-comments-") as name:
            _explore(
                Path(name),
                Parameters(pages=pages, domains=max(pages // 100, 12), seed=seed + number),
                library,
                outcomes,
            )
        if progress is not None:
            progress(number + 1, rounds)
    layers = {key: _by_layer(found) for key, found in outcomes.items()}
    return Report(
        "comments",
        _COLUMNS,
        [row for (strategy, seeds), found in layers.items() for row in _rows(strategy, seeds, found)],
        [*_judge_goals(), *_harvest_goals(layers)],
        [*_overlaps(outcomes), f"domains: mean of {rounds} webs; all else: sums over them, by the labels of the pages"],
        _chart(layers),
    )


def _explore(folder: Path, parameters: Parameters, library: Library, outcomes: Outcomes) -> None:
    warc = folder / "web.warc.gz"
    make_web(warc, parameters, library)
    shelf = Shelf(warc)
    relevant = read_labels(folder / "web.labels.tsv", shelf).relevant("type.comments")
    homes = (folder / "web.seeds.txt").read_text("utf-8").split()
    commented = Random(parameters.seed).sample(sorted(relevant), min(_COMMENT_PAGE_SEEDS, len(relevant)))
    for seeds, urls in ((_HOMES, homes), (_COMMENT_PAGES, commented)):
        for strategy, (recipe, setting) in _STRATEGIES.items():
            sizes = [f"policy.top={parameters.pages // 100}", f"stop.layers={_LAYERS}"]
            config = load_config(recipe=recipe, settings=[*SETTINGS, *sizes, setting])
            with tempfile.TemporaryDirectory(dir=folder) as name:
                visited = crawl_by_layers(config, Path(name), shelf, urls)
            outcomes[strategy, seeds].append(_outcome(visited, relevant, urls))


def _outcome(visited: Sequence[Visited], relevant: frozenset[str], seeds: Sequence[str]) -> Outcome:
    good = [one for one in visited if one.url in relevant]
    return Outcome(
        measure_layers(visited, relevant, seeds),
        frozenset(one.url for one in good),
        frozenset(one.domain for one in good),
    )


def _by_layer(found: Sequence[Outcome]) -> list[Layer]:
    """Sums over all webs; a crawl that ended early adds nothing to later layers."""
    layers = [layer for one in found for layer in one.layers]
    last = max(layer.number for layer in layers)
    return [_sum([layer for layer in layers if layer.number == number]) for number in range(last + 1)]


def _sum(layers: Sequence[Layer]) -> Layer:
    """Puts the same layer of several webs together; domains are averaged."""
    domains = round(sum(layer.domains for layer in layers) / len(layers))
    return Layer(layers[0].number, *_counts(layers), domains)


def _counts(layers: Sequence[Layer]) -> tuple[int, int, int, int]:
    fields = zip(*layers, strict=True)
    _, fetched, relevant, external, external_relevant, _ = map(sum, fields)
    return fetched, relevant, external, external_relevant


def _rows(strategy: str, seeds: str, layers: Sequence[Layer]) -> list[list[Cell]]:
    """Lists all layers of the crawls that the goals are about, the last layer of the others, and each crawl as a whole."""
    shown = [(f"{layer.number}", layer) for layer in (layers[1:] if seeds == _HOMES else layers[-1:])]
    shown.append(("all", Layer(0, *_counts(layers), layers[-1].domains)))
    return [
        [strategy, seeds, name, one.fetched, one.harvest, one.external_share, one.external_harvest, one.domains]
        for name, one in shown
    ]


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


def _harvest_goals(layers: dict[tuple[str, str], list[Layer]]) -> list[Goal]:
    plain = layers[_PLAIN, _HOMES][-1].harvest
    return [
        Goal(f"{each}, last layer", layers[each, _HOMES][-1].harvest / max(plain, 1e-9), 2.0, "times breadth first")
        for each in _STRATEGIES
        if each != _PLAIN
    ]


def _overlaps(outcomes: Outcomes) -> list[str]:
    notes = []
    for first, second in combinations(_STRATEGIES, 2):
        pairs = list(zip(outcomes[first, _HOMES], outcomes[second, _HOMES], strict=True))
        pages = [(shared(one.pages, other.pages), shared(other.pages, one.pages)) for one, other in pairs]
        domains = [(shared(one.domains, other.domains), shared(other.domains, one.domains)) for one, other in pairs]
        notes.append(
            f"what {first} found was also found by {second}: {_means(pages)} of the pages and {_means(domains)} of the domains "
            "(in brackets: the other way round)"
        )
    return notes


def _means(pairs: Sequence[tuple[float, float]]) -> str:
    there, back = (sum(shares) / len(pairs) for shares in zip(*pairs, strict=True))
    return f"{there:.0%} ({back:.0%})"


def _chart(layers: dict[tuple[str, str], list[Layer]]) -> CurveChart:
    def panel(title: str, unit: str, field: str) -> Panel:
        curves = ((each, layers[each, _HOMES]) for each in _STRATEGIES)
        return Panel(title, unit, tuple((each, _points(found, field)) for each, found in curves))

    return CurveChart(
        "Pages with comments on made webs",
        "layer",
        (
            panel("Harvest", "share of the layer", "harvest"),
            panel("Harvest on external pages", "share of the layer", "external_harvest"),
            panel("External pages", "share of the layer", "external_share"),
            panel("Domains with comments", "domains so far", "domains"),
        ),
    )


def _points(layers: Sequence[Layer], field: str) -> tuple[tuple[float, float], ...]:
    return tuple((float(layer.number), float(getattr(layer, field))) for layer in layers[1:])
