"""`opilio judge`: judges without a crawl. They are tried on a few pages, or run over existing WARC files."""

from pathlib import Path
from typing import Annotated

import typer

from .group import Group
from .options import AsJson, Folder, Language, Like, Quiet, Setting, Web, Workers
from .train import train

judge = typer.Typer(cls=Group, add_completion=False, rich_markup_mode=None, no_args_is_help=True)
judge.add_typer(train, name="train")

Recipe = Annotated[str | None, typer.Option(help="The preset whose judge is used; learned if not given.")]
SampleWeb = Annotated[
    list[Path] | None,
    typer.Option(metavar="WARC", help="Take samples that are URLs from these WARC files; may be repeated."),
]


@judge.callback()
def _judge() -> None:
    """Try a judge on pages, run it over WARC files, or judge a crawl's pages again.

    Example: opilio judge try page.html --like article.txt
    """


@judge.command("try")
def try_(
    pages: Annotated[
        list[str],
        typer.Argument(metavar="[DIR] FILE|URL…", help="Optionally a crawl whose judge is used; then the pages."),
    ],
    like: Like = None,
    language: Language = None,
    recipe: Recipe = None,
    web: Web = None,
    setting: Setting = None,
    as_json: AsJson = False,
) -> None:
    """Show what a judge says of pages, and why, before you start a crawl.

    Example: opilio judge try my-corpus page.html https://example.org/
    """
    import msgspec
    from rich.console import Console

    from opilio.ops.judge_try import judge_try
    from opilio.report.trials import trial_facts, trial_reasons, trial_table

    tried = judge_try(
        pages, like=like or (), language=language or (), recipe=recipe, web=web or (), settings=setting or ()
    )
    trials = tried.trials
    if tried.warning:
        typer.echo(f"opilio: {tried.warning}", err=True)
    if as_json:
        typer.echo(msgspec.json.encode([trial_facts(trial) for trial in trials]).decode())
        return
    console = Console(highlight=False)
    console.print(trial_table(trials))
    for line in ("", *trial_reasons(trials)):
        console.print(line, markup=False, soft_wrap=True)


@judge.command()
def samples(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="A crawl's folder, whose samples and judge are shown.")
    ] = None,
    like: Like = None,
    language: Language = None,
    recipe: Recipe = None,
    web: SampleWeb = None,
    setting: Setting = None,
    as_json: AsJson = False,
) -> None:
    """Show what a judge made of the samples, and what is wrong with them, before you start a crawl.

    Example: opilio judge samples --like article.txt --like notes.md
    """
    import msgspec
    from rich.console import Console

    from opilio.ops.judge_samples import judge_samples
    from opilio.report.samples import samples_tables

    made = judge_samples(
        folder, like=like or (), language=language or (), recipe=recipe, web=web or (), settings=setting or ()
    )
    if as_json:
        facts = made._asdict() | {"texts": [text._asdict() for text in made.texts]}
        facts["judges"] = [account._asdict() for account in made.judges]
        typer.echo(msgspec.json.encode(facts).decode())
        return
    console = Console(highlight=False)
    for table in samples_tables(made):
        console.print(table)
        console.print()


@judge.command()
def run(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="WARC files, plain or compressed.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="The folder of the corpus.")],
    like: Like = None,
    language: Language = None,
    recipe: Recipe = None,
    web: SampleWeb = None,
    workers: Workers = None,
    setting: Setting = None,
    quiet: Quiet = False,
) -> None:
    """Filter WARC files into a corpus with a judge, without a crawl; the same command resumes.

    Example: opilio judge run CC-MAIN-00000.warc.gz -o my-corpus --like article.txt
    """
    from opilio.ops.judge_run import judge_run

    from .foreground import crawl_to_end

    running = judge_run(
        files,
        output,
        like=like or (),
        language=language or (),
        recipe=recipe,
        web=web or (),
        workers=workers,
        settings=setting or (),
    )
    crawl_to_end(running, quiet=quiet)


@judge.command()
def again(
    folder: Folder,
    like: Like = None,
    language: Language = None,
    recipe: Annotated[
        str | None, typer.Option(help="The preset whose judge is used; the crawl's if not given.")
    ] = None,
    web: SampleWeb = None,
    workers: Workers = None,
    setting: Setting = None,
    as_json: AsJson = False,
) -> None:
    """Judge the stored pages of a crawl again, kept or not, without a download, and move them in or out of the corpus.

    Example: opilio judge again my-corpus --like better.txt
    """
    import msgspec

    from opilio.core.counted import counted
    from opilio.ops.judge_again import judge_again

    from .progress_bar import ProgressBar

    with ProgressBar() as bar:
        found = judge_again(
            folder, like=like or (), language=language or (), recipe=recipe, web=web or (), workers=workers,
            settings=setting or (), progress=lambda done, total: bar.show("judging", done / total),
        )  # fmt: skip
    changes = found.changes
    if as_json:
        facts = {
            **msgspec.structs.asdict(changes),
            "unchanged": changes.unchanged,
            "documents": changes.kept,
            "not_stored": found.not_stored,
        }
        typer.echo(msgspec.json.encode(facts).decode())
    else:
        typer.echo(
            f"Judged {counted(changes.judged, 'stored page')}: {changes.moved_in:,} moved in, {changes.moved_out:,} moved out, "
            f"{changes.unchanged:,} unchanged. The corpus has {counted(changes.kept, 'document')}."
        )
    if changes.failed:
        typer.echo(f"opilio: the judge failed on {changes.failed:,} pages, which stay where they are.", err=True)
    if found.not_stored:
        typer.echo(
            f"opilio: {found.not_stored:,} pages that were fetched are not stored, and were not judged: they were refused while "
            "keep.refused was “nothing”, or by an older version.", err=True,
        )  # fmt: skip
    if found.warning:
        typer.echo(f"opilio: {found.warning}", err=True)
