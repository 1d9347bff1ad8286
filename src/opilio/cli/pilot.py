"""`opilio pilot DIR`: a short test crawl that proposes bounds for the recipe `perplexity`."""

from pathlib import Path
from typing import Annotated

import typer

from .options import AsJson, Language, Like, Quiet, Seeds, Setting, Url, Web


def pilot(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the planned crawl.")],
    pages: Annotated[int, typer.Option(min=1, help="How many pages to fetch.")] = 100,
    like: Like = None,
    language: Language = None,
    seeds: Seeds = None,
    url: Url = None,
    web: Web = None,
    setting: Setting = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Crawl a little, show the perplexities of the pages, and propose bounds for a crawl with the recipe perplexity.

    Example: opilio pilot my-corpus --like article.txt --seeds seeds.txt --pages 100
    """
    import msgspec
    from rich.console import Console

    from opilio.ops.pilot import RECIPE
    from opilio.ops.pilot import pilot as fly
    from opilio.report.thresholds import draw_histogram, histogram

    from .foreground import Foreground

    found = fly(
        folder, pages, like=like or (), language=language or (), seeds=seeds or (), url=url or (), web=web or (),
        settings=setting or (), watch=Foreground(quiet=quiet),
    )  # fmt: skip
    high, medium, cut = found.bounds
    if as_json:
        typer.echo(msgspec.json.encode(found._asdict() | {"bounds": found.bounds._asdict()}).decode())
        return
    console = Console(highlight=False)
    console.print(histogram(found.perplexities, found.belongs))
    console.print(f"\n{sum(found.belongs):,} of {len(found.pages):,} pages belong. Stopped: {found.reason}.")
    picture = folder / "pilot" / "perplexities.png"
    if draw_histogram(found.perplexities, found.belongs, [("high", high), ("medium", medium), ("cut", cut)], picture):
        console.print(f"Chart: {picture}", soft_wrap=True)
    console.print(
        "\nProposed for crawl.toml (perplexities with a minus sign, since links with high scores are fetched first):"
    )
    console.print(f'\n\\[crawl]\nrecipe = "{RECIPE}"\n\n\\[policy]\nbounds = [{-high}, {-medium}]\ncut = {-cut}')
    console.print(
        f"\nOr, once a crawl with --recipe {RECIPE} runs: opilio tune {folder} --high {high} --medium {medium} --cut {cut}",
        soft_wrap=True,
    )
