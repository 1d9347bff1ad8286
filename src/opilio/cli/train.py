"""`opilio judge train`: trains what judges know from your own pages."""

from pathlib import Path
from typing import Annotated

import typer

from .group import Group
from .options import AsJson

train = typer.Typer(cls=Group, add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@train.callback()
def _train() -> None:
    """Train what a judge knows from your own pages and texts.

    Example: opilio judge train comments pages.jsonl.gz -o keywords.json
    """


@train.command()
def comments(
    pages: Annotated[
        Path, typer.Argument(metavar="FILE", help="JSON lines with html, has_comments, comments and text; or .gz.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Where the keywords go.")],
    folds: Annotated[
        int,
        typer.Option(min=0, help="Also measure how good they are, by a cross-validation with this many parts."),
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Learn which CSS class names mark pages with comments, for the judge `comments`.

    A crawl uses them with --set judge.file=keywords.json.

    Example: opilio judge train comments pages.jsonl.gz -o keywords.json --folds 5
    """
    import msgspec

    from opilio.ops.judge_train import DIVISIONS, judge_train_comments

    learned, rounds = judge_train_comments(pages, output, folds)
    accuracies, f1s = [one.accuracy for one in rounds], [one.f1 for one in rounds]
    if as_json:
        facts = {"learned": learned, "folds": folds, "accuracy": accuracies, "f1": f1s}
        typer.echo(msgspec.json.encode(facts).decode())
        return
    for keyword, share in learned.keywords.items():
        typer.echo(f"{share:.3f}  {keyword}")
    if rounds:
        typer.echo(
            f"{folds} folds, mean (lowest) of {DIVISIONS} divisions: accuracy {_summary(accuracies)}, F1 {_summary(f1s)}; the "
            f"same answer for every page: accuracy {rounds[0].majority:.3f}",
            err=True,
        )
    typer.echo(f"Written: {output}, {len(learned.keywords)} keywords out of {learned.pages:,} pages.", err=True)


@train.command()
def badness(
    texts: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE…",
            help='Text, HTML, WARC, .jsonl or folders; or .json(.gz) with lists of texts: {"de": ["…"]}.',
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Where the profiles go.")],
    language: Annotated[
        str, typer.Option(help="The code of the texts' language; .json files name it themselves.")
    ] = "",
) -> None:
    """Learn the most frequent words of a language and how frequent they are, for the judge `badness`.

    Profiles that are in the output file already stay there. A crawl uses them with --set judge.profiles=profiles.json.

    Example: opilio judge train badness my-clean-texts --language gd -o profiles.json
    """
    from opilio.ops.judge_train import judge_train_badness

    trained, languages = judge_train_badness(texts, output, language)
    for code, profile in trained.items():
        typer.echo(f"{code}: {', '.join(profile.words)}; up to {profile.threshold:g} is running text")
    typer.echo(f"Written: {output}, {languages} languages.", err=True)


@train.command()
def commonness(
    sentences: Annotated[
        Path, typer.Argument(metavar="FILE", help='.json(.gz) with lists of sentences by language: {"de": ["…"]}.')
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Where the result goes.")],
    wiki: Annotated[
        Path | None,
        typer.Option(metavar="DUMP", help="Pages of one language as MediaWiki exports them: .xml or .xml.bz2."),
    ] = None,
) -> None:
    """Learn which share of ordinary pages has a word, for the judge `topic` and the lead `learned`.

    Example: opilio judge train commonness sentences.json.gz --wiki enwiki-sample.xml.bz2 -o commonness.msgpack.zst
    """
    from opilio.ops.judge_train import judge_train_commonness

    languages = judge_train_commonness(sentences, output, wiki)
    typer.echo(f"Written: {output}, {languages} languages.", err=True)


def _summary(figures: list[float]) -> str:
    return f"{sum(figures) / len(figures):.3f} ({min(figures):.3f})"
