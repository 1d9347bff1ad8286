"""`opilio init DIR`: writes a commented crawl.toml, and asks for the operator's contact."""

from pathlib import Path
from typing import Annotated

import typer


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The crawl's folder; created if necessary.")] = Path(),
    contact: Annotated[str | None, typer.Option(help="URL or e-mail of the operator; asked for if not given.")] = None,
    seeds: Annotated[Path | None, typer.Option(help="A file with a seed URL per line.")] = None,
    defaults: Annotated[bool, typer.Option("--defaults", help="Show every setting and its default instead.")] = False,
) -> None:
    """Write a commented crawl.toml into a folder.

    Example: opilio init my-corpus --contact https://example.org/about-our-crawl
    """
    from opilio.ops.init import defaults as default_settings
    from opilio.ops.init import init as write
    from opilio.ops.init import refuse_existing

    if defaults:
        typer.echo(default_settings(), nl=False)
        return
    refuse_existing(folder / "crawl.toml")  # before anything is asked
    if contact is None:
        contact = typer.prompt("Your contact for webmasters (URL or e-mail)", err=True)
    path = write(folder, contact, seeds)
    typer.echo(f"Wrote {path}. Name seeds in it, then run: opilio crawl {folder}", err=True)
