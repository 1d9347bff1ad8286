"""`opilio control DIR COMMAND`: talks to a crawl that runs in another process."""

from typing import Annotated

import typer

from .options import Folder


def control(
    folder: Folder,
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
