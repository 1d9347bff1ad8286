"""`opilio demo`: the embedded web on loopback, crawled for real."""

from pathlib import Path
from typing import Annotated

import typer


def demo(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where the corpus goes; DIR-2 and so on if it is taken.")
    ] = Path("opilio-demo"),
    pages: Annotated[int, typer.Option(help="Stop after this many pages; 0: crawl it all.")] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Serve the embedded demo web on loopback, crawl it and show what came out.

    Example: opilio demo
    """
    from rich.console import Console

    from opilio.core.database import open_readonly
    from opilio.demo.tour import crawl_demo, show_demo
    from opilio.flow import CrawlFolder

    place = CrawlFolder(folder)
    tries = (CrawlFolder(folder.with_name(f"{folder.name}-{number}")) for number in range(2, 1000))
    while place.database.exists():
        place = next(tries)
    reason = crawl_demo(place, pages, quiet=quiet)
    connection = open_readonly(place.database)
    show_demo(connection, place, reason, Console())
    connection.close()
