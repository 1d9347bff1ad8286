"""`opilio status DIR`: how a crawl stands, running or not."""

import typer

from .options import AsJson, Folder


def status(
    folder: Folder,
    as_json: AsJson = False,
) -> None:
    """Show how a crawl stands, even while it runs.

    Example: opilio status my-corpus --json
    """
    import msgspec

    from opilio.ops.status import status as look

    facts = look(folder)
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(facts)).decode())
        return
    from rich.console import Console

    from opilio.report.tables import standing_tables

    console = Console()
    for table in standing_tables(facts):
        console.print(table)
