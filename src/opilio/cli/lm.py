"""`opilio lm`: n-gram language models on the command line. Results go to stdout, messages to stderr."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from .group import Group
from .options import AsJson
from .progress_bar import ProgressBar

lm = typer.Typer(cls=Group, add_completion=False, rich_markup_mode=None, no_args_is_help=True)

Texts = Annotated[
    list[Path], typer.Argument(metavar="FILE…", help='Text, or .jsonl with a "text"; also .gz and .zst; - is stdin.')
]
Model = Annotated[Path, typer.Argument(metavar="MODEL", help="A model, a mixture or an ARPA file.")]
Output = Annotated[Path, typer.Option("-o", "--output", help="The file to write.")]
Raw = Annotated[
    bool, typer.Option("--raw", help="The text already has one sentence per line, and words between spaces.")
]
Clean = Annotated[bool, typer.Option("--clean", help="Leave out numbers, and sentences of fewer than five words.")]


@lm.callback()
def _lm() -> None:
    """Train, apply, mix and export n-gram language models.

    Example: opilio lm train corpus.jsonl.zst -o corpus.lm
    """


@lm.command()
def train(
    files: Texts,
    output: Output,
    order: Annotated[
        int | None, typer.Option(help="Words of the longest n-gram; if not given: 5, with katz 3.")
    ] = None,
    smoothing: Annotated[str, typer.Option(help="kneser-ney or katz.")] = "kneser-ney",
    raw: Raw = False,
    clean: Clean = False,
    unknown: Annotated[float | None, typer.Option(help="Probability of an unknown word.")] = None,
    prune: Annotated[str, typer.Option(help="For each order: n-grams counted at most this often are removed.")] = "0",
    memory: Annotated[
        str, typer.Option(help="Memory for counting; what does not fit goes to temporary files.")
    ] = "1GB",
    counts: Annotated[bool, typer.Option("--counts", help="The files hold n-grams: words, a tab, a count.")] = False,
) -> None:
    """Train a model.

    Example: opilio lm train article.txt more.jsonl.zst -o article.lm --clean --prune 0,0,1
    """
    from opilio.ops.lm import lm_train
    from opilio.report.units import show_bytes

    with ProgressBar() as bar:
        trained = lm_train(
            files, output, order=order, smoothing=smoothing, raw=raw, clean=clean, unknown=unknown, prune=prune,
            memory=memory, counts=counts, progress=bar.show,
        )  # fmt: skip
    if trained.warning:
        typer.echo(f"opilio: {trained.warning}", err=True)
    facts = trained.facts
    shown = f"{facts.smoothing}, order {facts.order}, {sum(facts.ngrams):,} n-grams, {show_bytes(facts.size_bytes)}"
    typer.echo(f"Wrote {output}: {shown}.", err=True)


@lm.command()
def score(
    model: Model,
    files: Texts,
    as_json: AsJson = False,
    raw: Raw = False,
    clean: Clean = False,
    sentences: Annotated[bool, typer.Option("--sentences", help="For each sentence instead of each file.")] = False,
) -> None:
    """Show how likely texts are: the lower the perplexity, the more they are like what the model was trained on.

    Example: opilio lm score article.lm page.txt other.txt --clean
    """
    from opilio.ops.lm import lm_score

    with ProgressBar() as bar:
        rows = lm_score(model, files, raw=raw, clean=clean, sentences=sentences, progress=bar.show)
    _show(rows, as_json)


@lm.command()
def mix(
    models: Annotated[list[Path], typer.Argument(metavar="MODEL…", help="Models or mixtures.")],
    development: Annotated[Path, typer.Option("--dev", metavar="FILE", help="Text that the weights are fitted to.")],
    output: Output,
    best: Annotated[int | None, typer.Option(min=1, help="Take at most this many of the models.")] = None,
    as_json: AsJson = False,
    raw: Raw = False,
    clean: Clean = False,
) -> None:
    """Mix models, with the weights under which a development text is most likely.

    Example: opilio lm mix monday.lm tuesday.lm --dev front-pages.txt -o week.mix.json --best 2
    """
    from opilio.ops.lm import lm_mix

    with ProgressBar() as bar:
        rows = lm_mix(models, development, output, best=best, raw=raw, clean=clean, progress=bar.show)
    _show(rows, as_json)


@lm.command()
def info(model: Model, as_json: AsJson = False) -> None:
    """Show what a model is, and check that its file is intact.

    Example: opilio lm info article.lm --json
    """
    import msgspec
    from rich.console import Console

    from opilio.ops.lm import lm_info
    from opilio.report.models import show_value
    from opilio.report.tables import two_columns

    facts = [msgspec.to_builtins(each) for each in lm_info(model)]
    if as_json:
        tree = {"file": str(model), "parts": facts} if "weight" in facts[0] else facts[0]
        typer.echo(msgspec.json.encode(tree).decode())
        return
    for each in facts:
        Console().print(two_columns({name.replace("_", " "): show_value(value) for name, value in each.items()}))


@lm.command()
def export(
    model: Model,
    output: Annotated[
        Path, typer.Option("-o", "--output", "--arpa", help="The ARPA file to write; with .gz it is compressed.")
    ],
) -> None:
    """Write a model as ARPA, which other programs read.

    Example: opilio lm export article.lm -o article.arpa.gz
    """
    from opilio.ops.lm import lm_export

    ngrams = lm_export(model, output)
    typer.echo(f"Wrote {ngrams:,} n-grams to {output}.", err=True)


def _show(rows: Sequence[object], as_json: bool) -> None:
    import msgspec
    from rich.console import Console

    from opilio.report.models import rows_table

    if as_json:
        typer.echo(msgspec.json.encode(rows).decode())
    else:
        Console(highlight=False).print(rows_table(msgspec.to_builtins(rows)))
