"""`opilio export DIR`: the corpus in another format."""

from pathlib import Path
from typing import Annotated

import typer

from .options import Folder, Where


def export(
    folder: Folder,
    style: Annotated[
        str, typer.Option("--format", "-f", help="jsonl, jsonl.zst, parquet, text or markdown.")
    ] = "jsonl.zst",
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="The file to write, - for stdout; DIR/corpus.FORMAT if not given."),
    ] = None,
    min_score: Annotated[
        float | None,
        typer.Option(metavar="SCORE", help="Every stored page with at least this score, kept or not."),
    ] = None,
    where: Where = "",
) -> None:
    """Write the corpus as JSON lines, Parquet, text or Markdown, even while the crawl runs.

    Example: opilio export my-corpus --format parquet -o corpus.parquet
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from opilio.core.counted import counted
    from opilio.ops.export import export as write

    with Progress(
        TextColumn("exporting"), BarColumn(), MofNCompleteColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task("export", total=None)
        written = write(
            folder,
            style,
            output,
            lambda done, total: bar.update(task, completed=done, total=total),
            min_score=min_score,
            where=where,
        )
    place = "standard output" if str(written.path) == "-" else written.path
    typer.echo(f"Wrote {counted(written.documents, 'document')} to {place}.", err=True)
