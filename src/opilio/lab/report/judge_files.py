"""Writes the result of `lab judge`: JSON with everything, CSV with a line per run, and a chart.

JSON and CSV depend on the result alone: the same runs give the same bytes."""

from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from opilio.lab.verdicts.experiment import JudgeResult
from opilio.lab.verdicts.job import JudgeRun
from opilio.lab.verdicts.summary import differences, falls, groups, summarise

from .charts import COLOURS, save_chart
from .files import csv_of, json_bytes, writing_file, writing_folder

_LONG_FIELDS: Final = frozenset({"samples", "kept_pages", "meeting", "way", "bins"})


def write_judge_json(result: JudgeResult, path: Path) -> None:
    with writing_file(path):
        path.write_bytes(judge_json(result))


def write_judge_result(result: JudgeResult, folder: Path) -> None:
    with writing_folder(folder):
        (folder / "judge.json").write_bytes(judge_json(result))
        (folder / "runs.csv").write_text(judge_csv(result), "utf-8")
        for web in dict.fromkeys(run.web for run in result.runs):
            own = [run for run in result.runs if run.web == web]
            save_chart(folder / f"{web}-verdicts.png", partial(_draw, runs=own))


def judge_json(result: JudgeResult) -> bytes:
    """Returns everything but which pages were kept, which would be most of the file."""
    shown: dict[str, Any] = msgspec.to_builtins(result)
    for run in shown["runs"]:
        del run["kept_pages"]
    more = {"means": summarise(result.runs), "differences": [*differences(result.runs)], "falls": [*falls(result.runs)]}
    return json_bytes(shown | msgspec.to_builtins(more))


def judge_csv(result: JudgeResult) -> str:
    names = [field.name for field in msgspec.structs.fields(JudgeRun) if field.name not in _LONG_FIELDS]
    rows = [[run.way.name, run.meeting.f1, *(getattr(run, name) for name in names)] for run in result.runs]
    return csv_of(["way", "meeting_f1", *names], rows)


def _draw(axes: Any, runs: list[JudgeRun]) -> None:
    """Draws a bar for F1 of each way, a mark for the best line, and a point for each topic."""
    found = groups(runs)
    lines = {line.group: line for line in summarise(runs)}
    names = [f"{group.way.name}\n{group.recipe}" for group in found]
    for place, (group, own) in enumerate(found.items()):
        figures = lines[group].figures
        colour = COLOURS[place % len(COLOURS)]
        axes.barh(place, figures["f1"].mean, color=colour, alpha=0.6, label="own line" if not place else None)
        axes.plot(*_mark(figures["best_f1"].mean, place), color="#111111", label="best line" if not place else None)
        points = [run.f1 for run in own]
        axes.scatter(points, [place] * len(points), s=9, color="#444444", zorder=3, label=None if place else "runs")
        axes.annotate(f"{figures['f1'].mean:.2f}", (0.005, place), va="center", fontsize="small")
    axes.set_yticks(range(len(names)), names, fontsize="small")
    axes.set_xlim(0, 1)
    axes.invert_yaxis()
    axes.set_xlabel("F1 of what the judge keeps of all pages")
    axes.set_title(f"{runs[0].web}: verdicts by samples", loc="left", fontsize="medium")
    axes.legend(frameon=False, fontsize="small", loc="lower right")


def _mark(value: float, place: int) -> tuple[list[float], list[float]]:
    return [value, value], [place - 0.4, place + 0.4]
