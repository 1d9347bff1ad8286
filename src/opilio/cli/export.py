"""`opilio export DIR`: the corpus in another format."""

from pathlib import Path
from typing import Annotated

import typer


def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The crawl's folder.")],
    style: Annotated[str, typer.Option("--format", "-f", help="jsonl, jsonl.zst, parquet or text.")] = "jsonl.zst",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The file to write; DIR/corpus.FORMAT if not given.")
    ] = None,
) -> None:
    """Write the corpus as JSON lines, Parquet or text; works beside a running crawl too.

    Example: opilio export my-corpus --format parquet -o corpus.parquet
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from opilio.folder import CrawlFolder
    from opilio.folder.database import open_readonly
    from opilio.keep import CorpusReader
    from opilio.keep import export_corpus as write

    place = CrawlFolder(folder)
    connection = open_readonly(place.database)
    corpus = CorpusReader(connection, folder)
    path = output or folder / f"corpus.{'txt' if style == 'text' else style}"
    with Progress(
        TextColumn("exporting"), BarColumn(), MofNCompleteColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task("export", total=len(corpus))
        count = write(corpus, style, path, lambda done: bar.update(task, completed=done))
    connection.close()
    typer.echo(f"Wrote {count:,} documents to {path}.", err=True)
