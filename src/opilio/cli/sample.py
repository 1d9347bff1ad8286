"""`opilio sample DIR`: draws a near-uniform sample of a web's pages or hosts by a random walk."""

from pathlib import Path
from typing import Annotated

import typer

from .options import Quiet, Seeds, Setting, Url, Web


def sample(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder of the walk; the same folder continues it.")
    ],
    pages: Annotated[int, typer.Option(min=1, help="How many pages to draw; with --hosts: hosts.")] = 100,
    hosts: Annotated[bool, typer.Option("--hosts", help="Draw hosts instead of pages.")] = False,
    read: Annotated[int, typer.Option(min=0, help="Pages to read on the walk; 0: ten for each page drawn.")] = 0,
    seeds: Seeds = None,
    url: Url = None,
    web: Web = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Where the sample goes; stdout if not given.")
    ] = None,
    setting: Setting = None,
    quiet: Quiet = False,
) -> None:
    """Draw a near-uniform sample of pages or hosts, by a random walk that is corrected for what it prefers.

    Example: opilio sample my-walk --pages 100 --seeds seeds.txt -o sample.txt
    """
    from opilio.ops.sample import MIN_READ_SHARE
    from opilio.ops.sample import sample as draw
    from opilio.ops.writing import output_path, writing

    from .foreground import Foreground

    place = output_path(output) if output else None
    drawn = draw(
        folder, pages, hosts=hosts, read=read, seeds=seeds or (), url=url or (), web=web or (), settings=setting or (),
        watch=Foreground(quiet=quiet),
    )  # fmt: skip
    lines = "".join(f"{name}\n" for name in drawn.names)
    if place is None:
        typer.echo(lines, nl=False)
    else:
        with writing(place):
            place.write_text(lines, "utf-8")
    typer.echo(
        f"Drew {len(drawn.names):,} of {drawn.read:,} pages read in {drawn.steps:,} steps. Stopped: {drawn.reason}.",
        err=True,
    )
    if drawn.read_share < MIN_READ_SHARE:
        typer.echo(
            f"By estimate {drawn.estimated:,} pages can be reached, of which {drawn.read_share:.0%} were read. Below "
            f"{MIN_READ_SHARE:.0%}, pages with many incoming links are still favoured. The same command with a higher --read "
            "continues the walk.",
            err=True,
        )
