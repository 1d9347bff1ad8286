"""`opilio why DIR URL`: tells the story of a URL."""

from typing import Annotated

import typer

from .options import AsJson, Folder


def why(
    folder: Folder,
    url: Annotated[str, typer.Argument(help="Any URL, met by the crawl or not.")],
    as_json: AsJson = False,
) -> None:
    """Tell the whole story of a URL: where it was found, its score, when it was fetched, its verdict, why it was dropped.

    Example: opilio why my-corpus https://example.org/page
    """
    import msgspec
    from rich.console import Console

    from opilio.ops.why import why as tell
    from opilio.report.tables import printable

    steps = tell(folder, url)
    if as_json:
        typer.echo(msgspec.json.encode([{"step": step, "words": words} for step, words in steps]).decode())
        return
    console = Console(highlight=False, soft_wrap=True)
    for step, words in steps:
        console.print(f"{step:>14}  {printable(words)}", markup=False)
