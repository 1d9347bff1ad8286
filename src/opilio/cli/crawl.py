"""`opilio crawl DIR`: starts or resumes a crawl, with a live view on a terminal and plain lines elsewhere."""

from pathlib import Path
from typing import Annotated

import typer

from .options import Language, Like, Quiet, Seeds, Setting, Url, Web, Workers


def crawl(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The crawl's folder, with or without a crawl.toml.")],
    recipe: Annotated[
        str | None,
        typer.Option(help="A preset of judge, lead and policy; if not given: learned with --like or --language."),
    ] = None,
    like: Like = None,
    language: Language = None,
    positive: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Pages that belong, for the judge `classifier`; may be repeated."),
    ] = None,
    negative: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Pages that do not belong; may be repeated.")
    ] = None,
    seeds: Seeds = None,
    url: Url = None,
    from_scout: Annotated[
        Path | None,
        typer.Option(metavar="SCOUT.DB", help="Begin at the best seeds of this directory (`opilio scout`)."),
    ] = None,
    top: Annotated[int, typer.Option(min=0, help="How many seeds of --from-scout; 0: all.")] = 0,
    pages: Annotated[int | None, typer.Option(help="Stop after this many pages.")] = None,
    until: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="Stop at precision=0.1, saturation=0.95, pages=, documents=, size_bytes=, tokens= or seconds=; may be repeated.",
        ),
    ] = None,
    web: Web = None,
    workers: Workers = None,
    setting: Setting = None,
    quiet: Quiet = False,
) -> None:
    """Start or resume a crawl: the same command resumes it, even after a kill.

    Example: opilio crawl my-corpus --seeds seeds.txt --pages 1000
    """
    from opilio.ops.crawl import crawl as start

    from .foreground import crawl_to_end

    running = start(
        folder, recipe=recipe, like=like or (), language=language or (), positive=positive or (),
        negative=negative or (), seeds=seeds or (), url=url or (), from_scout=from_scout, top=top, pages=pages,
        until=until or (), web=web or (), workers=workers, settings=setting or (),
    )  # fmt: skip
    crawl_to_end(running, quiet=quiet)
