"""An experiment as a single HTML page: tables, embedded charts, and what went wrong.

All text is escaped, because URLs and labels come from recorded pages."""

import base64
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final

from opilio.lab.experiment import Result
from opilio.lab.protocol import Run
from opilio.lab.summary import mean_of, summarise

from .columns import HARVEST_AT_R
from .conditions import conditions
from .table import RULE, Cell, Section, by_web, cell_of, cells, judges, sections

_STYLE: Final = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
th { white-space: normal; vertical-align: bottom; }
td.best { font-weight: bold; background: #fff3e0; }
img { max-width: 100%; }
p.legend { font-size: 13px; color: #555; }
"""
_PROTOCOL: Final = (
    "A crawl starts at a relevant page, gets some as samples, and has a budget of R fetches unless stated otherwise."
)


def page(result: Result, charts: Sequence[Path]) -> str:
    return "".join(_parts(result, charts))


def _parts(result: Result, charts: Sequence[Path]) -> Iterator[str]:
    yield f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Opilio lab</title><style>{_STYLE}</style>'
    yield f"<h1>Strategies compared</h1><p>{_PROTOCOL} {RULE}</p>"
    if result.gold:
        yield "<p>Judges were given the labels: this is what a perfect judge would reach.</p>"
    if result.flip:
        yield f"<p>{result.flip:.0%} of the judges' verdicts were reversed at random.</p>"
    for note in (*result.notes, *(f"{each.recipe} on {each.topic}: {each.reason}" for each in result.failures)):
        yield f"<p>Note: {escape(note)}</p>"
    lines = summarise(result.runs, result.against, result.costs)
    for web, own in by_web(lines).items():
        yield f"<h2>{escape(web)}</h2>"
        for section in sections(own):
            yield from _means(section, conditions(result))
        yield from (_picture(chart) for chart in charts if chart.stem.rpartition("-")[0] == web)
        yield from _by_topic([run for run in result.runs if run.web == web])
    if not charts:
        yield "<p>There are no charts: they need the extra “charts” of the package.</p>"


def _means(section: Section, made: str) -> Iterator[str]:
    yield f"<h3>{escape(section.title)}</h3><p>{escape(made)}</p>"
    headings = (Cell(column.heading) for column in section.columns)
    yield f"<table>{_row('th', [Cell('recipe'), Cell('judge'), *headings])}"
    for line in section.lines:
        yield _row("td", [Cell(line.recipe), Cell(judges(line)), *cells(line, section)])
    yield f"</table><p class=legend>{'<br>'.join(map(escape, section.legend))}</p>"


def _by_topic(runs: Sequence[Run]) -> Iterator[str]:
    recipes = list(dict.fromkeys(run.recipe for run in runs))
    yield f"<h3>Harvest at R by topic</h3><table>{_row('th', list(map(Cell, ['topic', 'R', *recipes])))}"
    for topic in dict.fromkeys(run.topic for run in runs):
        own = [run for run in runs if run.topic == topic]
        means = [mean_of([(topic, run.harvest_at_r) for run in own if run.recipe == recipe]) for recipe in recipes]
        yield _row("td", [Cell(topic), Cell(f"{own[0].relevant:,}"), *(cell_of(mean, HARVEST_AT_R) for mean in means)])
    yield "</table>"


def _row(tag: str, values: Sequence[Cell]) -> str:
    return f"<tr>{''.join(_cell(tag, value) for value in values)}</tr>"


def _cell(tag: str, value: Cell) -> str:
    best = ' class="best"' if value.best else ""
    return f"<{tag}{best}>{escape(f'{value.mean} {value.error}'.strip())}</{tag}>"


def _picture(chart: Path) -> str:
    data = base64.b64encode(chart.read_bytes()).decode()
    return f'<p><img alt="{escape(chart.stem)}" src="data:image/png;base64,{data}"></p>'
