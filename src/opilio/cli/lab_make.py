"""`opilio lab make`: a web generated at random from texts, for experiments that need many hosts."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from .options import AsJson, Quiet


def make(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="WEB.warc.gz", help="The web; labels and seeds beside it.")
    ],
    pages: Annotated[int | None, typer.Option(help="If not given: 30,000.")] = None,
    domains: Annotated[int | None, typer.Option(help="Registered domains; if not given: 300.")] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same web; if not given: 7.")] = None,
    homophily: Annotated[
        float | None,
        typer.Option(
            help="Probability that a link to another host stays in its language and topic; if not given: 0.7."
        ),
    ] = None,
    urls: Annotated[
        str | None, typer.Option(metavar="numbers", help="URLs that say nothing about their pages: /1, /2, …")
    ] = None,
    anchors: Annotated[str | None, typer.Option(metavar="same", help='Every link says "read more".')] = None,
    links: Annotated[
        str | None, typer.Option(metavar="all", help="Every page links to all languages and topics alike.")
    ] = None,
    hosts: Annotated[
        Literal["mixed", "pure"],
        typer.Option(help="pure: each host has one language and topic, and all its texts are good."),
    ] = "mixed",
    tunnel: Annotated[
        bool, typer.Option("--tunnel", help="Instead: clusters about a topic, joined by pages that are not about it.")
    ] = False,
    news: Annotated[
        int | None, typer.Option(metavar="DAY", help="Instead: news sites as they are on a day, from 0 on.")
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=NUMBER", help="Any other parameter, see docs/made-webs.md; may be repeated."
        ),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Make a web of many hosts, with labels for language, topic, type and quality.

    The texts come from the folder that OPILIO_DATA names, or from the demo.

    Example: opilio lab make -o made.warc.gz --pages 2000 --domains 50
    """
    import msgspec
    from rich.console import Console
    from rich.progress import Progress

    from opilio import lab as verbs
    from opilio.lab.report.made_web import made_web_tables

    errors = Console(stderr=True)
    with Progress(console=errors, transient=True, disable=quiet or not errors.is_terminal) as bar:
        task = bar.add_task("Making", total=None)
        facts = verbs.make(
            output, pages=pages, domains=domains, seed=seed, homophily=homophily, urls=urls, anchors=anchors, links=links,
            hosts=hosts, tunnel=tunnel, news=news, settings=setting or (),
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )  # fmt: skip
    if as_json or tunnel or news is not None:
        typer.echo(msgspec.json.encode(facts).decode())
        return
    console = Console(highlight=False)
    for table in made_web_tables(facts):
        console.print(table)
    typer.echo(f"Written: {output}, its labels and its seeds.", err=True)
