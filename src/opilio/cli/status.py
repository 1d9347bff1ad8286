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
    from rich.text import Text

    from opilio.report.standing import standing

    console = Console(highlight=False)
    for part in standing(facts, console.width):
        console.print(part, soft_wrap=isinstance(part, Text))
