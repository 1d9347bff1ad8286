"""`opilio crawl DIR`: the live view of a crawl; plain lines where nobody watches a terminal."""

from pathlib import Path
from typing import Annotated

import typer


def crawl(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The crawl's folder, with or without a crawl.toml.")],
    recipe: Annotated[
        str | None, typer.Option(help="A preset of judge, lead and policy; with --like: learned.")
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
    workers: Annotated[int | None, typer.Option(help="Processes; 1 does all in one, in a fixed order.")] = None,
    setting: Annotated[list[str] | None, typer.Option("--set", help="table.key=value; may be repeated.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Crawl, or go on with a crawl: the same command resumes, also after a kill.

    Example: opilio crawl my-corpus --seeds seeds.txt --pages 1000
    """
    from functools import partial

    import msgspec

    from opilio.core.config import load_config, parse_setting
    from opilio.engine.build import Blueprint, read_seeds
    from opilio.folder import FolderLock
    from opilio.ops.run import run_crawl

    from .focus import focused_config, with_labelled, with_samples
    from .resumed import other_focus, resumed_tables, stored_config
    from .until import until_settings

    settings = [*(setting or []), *until_settings(until or [])]
    for key, files in (("corpus.like", like), ("judge.positive", positive), ("judge.negative", negative)):
        if files:
            settings.append(f"{key}={msgspec.json.encode([str(file.resolve()) for file in files]).decode()}")
    if pages is not None:
        settings.append(f"stop.pages={pages}")
    if workers is not None:
        settings.append(f"crawl.workers={workers}")
    file = folder / "crawl.toml"
    crawl_toml = file if file.exists() else None
    stored = stored_config(folder)
    tables = resumed_tables(stored, recipe, settings) if stored and not crawl_toml else {}
    load = partial(load_config, crawl_toml, settings=settings, tables=tables)
    labelled = bool(positive or negative)
    named = recipe or any(parse_setting(each).get("crawl", {}).get("recipe") for each in settings)
    focusing = (like or labelled) and not named
    config = focused_config(load, stored, labelled=labelled) if focusing else load(recipe=recipe)
    if labelled:
        config = with_labelled(config)
    if like:
        config, settings = with_samples(config, settings)
    if stored and (warning := other_focus(stored, config)):
        typer.echo(f"Warning: {warning}", err=True)
    plan = Blueprint(config, folder, web=web or [], settings=settings)
    chosen = read_seeds(config, folder, seeds or [], url or [])
    with FolderLock(plan.folder):
        reason = run_crawl(plan, chosen, quiet=quiet)
    typer.echo(
        f"Stopped: {reason}. `opilio status {folder}` shows more, `opilio export {folder}` writes the corpus.", err=True
    )
