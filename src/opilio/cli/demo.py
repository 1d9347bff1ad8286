"""`opilio demo`: the embedded web on loopback, crawled for real, with and without a focus."""

from pathlib import Path
from typing import Annotated

import typer


def demo(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where the corpora go; DIR-2 and so on if it is taken.")
    ] = Path("opilio-demo"),
    pages: Annotated[
        int, typer.Option(min=0, help="Pages of each crawl; 0: one crawl of the whole demo web, without a focus.")
    ] = 100,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Serve the embedded demo web on loopback, crawl it with and without a focus, and show what came out.

    Example: opilio demo
    """
    tries = (folder.with_name(f"{folder.name}-{number}") for number in range(2, 1000))
    while _taken(folder):
        folder = next(tries)
    if pages:
        _experiment(folder, pages, quiet=quiet)
    else:
        _everything(folder, quiet=quiet)


def _taken(folder: Path) -> bool:
    return folder.exists() and any(folder.iterdir())


def _experiment(folder: Path, pages: int, *, quiet: bool) -> None:
    from rich.console import Console

    from opilio.demo.experiment import SETTINGS, STOPPED, Run, run_experiment
    from opilio.demo.picture import draw_experiment
    from opilio.demo.tour import show_experiment

    words = Console(stderr=True, quiet=quiet, highlight=False)
    runs: list[Run] = []
    with words.status("") as status:
        status.update(f"Crawling {pages:,} pages: {SETTINGS[0].title} (1 of {len(SETTINGS)})")
        for number, run in enumerate(run_experiment(folder, pages), 1):
            runs.append(run)
            if number < len(SETTINGS):
                status.update(f"Crawling {pages:,} pages: {SETTINGS[number].title} ({number + 1} of {len(SETTINGS)})")
    if runs[-1].reason == STOPPED:
        raise typer.Exit(130)
    show_experiment(runs, folder, Console())
    drawn = draw_experiment(runs, folder / "focus.png")
    words.print(
        f"\nChart: {folder / 'focus.png'}" if drawn else '\nNo chart: it needs pip install "opilio[charts]".',
        soft_wrap=True,
    )


def _everything(folder: Path, *, quiet: bool) -> None:
    from rich.console import Console

    from opilio.demo.tour import crawl_all, show_all
    from opilio.folder import CrawlFolder

    place = CrawlFolder(folder)
    show_all(place, crawl_all(place, quiet=quiet), Console())
