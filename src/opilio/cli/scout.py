"""`opilio scout`: looks for seeds. Tables go to stdout, words to stderr."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .group import Group
from .options import AsJson, Like, Quiet, Setting, Web, Where

if TYPE_CHECKING:
    from .scout_watch import ScoutForeground

scout = typer.Typer(cls=Group, add_completion=False, rich_markup_mode=None, no_args_is_help=True)

File = Annotated[Path, typer.Argument(metavar="SCOUT.DB", help="The file of the directory.")]
Wanted = Annotated[
    list[str] | None,
    typer.Option(metavar="CODE|NAME", help="A wanted language, such as id or Indonesian; may be repeated."),
]


@scout.callback()
def _scout() -> None:
    """Look for seeds: URLs from lists, indexes, encyclopedias, search and microblogs, each probed.

    Example: opilio scout run scout.db --source wikipedia=idwiki.xml.bz2 --language id
    """


@scout.command()
def run(
    directory: File,
    source: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME[=WHERE]", help="Where to look, such as urls=list.txt or mastodon; may be repeated."),
    ] = None,
    language: Wanted = None,
    like: Like = None,
    budget: Annotated[
        int | None, typer.Option(min=0, help="Requests for sources and short URLs, at most; 0: no limit.")
    ] = None,
    per_domain: Annotated[int | None, typer.Option(min=1, help="URLs to probe of one registered domain.")] = None,
    mode: Annotated[str | None, typer.Option(help="How microblogs are searched: surface, deep or channels.")] = None,
    keep_messages: Annotated[bool, typer.Option("--keep-messages", help="Store the words of messages.")] = False,
    from_archive: Annotated[
        bool,
        typer.Option("--from-archive", help="Probe what common-crawl finds from its archive; no site is asked."),
    ] = False,
    repeat: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="Run again this long after each end, until Ctrl-C.")
    ] = 0.0,
    web: Web = None,
    setting: Setting = None,
    quiet: Quiet = False,
) -> None:
    """Ask sources for URLs, and probe one of each domain; the same command goes on, and adds what is new.

    Example: opilio scout run scout.db --source urls=list.txt --language id --budget 1000
    """
    from opilio.ops.scout_run import scout_run

    watch = _watch(quiet=quiet)
    scouted = scout_run(
        directory, source or (), language=language or (), like=like or (), budget=budget, per_domain=per_domain, mode=mode,
        keep_messages=keep_messages, from_archive=from_archive, repeat=repeat, web=web or (), settings=setting or (), watch=watch,
    )  # fmt: skip
    watch.tell(scouted, directory)
    if scouted.sources and all(each.state == "failed" for each in scouted.sources):
        raise typer.Exit(3)


@scout.command()
def ls(
    directory: File,
    where: Where = "",
    language: Wanted = None,
    rank: Annotated[
        str,
        typer.Option(help="The order: yield, score, outlinks, indegree, length, tokens, finds, badness, confidence."),
    ] = "yield",
    limit: Annotated[int, typer.Option(min=0, help="How many are listed; 0: all.")] = 0,
    all_: Annotated[
        bool, typer.Option("--all", help="Also what is not a seed: dropped, set apart, not probed.")
    ] = False,
    pairs: Annotated[bool, typer.Option("--pairs", help="Instead: origin and target of every link seen.")] = False,
    style: Annotated[str, typer.Option("--format", "-f", help="csv, jsonl or parquet; if not given: a table.")] = "",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The file to write; - for stdout.")] = None,
) -> None:
    """List the seeds of a directory, the most promising first, or write them as CSV, JSON lines or Parquet.

    Example: opilio scout ls scout.db --where 'language == "id" and tokens > 200'
    """
    from rich.console import Console

    from opilio.core.counted import counted
    from opilio.ops.scout_ls import scout_ls
    from opilio.report.scouting import entry_table

    found = scout_ls(
        directory, where=where, language=language or (), rank=rank, limit=limit, all=all_, pairs=pairs, format=style,
        output=output,
    )  # fmt: skip
    if pairs or style or output:
        typer.echo("Written." if pairs else f"Wrote {counted(len(found), 'URL')}.", err=True)
    elif found:
        Console(highlight=False).print(entry_table(found))
    else:
        typer.echo(
            f"opilio: {directory} has no such URL; `opilio scout stats {directory}` shows what there is.", err=True
        )


@scout.command()
def stats(
    directory: File,
    language: Wanted = None,
    chart: Annotated[Path | None, typer.Option(metavar="PNG", help="Draw the languages of each source.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show what each source is worth: pages, languages, lengths, addresses, domains that no other source has.

    Example: opilio scout stats scout.db --language id
    """
    import msgspec
    from rich.console import Console

    from opilio.ops.scout_stats import scout_stats
    from opilio.ops.writing import output_path, writing
    from opilio.report.scouting import draw_languages, statistics_tables

    found = scout_stats(directory, language=language or ())
    if chart is not None:
        with writing(output_path(chart)) as path:
            if not draw_languages(found, path):
                typer.echo('Warning: charts need matplotlib: install "opilio[charts]".', err=True)
    if as_json:
        facts = found._asdict()
        rows = {name: [row._asdict() for row in facts[name]] for name in ("sources", "languages", "groups")}
        typer.echo(msgspec.json.encode(facts | rows).decode())
        return
    console = Console(highlight=False)
    for table in statistics_tables(found):
        console.print(table)
        console.print()


@scout.command()
def add(
    directory: File,
    url: Annotated[list[str], typer.Argument(metavar="URL…", help="URLs of your own.")],
    web: Web = None,
    setting: Setting = None,
    quiet: Quiet = False,
) -> None:
    """Put URLs of your own into a directory, and probe them.

    Example: opilio scout add scout.db https://example.org/
    """
    from opilio.ops.scout_add import scout_add

    watch = _watch(quiet=quiet)
    watch.tell(scout_add(directory, url, web=web or (), settings=setting or (), watch=watch), directory)


@scout.command()
def refresh(directory: File, web: Web = None, setting: Setting = None, quiet: Quiet = False) -> None:
    """Probe the pages of a directory again, and mark what is gone or has changed.

    Example: opilio scout refresh scout.db
    """
    from opilio.ops.scout_refresh import scout_refresh

    done = scout_refresh(directory, web=web or (), settings=setting or (), watch=_watch(quiet=quiet))
    end = "Stopped; the same command goes on. " if done.stopped else ""
    typer.echo(
        f"{end}{done.same:,} pages are the same, {done.changed:,} have changed, {done.gone:,} are gone.", err=True
    )


@scout.command()
def audit(
    directory: File,
    sample: Annotated[int, typer.Option(min=1, help="How many links of each kind are probed.")] = 100,
    web: Web = None,
    setting: Setting = None,
    quiet: Quiet = False,
) -> None:
    """Show which languages stand behind the messages that the language filter rejected, and behind all.

    Example: opilio scout audit scout.db --sample 200
    """
    from rich.console import Console

    from opilio.ops.scout_audit import scout_audit
    from opilio.report.scouting import audit_table

    done = scout_audit(directory, sample=sample, web=web or (), settings=setting or (), watch=_watch(quiet=quiet))
    if done.stopped:
        typer.echo("Stopped; the same command goes on.", err=True)
    Console(highlight=False).print(audit_table(done.rejected, done.all))


def _watch(*, quiet: bool) -> "ScoutForeground":
    from .scout_watch import ScoutForeground

    return ScoutForeground(quiet=quiet)
