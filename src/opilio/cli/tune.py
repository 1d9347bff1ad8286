"""`opilio tune DIR`: shows the thresholds of a focused crawl, and moves them, even while it runs."""

from typing import Annotated

import typer

from .options import AsJson, Folder


def tune(
    folder: Folder,
    threshold: Annotated[float | None, typer.Option(help="Pages with at least this probability belong.")] = None,
    max_perplexity: Annotated[
        float | None,
        typer.Option(min=0.0, help="Pages up to this perplexity belong, whatever their probability; 0: off."),
    ] = None,
    high: Annotated[
        float | None, typer.Option(min=1.0, help="Links of pages up to this perplexity come first.")
    ] = None,
    medium: Annotated[
        float | None, typer.Option(min=1.0, help="Links of pages up to this perplexity come next.")
    ] = None,
    cut: Annotated[
        float | None, typer.Option(min=1.0, help="Links of pages above this perplexity are dropped.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show or move the thresholds of a crawl that goes by perplexity; a running crawl obeys at once.

    Example: opilio tune my-corpus --high 2000 --medium 8000 --cut 100000
    """
    import msgspec
    from rich.console import Console

    from opilio.ops.tune import tune as move
    from opilio.report.thresholds import belonging, thresholds_table

    now, running = move(folder, threshold=threshold, max_perplexity=max_perplexity, high=high, medium=medium, cut=cut)
    if running is not None:
        typer.echo(
            "The running crawl obeys from now on." if running else "No crawl is running: the next run obeys.", err=True
        )
    if as_json:
        typer.echo(msgspec.json.encode(now).decode())
    else:
        console = Console(highlight=False)
        console.print(thresholds_table(now))
        console.print(belonging(now), soft_wrap=True)
