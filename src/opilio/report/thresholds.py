"""Thresholds and perplexities as tables and as a picture, for `opilio tune` and `opilio pilot`."""

from collections.abc import Sequence
from math import floor, log10
from pathlib import Path
from typing import Final

from rich.table import Table
from rich.text import Text

from opilio.folder import Thresholds
from opilio.folder.thresholds import BUCKETS

_BARS: Final = 40
_BINS_PER_POWER: Final = 8


def thresholds_table(now: Thresholds) -> Table:
    table = Table(title="Links, by the best page that they stand on", title_justify="left", box=None, padding=(0, 2))
    for name in ("bucket", "perplexity", "links waiting"):
        table.add_column(name, justify="right" if name != "bucket" else "left")
    for name, bound in zip(BUCKETS, (now.high, now.medium, now.cut), strict=True):
        table.add_row(name, f"up to {bound:,.0f}" if bound else "any", f"{now.queued[name]:,}")
    table.add_row("dropped", f"above {now.cut:,.0f}" if now.cut else "none", f"{now.below_cut:,}")
    return table


def belonging(now: Thresholds) -> str:
    rule = f"from probability {now.threshold:g} on"
    if now.max_perplexity:
        rule = f"up to perplexity {now.max_perplexity:,.0f}"
    return f"Pages belong {rule}: {now.belong:,} of {now.judged:,} judged so far."


def histogram(perplexities: Sequence[float], belongs: Sequence[bool]) -> Table:
    """Returns bars of pages by perplexity, eight per power of ten; pages that belong are drawn solid."""
    table = Table(title="Perplexities of the pages met", title_justify="left", box=None, padding=(0, 1))
    table.add_column("perplexity", justify="right")
    table.add_column("pages", justify="right")
    table.add_column("█ belongs  ░ does not", justify="left")
    bins: dict[int, list[int]] = {}
    for perplexity, yes in zip(perplexities, belongs, strict=True):
        counts = bins.setdefault(floor(log10(perplexity) * _BINS_PER_POWER), [0, 0])
        counts[not yes] += 1
    most = max((sum(counts) for counts in bins.values()), default=1)
    before = min(bins, default=0)
    for place in sorted(bins):
        solid, light = (round(count / most * _BARS) for count in bins[place])
        if place - before > 1:
            table.add_row("…", "", "")
        before = place
        table.add_row(
            f"{10 ** (place / _BINS_PER_POWER):,.0f}", f"{sum(bins[place]):,}", Text("█" * solid + "░" * light)
        )
    return table


def draw_histogram(
    perplexities: Sequence[float], belongs: Sequence[bool], marks: Sequence[tuple[str, float]], path: Path
) -> bool:
    """Draws a PNG with the proposed bounds. Returns False where matplotlib is not installed."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError:
        return False
    figure = Figure(figsize=(8, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    powers = [
        [log10(value) for value, yes in zip(perplexities, belongs, strict=True) if yes is wanted]
        for wanted in (True, False)
    ]
    edges = [place / _BINS_PER_POWER for place in range(7 * _BINS_PER_POWER + 1)]
    axes.hist(powers, bins=edges, stacked=True, label=["belongs", "does not"], color=["#f58518", "#4c78a8"])
    for name, bound in marks:
        axes.axvline(log10(bound), color="#444444", linestyle="--")
        axes.annotate(
            f" {name} {bound:,.0f}", (log10(bound), 1.0), xycoords=("data", "axes fraction"), va="top", rotation=90
        )
    everything = [*powers[0], *powers[1], *(log10(bound) for _, bound in marks)]
    axes.set_xlim(min(everything) - 0.2, max(everything) + 0.2)
    axes.xaxis.set_major_formatter(lambda power, _place: f"{10**power:,.0f}")
    axes.set_xlabel("perplexity under the model of the samples")
    axes.set_ylabel("pages")
    axes.set_title("Perplexities of the pages that the pilot met", loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)
    return True
