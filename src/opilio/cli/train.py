"""`opilio judge train`: what judges know, learned anew from pages of one's own."""

from pathlib import Path
from typing import Annotated, Final

import typer

from .train_badness import badness
from .train_commonness import commonness

train = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)

_DIVISIONS: Final = 5  # one of them is off by a point or two


train.command()(badness)
train.command()(commonness)


@train.callback()
def _train() -> None:
    """Learn what a judge knows from pages whose answer is known.

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
        typer.Option(min=0, help="Also tell how good they are, by that many parts that are each judged by the rest."),
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="The keywords, and how good they are, as JSON.")] = False,
) -> None:
    """Learn which CSS class names tell pages with comments, for the judge `comments`.

    A crawl uses them with --set judge.file=keywords.json.

    Example: opilio judge train comments pages.jsonl.gz -o keywords.json --folds 5
    """
    import msgspec

    from opilio.judge.comment_examples import read_examples
    from opilio.judge.comment_training import cross_validate, learn_keywords

    from .writing import writing

    examples = read_examples(pages)
    learned = learn_keywords(examples, pages.name)
    rounds = [cross_validate(examples, folds, seed) for seed in range(_DIVISIONS)] if folds else []
    with writing(output):
        output.write_bytes(learned.encode())
    accuracies, f1s = [one.accuracy for one in rounds], [one.f1 for one in rounds]
    if as_json:
        facts = {"learned": learned, "folds": folds, "accuracy": accuracies, "f1": f1s}
        typer.echo(msgspec.json.encode(facts).decode())
        return
    for keyword, share in learned.keywords.items():
        typer.echo(f"{share:.3f}  {keyword}")
    if rounds:
        typer.echo(
            f"{folds} folds, mean (lowest) of {_DIVISIONS} divisions: accuracy {_summary(accuracies)}, F1 {_summary(f1s)}; the "
            f"same answer for every page: accuracy {rounds[0].majority:.3f}",
            err=True,
        )
    typer.echo(f"Written: {output}, {len(learned.keywords)} keywords out of {learned.pages:,} pages.", err=True)


def _summary(figures: list[float]) -> str:
    return f"{sum(figures) / len(figures):.3f} ({min(figures):.3f})"
