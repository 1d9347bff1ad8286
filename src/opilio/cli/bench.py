"""`opilio bench NAME`: runs a benchmark, prints its table and whether its goals are met, draws its chart."""

from pathlib import Path
from typing import Annotated

import typer


def bench(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Which one; a wrong name shows the list.")],
    json: Annotated[bool, typer.Option("--json", help="The report as a JSON object.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 where a goal is missed.")] = False,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the chart goes.")] = Path("bench-results"),
    pages: Annotated[int | None, typer.Option(min=1, help="Pages to fetch.")] = None,
    hosts: Annotated[int | None, typer.Option(min=1, help="Hosts of the web.")] = None,
    urls: Annotated[int | None, typer.Option(min=1, help="URLs in the frontier.")] = None,
    kills: Annotated[int | None, typer.Option(min=1, help="How often a crawl is killed.")] = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="Runs of each contender; the best one counts.")] = None,
    topics: Annotated[int | None, typer.Option(min=1, help="Topics of a labelled web.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of what is random.")] = None,
) -> None:
    """Measure, and compare with goals and peers. Each benchmark knows some of the options, and says so.

    Example: opilio bench politeness --pages 2000 --hosts 100
    """
    from rich.console import Console

    from bench import run_benchmark
    from bench.chart import draw

    words = Console(stderr=True, highlight=False)
    asked = {
        "pages": pages,
        "hosts": hosts,
        "urls": urls,
        "kills": kills,
        "rounds": rounds,
        "topics": topics,
        "seed": seed,
    }
    with words.status(f"bench {name}") as status:
        report = run_benchmark(
            name,
            {option: value for option, value in asked.items() if value is not None},
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
