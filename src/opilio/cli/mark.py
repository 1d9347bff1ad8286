"""`opilio mark DIR URL yes|no`: the operator decides whether a page belongs."""

from enum import StrEnum
from typing import Annotated

import typer

from .options import AsJson, Folder


class Answer(StrEnum):
    YES = "yes"
    NO = "no"


def mark(
    folder: Folder,
    url: Annotated[str, typer.Argument(help="A URL that the crawl has met.")],
    belongs: Annotated[Answer, typer.Argument(metavar="yes|no", help="Whether the page belongs to the corpus.")],
    as_json: AsJson = False,
) -> None:
    """Mark a page as belonging or not, whatever the judge says; a running crawl obeys at once.

    Example: opilio mark my-corpus https://example.org/page no
    """
    import msgspec

    from opilio.ops.mark import mark as say

    marked = say(folder, url, belongs is Answer.YES)
    if as_json:
        typer.echo(msgspec.json.encode(marked).decode())
        return
    learned = " The judge has learned from it." if marked.learned else ""
    typer.echo(f"{marked.url} is marked {belongs}: {marked.words}.{learned}")
    if marked.not_learned:
        typer.echo(f"opilio: {marked.not_learned}", err=True)
