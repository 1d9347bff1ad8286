"""The experiment as a picture: for each crawl a bar of its pages by site, and the paper's below it. It needs matplotlib."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from .experiment import SITES, Run

_COLOURS: Final = ("#e8770c", "#5b9bc9", "#d64a4b", "#2f5b8a")  # by SITES: cats warm, technology cool
_NAMES: Final = ("English cats", "English technology", "German cats", "German technology")
_MIN_PERCENT: Final = 5  # for a figure to fit into its part of the bar


def draw_experiment(runs: Sequence[Run], path: Path) -> bool:
    """Writes a PNG. Returns False where matplotlib is not installed."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError:
        return False
    figure = Figure(figsize=(9, 1.6 + 1.05 * len(runs)), layout="constrained")
    FigureCanvasAgg(figure)  # without pyplot there is no global state and no window
    axes = figure.add_subplot()
    rows = [bar for number, run in enumerate(runs) for bar in _bars(number, run)]
    left = [0.0] * len(rows)
    for site, name in enumerate(_NAMES):
        shares = [bar[2][site] for bar in rows]
        drawn = axes.barh(
            [bar[0] for bar in rows], shares, height=[bar[1] for bar in rows], left=left, color=_COLOURS[site],
            label=name, edgecolor="white",
        )  # fmt: skip
        axes.bar_label(
            drawn,
            [f"{share:.0f}" if share >= _MIN_PERCENT else "" for share in shares],
            label_type="center",
            color="white",
        )
        left = [before + share for before, share in zip(left, shares, strict=True)]
    axes.set_yticks([bar[0] for bar in rows], [bar[3] for bar in rows])
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("percent of the downloaded pages")
    figure.suptitle("Focus by one article: where the pages come from", x=0.01, ha="left", fontweight="bold")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.legend(ncols=len(SITES), loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)
    return True


def _bars(number: int, run: Run) -> list[tuple[float, float, list[float], str]]:
    """Returns our bar and the paper's: place, thickness, percent by site, name."""
    all_pages = sum(run.pages) or 1
    ours = [100 * pages / all_pages for pages in run.pages]
    paper = [float(figure) for figure in run.setting.paper]
    return [(number, 0.5, ours, f"focus: {run.setting.title}" if run.setting.site else run.setting.title),
            (number + 0.4, 0.22, paper, "in the paper")]  # fmt: skip
