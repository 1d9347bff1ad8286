"""What a scout has found, for the terminal: the list of a directory, its figures, and a chart of its languages."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from opilio.core.languages import language_name
from opilio.core.outcome import Drop
from opilio.discover.entries import Entry
from opilio.discover.statistics import Statistics

from .tables import printable

_MOST_LANGUAGES: Final = 8  # in a row or a chart; the others are summed up
_COLOURS: Final = ("#4c78a8", "#f58518", "#54a24b", "#e45756", "#b279a2", "#9d755d", "#72b7b2", "#eeca3b", "#bab0ac")


def entry_table(entries: Sequence[Entry]) -> Table:
    table = _table("expected", "language", "tokens", "out", "in", "sources", "URL", left=(1, 5, 6))
    for entry in entries:
        state = "" if entry.is_viable else f"  ({_state(entry)})"
        table.add_row(
            f"{entry.expected:.2f}", f"{entry.language} {entry.confidence:.2f}", f"{entry.tokens:,}", f"{entry.out_links:,}",
            f"{entry.indegree:,}", Text(printable(_names(entry.sources))), Text(printable(entry.url + state), overflow="fold"),
        )  # fmt: skip
    return table


def statistics_tables(found: Statistics) -> Iterator[RenderableType]:
    yield _sources(found)
    yield _languages(found)
    if found.groups:
        yield _groups(found)
    for title, counts in (("Never a seed, and why", found.drops), ("Set apart, and why", found.apart)):
        if counts:
            yield _counts(title, counts)


def audit_table(rejected: Mapping[str, int], everything: Mapping[str, int]) -> Table:
    table = _table("language", "behind rejected messages", "behind all links", title="Audit", left=(0,))
    for code in [*everything, *(code for code in rejected if code not in everything)]:
        shares = (f"{counts.get(code, 0):,} ({_share(counts, code)})" for counts in (rejected, everything))
        table.add_row(_language(code), *shares)
    return table


def draw_languages(found: Statistics, path: Path) -> bool:
    """Draws the languages of each source as bars. Returns False where matplotlib is not installed."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError:
        return False
    sources = list(dict.fromkeys(row.source for row in found.languages))
    figure = Figure(figsize=(9, 1.4 + 0.5 * len(sources)), layout="constrained")
    FigureCanvasAgg(figure)  # without pyplot there is no global state and no window
    axes = figure.add_subplot()
    left = [0.0] * len(sources)
    for place, (name, shares) in enumerate(_bars(found, sources).items()):
        axes.barh(sources, shares, left=left, color=_COLOURS[place % len(_COLOURS)], label=name, edgecolor="white")
        left = [before + share for before, share in zip(left, shares, strict=True)]
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("percent of the retained pages")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.legend(ncols=5, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)
    figure.savefig(path, format="png", dpi=120, metadata={"Software": None})
    return True


def _bars(found: Statistics, sources: Sequence[str]) -> dict[str, list[float]]:
    """Returns percents by source for the most frequent languages, and for all others together."""
    retained: dict[str, int] = {}
    for row in found.languages:
        retained[row.language] = max(retained.get(row.language, 0), row.retained)
    most = sorted(retained, key=lambda code: (-retained[code], code))[:_MOST_LANGUAGES]
    shares = {(row.source, row.language): 100 * row.share for row in found.languages}
    bars = {_language(code): [shares.get((source, code), 0.0) for source in sources] for code in most}
    others = [max(0.0, 100 - sum(bar[place] for bar in bars.values())) for place in range(len(sources))]
    return bars if max(others, default=0.0) < 0.05 else {**bars, "others": others}


def _sources(found: Statistics) -> Table:
    table = _table(
        "source", "found", "drops", "probed", "seeds", "in target", "mean chars", "median", "tokens", "unique IPs",
        "own domains", title="Sources",
    )  # fmt: skip
    for row in found.sources:
        table.add_row(
            Text(printable(row.source)), f"{row.found:,}", f"{row.dropped:,}", f"{row.analysed:,}", f"{row.retained:,}",
            f"{row.in_target:.1%}", f"{row.mean_chars:,.0f}", f"{row.median_chars:,.0f}", f"{row.tokens:,}",
            f"{row.different_addresses:.1%}", f"{row.own_domains:,}",
        )  # fmt: skip
    return table


def _languages(found: Statistics) -> Table:
    names = ("source", "language", "seeds", "share", "mean chars", "median", "tokens", "unique IPs")
    table = _table(*names, title="Languages by source", left=(0, 1))
    before = ""
    for row in found.languages:
        table.add_row(
            Text("" if row.source == before else printable(row.source)), _language(row.language), f"{row.retained:,}",
            f"{row.share:.1%}", f"{row.mean_chars:,.0f}", f"{row.median_chars:,.0f}", f"{row.tokens:,}",
            f"{row.different_addresses:.1%}",
        )  # fmt: skip
        before = row.source
    return table


def _groups(found: Statistics) -> Table:
    table = _table(
        "source", "mentions", "links", "probed", "languages behind them", title="Kinds of mention", left=(0, 1, 4)
    )
    for row in found.groups:
        most = list(row.languages.items())[:_MOST_LANGUAGES]
        shares = ", ".join(f"{code} {share:.1%}" for code, share in most) or "nothing probed yet"
        table.add_row(
            Text(printable(row.source)), Text(printable(row.group)), f"{row.links:,}", f"{row.analysed:,}", shares
        )
    return table


def _counts(title: str, counts: Mapping[str, int]) -> Table:
    table = _table("reason", "URLs", title=title)
    for reason, count in counts.items():
        table.add_row(Drop(reason).words if reason in _DROPS else reason, f"{count:,}")
    return table


def _table(*names: str, title: str | None = None, left: Sequence[int] = (0,)) -> Table:
    table = Table(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0), min_width=len(title or ""))
    for place, name in enumerate(names):
        table.add_column(name, justify="left" if place in left else "right", overflow="fold")
    return table


def _names(sources: Sequence[str]) -> str:
    """Returns the sources without what each was told to read, which may be long."""
    return ", ".join(dict.fromkeys(source.partition("=")[0] for source in sources))


def _state(entry: Entry) -> str:
    return entry.drop.words if entry.drop else entry.apart or entry.state


def _share(counts: Mapping[str, int], code: str) -> str:
    return f"{counts.get(code, 0) / (sum(counts.values()) or 1):.1%}"


def _language(code: str) -> str:
    return language_name(code) if code else "unknown"


_DROPS: Final = frozenset(drop.value for drop in Drop)
