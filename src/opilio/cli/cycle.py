"""`opilio cycle`: crawls of the same definition, one after the other, each for what the corpus lacks."""

from pathlib import Path
from typing import Annotated

import typer

from .group import Group
from .options import AsJson, Language, Quiet, Seeds, Setting, Url, Web, Workers

cycle = typer.Typer(cls=Group, add_completion=False, rich_markup_mode=None, no_args_is_help=True)

Cycles = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the cycles, with or without a crawl.toml.")]


@cycle.callback()
def _cycle() -> None:
    """Grow a corpus cycle by cycle: each looks for what the earlier ones have not found.

    Example: opilio cycle run my-news --seeds seeds.txt --pages 10000
    """


@cycle.command()
def run(
    folder: Cycles,
    recipe: Annotated[
        str | None, typer.Option(help="A preset of judge, lead and policy; diversity if none is named.")
    ] = None,
    language: Language = None,
    seeds: Seeds = None,
    url: Url = None,
    pages: Annotated[int | None, typer.Option(help="Pages of a cycle.")] = None,
    web: Web = None,
    workers: Workers = None,
    setting: Setting = None,
    quiet: Quiet = False,
) -> None:
    """Run the next cycle, or go on with one that was interrupted. What the first command says, later ones need not repeat.

    Example: opilio cycle run my-news --seeds seeds.txt --pages 10000
    """
    from opilio.ops.cycle_run import cycle_run

    from .foreground import Foreground

    done = cycle_run(
        folder, recipe=recipe, language=language or (), seeds=seeds or (), url=url or (), pages=pages, web=web or (),
        workers=workers, settings=setting or (), watch=Foreground(quiet=quiet),
    )  # fmt: skip
    if done is None:
        typer.echo("Stopped; the same command goes on with this cycle.", err=True)
        return
    typer.echo(
        f"Cycle {done.number}: {done.pages:,} pages, {done.new_documents:,} new documents with {done.new_tokens:,} words.\n"
        f"`opilio cycle log {folder}` shows all cycles, `opilio export {folder}` writes the corpus.",
        err=True,
    )


@cycle.command()
def log(
    folder: Cycles,
    chart: Annotated[Path | None, typer.Option(metavar="PNG", help="Draw what the cycles added.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show what each cycle added: text, words, perplexities, the weights of the models, and what the lead learned.

    Example: opilio cycle log my-news --chart cycles.png
    """
    import msgspec
    from rich.console import Console

    from opilio.ops.cycle_log import cycle_log
    from opilio.ops.writing import output_path, writing
    from opilio.report.cycles import cycle_tables, draw_cycles

    found = cycle_log(folder)
    if chart is not None:
        with writing(output_path(chart)) as path:
            if not draw_cycles(found, path):
                typer.echo('Warning: charts need matplotlib: install "opilio[charts]".', err=True)
    if as_json:
        typer.echo(msgspec.json.encode(found).decode())
        return
    if not found:
        typer.echo(f"No cycle is finished yet; `opilio cycle run {folder}` goes on with the first.", err=True)
        return
    console = Console(highlight=False)
    for table in cycle_tables(found):
        console.print(table)
        console.print()
