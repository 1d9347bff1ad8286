"""`opilio why DIR URL`: tells the story of a URL."""

from typing import Annotated

import typer

from .options import AsJson, Folder


def why(
    folder: Folder,
    url: Annotated[str, typer.Argument(help="Any URL, met by the crawl or not.")],
    as_json: AsJson = False,
) -> None:
    """Tell the whole story of a URL: its verdict and why, where it was found, its score, when it was fetched, what to do next.

    Example: opilio why my-corpus https://example.org/page
    """
    import msgspec
    from rich.console import Console

    from opilio.ops.why import why as tell
    from opilio.report.why import why_lines

    steps = tell(folder, url)
    if as_json:
        typer.echo(msgspec.json.encode([{"step": step, "words": words} for step, words in steps]).decode())
        return
    console = Console(highlight=False)
    for line in why_lines(steps, console.width):
        console.print(line, soft_wrap=True)
