"""`opilio pages DIR`: lists the pages that a crawl has stored."""

from typing import Annotated

import typer

from .options import AsJson, Folder, Where


def pages(
    folder: Folder,
    refused: Annotated[bool, typer.Option("--refused", help="Only pages that are not in the corpus.")] = False,
    kept: Annotated[bool, typer.Option("--kept", help="Only pages of the corpus.")] = False,
    near: Annotated[bool, typer.Option("--near", help="First those nearest to the judge's line.")] = False,
    latest: Annotated[bool, typer.Option("--latest", help="First those fetched last.")] = False,
    host: Annotated[str, typer.Option(help="Only pages of this host.")] = "",
    language: Annotated[str, typer.Option(help="Only pages in this language, such as de.")] = "",
    where: Where = "",
    sort: Annotated[str, typer.Option(metavar="FIELD", help="The order: score if not given, tokens, title, …")] = "",
    limit: Annotated[int, typer.Option(min=0, help="How many are listed; 0: all.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List stored pages, kept or not, with score, verdict, title and why; the crawl may be running.

    Example: opilio pages my-corpus --refused --where 'score > 0.3 and tokens > 200'
    """
    import msgspec
    from rich.console import Console

    from opilio.ops.pages import pages as look
    from opilio.report.pages import page_lines

    found = look(
        folder, refused=refused, kept=kept, near=near, latest=latest, host=host, language=language, where=where, sort=sort,
        limit=limit,
    )  # fmt: skip
    if as_json:
        typer.echo(msgspec.json.encode(found).decode())
        return
    if not found:
        typer.echo(f"opilio: {folder} has stored no such page.", err=True)
        return
    console = Console(highlight=False)
    for line in page_lines(found, console.width):
        console.print(line, soft_wrap=True)
