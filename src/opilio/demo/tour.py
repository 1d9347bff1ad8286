"""The output of `opilio demo`: the experiment's table beside the paper's, or the whole demo web; and what to try next."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from opilio.core.outcome import Drop
from opilio.folder import CrawlFolder, View
from opilio.ops.watching import Watch
from opilio.report.tables import printable
from opilio.webs.server import LoopbackServer

from .experiment import SITES, Run, crawl, web_tables

_TITLE: Final = "Downloaded pages by site, and the figures of Remus & Biemann (2016)"
_NAMES: Final = {"cats": "cats", "tech": "technology", "en": "English", "de": "German"}


def crawl_all(folder: CrawlFolder, watch: Watch | None = None) -> str:
    """Crawls the whole demo web, without a focus. Returns why the crawl stopped."""
    with LoopbackServer("demo") as server:
        return crawl(folder, web_tables(server), "breadth-first", watch)


def show_experiment(runs: Sequence[Run], folder: Path, console: Console) -> None:
    console.print(
        f"Four sites on this machine, crawled three times for {max(sum(run.pages) for run in runs):,} pages. "
        "The focus is one article on cats, which none of the sites holds.\n",
        highlight=False,
    )
    console.print(downloads(runs))
    for line in gains(runs):
        console.print(line, highlight=False)
    console.print(f"\nThe corpora lie in {folder}. Try next:", highlight=False)
    for command in _commands(runs, folder):
        console.print(f"  {command}", markup=False, highlight=False, soft_wrap=True)


def show_all(path: Path, reason: str, console: Console) -> None:
    folder = CrawlFolder(path)
    with View(folder) as view:
        console.print(_sites(view))
        console.print(
            f"\nThe crawl stopped: {reason}. The corpus lies in {folder.path}; three of its documents:", highlight=False
        )
        for record in islice(view.documents, 5, 300, 99):
            beginning = " ".join(record.text[:90].split())
            console.print(
                f"  {record.title} ({record.language}): {beginning}…", markup=False, highlight=False, soft_wrap=True
            )
    console.print("\nTry next:")
    for command in (f"opilio status {folder.path}", *_why(folder, Drop.DUPLICATE), _export(folder)):
        console.print(f"  {command}", markup=False, highlight=False, soft_wrap=True)


def downloads(runs: Sequence[Run]) -> Table:
    table = Table(title=_TITLE, title_justify="left", title_style="bold")
    table.add_column("focus of the crawl")
    for site in SITES:
        topic, language = site.split(".")
        table.add_column(f"{_NAMES[language]}\n{_NAMES[topic]}", justify="right", min_width=7)
    for run in runs:
        cells = [
            Text(str(pages), style="bold green" if site == run.setting.site else "bold")
            for site, pages in zip(SITES, run.pages, strict=True)
        ]
        table.add_row(Text(run.setting.title, style="bold"), *cells)
        table.add_row("  in the paper", *map(str, run.setting.paper), style="dim", end_section=True)
    return table


def gains(runs: Sequence[Run]) -> Iterator[str]:
    """Compares the tokens kept from the site that a crawl should stay on with those of the crawl without a focus."""
    plain = runs[0]
    for run in runs[1:]:
        site = run.setting.site
        words, before = run.at(run.words, site), plain.at(plain.words, site)
        times = f", {words / before:.1f} times as many" if before else ""
        yield f"{run.setting.title}: {words:,} tokens kept from that site, without a focus {before:,}{times}."


def _commands(runs: Sequence[Run], folder: Path) -> Iterator[str]:
    last = runs[-1].folder
    yield f"opilio status {last.path}"
    yield from _why(last, Drop.NOT_RELEVANT)
    yield from _why(last, Drop.DUPLICATE)
    yield f"opilio judge try {last.path} {folder / 'cat.de.txt'} {folder / 'cat.en.txt'}"
    yield _export(last)
    yield "opilio demo --pages 0"


def _why(folder: CrawlFolder, drop: Drop) -> Iterator[str]:
    with View(folder) as view:
        for found in islice(view.links.dropped(drop), 1):
            yield f"opilio why {folder.path} '{printable(found.link.url)}'"


def _export(folder: CrawlFolder) -> str:
    return f"opilio export {folder.path} --format jsonl -o demo.jsonl"


def _sites(view: View) -> Table:
    table = Table(title="What came out of the demo web", title_justify="left")
    for name in ("site", "pages fetched", "documents kept", "tokens", "dropped, and why"):
        table.add_column(name, justify="left" if name in ("site", "dropped, and why") else "right")
    for site in view.sites():
        why = ", ".join(f"{drop.replace('_', ' ')} {count}" for drop, count in islice(site.drops.items(), 4))
        table.add_row(site.host, f"{site.fetched:,}", f"{site.kept:,}", f"{site.words:,}", why)
    return table
