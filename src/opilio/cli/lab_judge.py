"""`opilio lab judge`: verdicts compared with labels. Tables go to stdout, words to stderr."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import LabJson, LabLabels, LabTopic, LabTopicPages, LabTopics, LabWeb, Processes, Quiet, Setting, Texts

if TYPE_CHECKING:
    from opilio.lab.verdicts.experiment import JudgeResult


def judge(
    web: LabWeb,
    labels: LabLabels = None,
    topic: LabTopic = None,
    texts: Texts = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(help="Where samples come from: texts (of --texts) or pages (of the web); may be repeated."),
    ] = None,
    samples: Annotated[
        list[str] | None, typer.Option(metavar="N", help="Number of samples, 5 if not given, or 1:5; may be repeated.")
    ] = None,
    words: Annotated[
        list[int] | None, typer.Option(min=0, help="Cut samples to this many words; 0: do not; may be repeated.")
    ] = None,
    form: Annotated[
        list[str] | None,
        typer.Option(help="files, one-file, sentences, wrapped, paragraphs, markdown or html; may be repeated."),
    ] = None,
    each: Annotated[bool, typer.Option("--each", help="Begin with each text of a topic in turn.")] = False,
    recipe: Annotated[
        list[str] | None,
        typer.Option(help="The recipe whose judge is tried, or a crawl.toml; learned if not given; may be repeated."),
    ] = None,
    repeat: Annotated[int, typer.Option(min=1, help="Repetitions, each with other pages and in another order.")] = 1,
    meet: Annotated[int, typer.Option(min=0, help="Pages that the judge meets before its verdicts count; 0: all.")] = 0,
    others: Annotated[
        int, typer.Option(min=0, help="Estimate from this many pages that are not relevant, drawn at random; 0: all.")
    ] = 0,
    topic_pages: LabTopicPages = "1:",
    topics: LabTopics = 0,
    setting: Setting = None,
    processes: Processes = 0,
    json: LabJson = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="DIR", help="JSON, CSV and a chart.")] = None,
    quiet: Quiet = False,
) -> None:
    """Judge all pages of recorded webs, and compare the verdicts with the labels: by number, length, form and origin of samples.

    Example: opilio lab judge --web schools.warc.gz --texts topics.jsonl --samples 1 --samples 5 -o judged
    """
    from opilio import lab as verbs
    from opilio.lab.report.progress import Bar

    with Bar(quiet=quiet) as bar:
        result = verbs.judge(
            web, labels=labels or (), topic=topic or (), texts=texts, origin=origin or (), samples=samples or 5,
            words=words or 0, form=form or "files", each=each, recipe=recipe or (), repeat=repeat, meet=meet, others=others,
            topic_pages=topic_pages, topics=topics, settings=setting or (), processes=processes, json=json, output=output,
            planned=bar.start,
        )  # fmt: skip
    _tell(result)
    if not result.runs:
        raise typer.Exit(1)


def _tell(result: "JudgeResult") -> None:
    from rich.console import Console

    from opilio.lab.report.judge_table import LEGEND, judge_tables

    for failure in result.failures:
        typer.echo(
            f"opilio: {failure.recipe} on {failure.topic}, repetition {failure.repetition}: {failure.reason}", err=True
        )
    console = Console(highlight=False)
    for table in judge_tables(result.runs) if result.runs else ():
        console.print(table)
    typer.echo(LEGEND, err=True)
