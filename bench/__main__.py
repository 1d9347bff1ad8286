"""`python3 dev.py bench NAME`: runs a benchmark, prints its table and whether its goals are met, and draws its chart."""

import sys
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from opilio.core.errors import OpilioError

from . import BENCHMARKS, run_benchmark
from .chart import draw

app: Final = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command("bench")
def bench(
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="The benchmark to run; without it, all are listed.")
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Print the report as a JSON object.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 if a goal is missed.")] = False,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the chart is saved.")] = Path("bench-results"),
    pages: Annotated[int | None, typer.Option(min=1, help="Pages to fetch.")] = None,
    hosts: Annotated[int | None, typer.Option(min=1, help="Hosts of the web.")] = None,
    urls: Annotated[int | None, typer.Option(min=1, help="URLs in the frontier.")] = None,
    kills: Annotated[int | None, typer.Option(min=1, help="How often a crawl is killed.")] = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="Runs of each contender; the best one counts.")] = None,
    topics: Annotated[int | None, typer.Option(min=1, help="Topics of a labelled web.")] = None,
    size: Annotated[int | None, typer.Option(min=1, help="Megabytes of a dump, or of the largest page.")] = None,
    minutes: Annotated[int | None, typer.Option(min=0, help="How long a search may take.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the random choices.")] = None,
) -> None:
    """Measure, and compare with goals and peers. Each benchmark takes some of the options and refuses the others.

    Example: python3 dev.py bench politeness --pages 2000 --hosts 100
    """
    if not name:
        typer.echo("\n".join(f"{each:<12} {help_line}" for each, help_line in BENCHMARKS.items()))
        return
    words = Console(stderr=True, highlight=False)
    options = {
        "pages": pages,
        "hosts": hosts,
        "urls": urls,
        "kills": kills,
        "rounds": rounds,
        "topics": topics,
        "size": size,
        "minutes": minutes,
        "seed": seed,
    }
    with words.status(f"bench {name}") as status:
        report = run_benchmark(
            name,
            {option: value for option, value in options.items() if value is not None},
            lambda done, all_: status.update(f"bench {name}: {done:,} of {all_:,}"),
        )
    if json:
        typer.echo(report.as_json())
    else:
        report.show(Console(highlight=False), words)
    if report.chart is not None:
        path = out / f"{name}.png"
        drawn = draw(report.chart, path)
        words.print(f"Chart: {path}" if drawn else 'No chart: it needs pip install "opilio[charts]".', soft_wrap=True)
    if strict and not report.met:
        raise typer.Exit(1)


if __name__ == "__main__":
    try:
        app()
    except OpilioError as error:
        typer.echo(f"bench: {error}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
