"""`opilio corpus VERB DIR`: what can be done with the corpus of a crawl as a whole."""

import typer

from .group import Group
from .options import AsJson, Folder, Workers

corpus = typer.Typer(cls=Group, add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@corpus.callback()
def _corpus() -> None:
    """Work on the corpus of a crawl, without a download.

    Example: opilio corpus extract my-corpus
    """


@corpus.command()
def extract(folder: Folder, workers: Workers = None, as_json: AsJson = False) -> None:
    """Take the texts of the corpus out of the stored pages again, with more care than a crawl has time for; find comments.

    Example: opilio corpus extract my-corpus
    """
    import msgspec

    from opilio.core.counted import counted
    from opilio.ops.corpus_extract import corpus_extract

    from .progress_bar import ProgressBar

    with ProgressBar() as bar:
        found = corpus_extract(
            folder, workers=workers, progress=lambda done, total: bar.show("extracting", done / total)
        )
    if as_json:
        typer.echo(msgspec.json.encode(found).decode())
        return
    typer.echo(
        f"Extracted {counted(found.extracted, 'page')}: {found.changed:,} have another text, {found.words_before:,} words became "
        f"{found.words_after:,}. {counted(found.with_comments, 'page')} with {counted(found.comments, 'comment')}."
    )
    if found.up_to_date:
        typer.echo(f"{counted(found.up_to_date, 'page')} had been extracted before.")
    if found.failed:
        typer.echo(f"opilio: {counted(found.failed, 'page')} could not be extracted, and keep their text.", err=True)
    if found.without_bytes:
        typer.echo(
            f"opilio: {counted(found.without_bytes, 'page')} of which no bytes are stored keep their text.", err=True
        )
