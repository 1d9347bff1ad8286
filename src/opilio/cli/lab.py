"""`opilio lab`: strategies compared on recorded webs. Tables go to stdout, words to stderr."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from opilio.core.counted import counted

from .group import Group
from .lab_judge import judge
from .lab_make import make
from .lab_serve import serve
from .options import LabJson, LabLabels, LabTopic, LabTopicPages, LabTopics, LabWeb, Processes, Quiet, Texts

if TYPE_CHECKING:
    from opilio.lab.experiment import Result

lab = typer.Typer(cls=Group, add_completion=False, rich_markup_mode=None, no_args_is_help=True)
lab.command()(judge)
lab.command()(make)
lab.command()(serve)


@lab.callback()
def _lab() -> None:
    """Compare strategies on recorded webs.

    Example: opilio lab run --web schools.warc.gz --topic Religion --recipe perplexity
    """


@lab.command()
def run(
    web: LabWeb,
    labels: LabLabels = None,
    topic: LabTopic = None,
    recipe: Annotated[
        list[str] | None, typer.Option(help="A recipe's name, or the path of a crawl.toml; may be repeated.")
    ] = None,
    repeat: Annotated[int, typer.Option(min=1, help="Repetitions, each with other samples and another seed.")] = 1,
    samples: Annotated[
        int, typer.Option(min=1, help="Relevant pages, or texts of --texts, that a recipe is shown.")
    ] = 5,
    texts: Texts = None,
    seed_urls: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Start at these URLs, not at the first sample.")
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(metavar="N|4R", help="Fetches, or a multiple of R, the number of relevant pages; R if not given."),
    ] = None,
    baselines: Annotated[
        bool, typer.Option(help="With random order, breadth-first and the oracle, or without them.")
    ] = True,
    against: Annotated[
        str, typer.Option(metavar="RECIPE", help="Compare the others with this recipe, in pairs, by a test.")
    ] = "",
    gold: Annotated[
        bool, typer.Option("--gold", help="Give judges the labels: what a perfect judge would reach.")
    ] = False,
    flip: Annotated[
        float, typer.Option(min=0, max=1, help="Reverse this share of the judges' verdicts, at random.")
    ] = 0.0,
    per_host_cap: Annotated[
        int | None, typer.Option(min=1, help="Most requests to one host, redirects included.")
    ] = None,
    delay: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="Simulated seconds between two requests to a host.")
    ] = 0.0,
    parallel: Annotated[int, typer.Option(min=1, help="Requests at once, at most one for each host.")] = 1,
    topic_pages: LabTopicPages = "1:",
    topics: LabTopics = 0,
    setting: Annotated[
        list[str] | None, typer.Option("--set", help="table.key=value for every recipe; may be repeated.")
    ] = None,
    processes: Processes = 0,
    json: LabJson = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="JSON, CSV, charts and an HTML page.")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Run recipes over recorded webs, and compare what each gets for the same number of fetches.

    Example: opilio lab run --web schools.warc.gz --topic Religion --recipe perplexity --repeat 3 -o compared
    """
    from opilio import lab as verbs
    from opilio.lab.report.progress import Bar

    with Bar(quiet=quiet) as bar:
        result = verbs.run(
            web, labels=labels or (), topic=topic or (), recipe=recipe or (), repeat=repeat, samples=samples,
            texts=texts, seed_urls=seed_urls, budget=budget, baselines=baselines, against=against, gold=gold, flip=flip,
            per_host_cap=per_host_cap, delay=delay, parallel=parallel,
            topic_pages=topic_pages, topics=topics, settings=setting or (), processes=processes, json=json,
            output=output, planned=bar.start,
        )  # fmt: skip
    _tell(result, output)
    if not result.runs:
        raise typer.Exit(1)


@lab.command()
def record(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a crawl.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="WARC", help="The file to write; DIR.warc.gz if not given.")
    ] = None,
) -> None:
    """Make a web for the lab from your own crawl: one WARC file, and the languages of its pages as labels.

    Example: opilio lab record my-corpus -o my-web.warc.gz
    """
    from opilio import lab as verbs

    made = verbs.record(folder, output)
    what = f"{counted(made.pages, 'page')} and {counted(made.redirects, 'redirect')}"
    typer.echo(f"{made.web}: {what}. Labels: {made.labels}", err=True)
    if made.left_out:
        typer.echo(
            f"Missing: {counted(made.left_out, 'page')} that {folder} does not have the bytes of, such as pages without text, "
            "pages that opt out, and whatever was refused without keep.refused=bytes.",
            err=True,
        )


def _tell(result: "Result", output: Path | None) -> None:
    from rich.console import Console

    from opilio.lab.report.table import RULE, lab_tables

    for each in result.failures:
        typer.echo(f"opilio: {each.recipe} on {each.topic}, repetition {each.repetition}: {each.reason}", err=True)
    console = Console(highlight=False)
    for part in lab_tables(result):
        console.print(part)
    typer.echo(RULE, err=True)
    if output is not None:
        typer.echo(f"Written to {output}: {', '.join(sorted(path.name for path in output.iterdir()))}", err=True)
