"""`opilio crawl DIR`: starts or resumes a crawl, with a live view on a terminal and plain lines elsewhere."""

from pathlib import Path
from typing import Annotated

import typer


def crawl(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The crawl's folder, with or without a crawl.toml.")],
    recipe: Annotated[
        str | None, typer.Option(help="A preset of judge, lead and policy; if not given: learned with --like.")
    ] = None,
    like: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A sample of what you want: text, HTML or WARC; may be repeated."),
    ] = None,
    positive: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Pages that belong, for the judge `classifier`; may be repeated."),
    ] = None,
    negative: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Pages that do not belong; may be repeated.")
    ] = None,
    seeds: Annotated[list[Path] | None, typer.Option(help="A file with a seed URL per line; may be repeated.")] = None,
    url: Annotated[list[str] | None, typer.Option(help="A seed URL; may be repeated.")] = None,
    pages: Annotated[int | None, typer.Option(help="Stop after this many pages.")] = None,
    until: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="Stop at precision=0.1, saturation=0.95, pages=, documents=, bytes=, tokens= or seconds=; may be repeated.",
        ),
    ] = None,
    web: Annotated[list[Path] | None, typer.Option(help="Crawl these WARC files instead of the network.")] = None,
    workers: Annotated[
        int | None, typer.Option(help="Number of processes; with 1, pages come in a fixed order.")
    ] = None,
    setting: Annotated[list[str] | None, typer.Option("--set", help="table.key=value; may be repeated.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Start or resume a crawl: the same command resumes it, even after a kill.

    Example: opilio crawl my-corpus --seeds seeds.txt --pages 1000
    """
    from opilio.ops.crawl import crawl as start

    from .foreground import Foreground

    running = start(
        folder, recipe=recipe, like=like or (), positive=positive or (), negative=negative or (), seeds=seeds or (),
        url=url or (), pages=pages, until=until or (), web=web or (), workers=workers, settings=setting or (),
    )  # fmt: skip
    for warning in running.warnings:
        typer.echo(f"Warning: {warning}", err=True)
    reason = running.to_end(Foreground(quiet=quiet))
    typer.echo(
        f"Stopped: {reason}. `opilio status {folder}` shows more, `opilio export {folder}` writes the corpus.", err=True
    )
