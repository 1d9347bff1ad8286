"""`opilio control DIR COMMAND`: talks to a crawl that runs in another process."""

from pathlib import Path
from typing import Annotated

import typer


def control(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The crawl's folder.")],
    command: Annotated[str, typer.Argument(help="pause, resume, stop, status or set.")],
    settings: Annotated[
        list[str] | None, typer.Argument(metavar="KEY=VALUE…", help="With set: what to change.")
    ] = None,
) -> None:
    """Pause, resume, stop or change a running crawl, and print how it stands as JSON.

    Example: opilio control my-corpus set fetch.delay_s=5
    """
    import msgspec

    from opilio.ops.control import control as send

    answer = send(folder, command, settings or ())
    typer.echo(msgspec.json.format(msgspec.json.encode(answer)).decode())
