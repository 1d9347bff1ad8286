"""`opilio demo`: the embedded web on loopback, crawled for real, with and without a focus."""

from pathlib import Path
from typing import Annotated

import typer

from .options import Quiet


def demo(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where the corpora go; if it is not empty, DIR-2 and so on.")
    ] = Path("opilio-demo"),
    pages: Annotated[
        int, typer.Option(min=0, help="Pages per crawl; 0: one crawl of the whole demo web, without a focus.")
    ] = 100,
    quiet: Quiet = False,
) -> None:
    """Serve the embedded demo web on loopback, crawl it with and without a focus, and show what came out.

    Example: opilio demo
    """
    from rich.console import Console

    from opilio import demo as verbs
    from opilio.demo.experiment import SETTINGS
    from opilio.demo.picture import draw_experiment
    from opilio.demo.tour import show_all, show_experiment

    from .foreground import Foreground

    words = Console(stderr=True, quiet=quiet, highlight=False)
    if not pages:
        done = verbs.run(folder, 0, watch=Foreground(quiet=quiet))
        show_all(done.folder, done.reason, Console())
        return
    with words.status("") as status:

        def show(title: str, number: int) -> None:
            status.update(f"Crawling {pages:,} pages: {title} ({number} of {len(SETTINGS)})")

        done = verbs.run(folder, pages, progress=show)
    if done.stopped:
        raise typer.Exit(130)
    show_experiment(done.runs, done.folder, Console())
    picture = done.folder / "focus.png"
    drawn = draw_experiment(done.runs, picture)
    words.print(
        f"\nChart: {picture}" if drawn else '\nNo chart: it needs pip install "opilio[charts]".', soft_wrap=True
    )
