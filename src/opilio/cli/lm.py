"""`opilio lm`: n-gram language models on the command line. What was asked for goes to stdout, words to stderr."""

import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from opilio.model.scorer import Scorer
    from opilio.report.models import Row

lm = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)

_FEW_WORDS: Final = 50
_UNITS: Final = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}

Texts = Annotated[
    list[Path], typer.Argument(metavar="FILE…", help='Text, or .jsonl with a "text"; also .gz and .zst; - is stdin.')
]
Model = Annotated[Path, typer.Argument(metavar="MODEL", help="A model, a mixture or an ARPA file.")]
Output = Annotated[Path, typer.Option("-o", "--output", help="The file to write.")]
Raw = Annotated[bool, typer.Option("--raw", help="The text has a sentence a line already, and words between spaces.")]
Clean = Annotated[bool, typer.Option("--clean", help="Without numbers, and without sentences under five words.")]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON.")]


@lm.callback()
def _lm() -> None:
    """Train, ask, mix and export n-gram language models.

    Example: opilio lm train corpus.jsonl.zst -o corpus.lm
    """


@lm.command()
def train(
    files: Texts,
    output: Output,
    order: Annotated[int | None, typer.Option(help="Words of the longest n-gram; if not given 5, with katz 3.")] = None,
    smoothing: Annotated[str, typer.Option(help="kneser-ney or katz.")] = "kneser-ney",
    raw: Raw = False,
    clean: Clean = False,
    unknown: Annotated[float | None, typer.Option(help="Probability of an unknown word.")] = None,
    prune: Annotated[str, typer.Option(help="By order: n-grams counted no more often than this go.")] = "0",
    memory: Annotated[str, typer.Option(help="What counting may take; the rest goes through files.")] = "1GB",
    counts: Annotated[bool, typer.Option("--counts", help="The files hold n-grams: words, a tab, a count.")] = False,
) -> None:
    """Train a model.

    Example: opilio lm train article.txt more.jsonl.zst -o article.lm --clean --prune 0,0,1
    """
    from opilio.cli.reading import Reading
    from opilio.model import Training, train_counts
    from opilio.model import train as learn
    from opilio.report.units import show_bytes

    _refuse_overwriting(output, files)
    settings = Training(
        order=order,
        smoothing=smoothing,  # type: ignore[arg-type] # Training checks it
        unknown=unknown,
        prune=_numbers(prune),
        memory_bytes=_bytes(memory),
    )
    with Reading(files, "reading") as reading:
        if counts:
            model = train_counts(reading.pieces(), settings, reading.step)
        else:
            model = learn(reading.lines(raw=raw, clean=clean), settings, reading.step)
    if not counts and reading.words < _FEW_WORDS:
        typer.echo(
            f"opilio: the text has only {reading.words} words, so nearly every word of other texts will be unknown to the "
            "model, and its perplexities will say little. Give more text.",
            err=True,
        )
    model.save(output)
    shown = f"{model.smoothing}, order {model.order}, {sum(model.counts):,} n-grams"
    typer.echo(f"Wrote {output}: {shown}, {show_bytes(output.stat().st_size)}.", err=True)


@lm.command()
def score(
    model: Model,
    files: Texts,
    as_json: AsJson = False,
    raw: Raw = False,
    clean: Clean = False,
    sentences: Annotated[bool, typer.Option("--sentences", help="For each sentence instead of each file.")] = False,
) -> None:
    """Say how likely texts are: the lower the perplexity, the more they are like what the model was trained on.

    Example: opilio lm score article.lm page.txt other.txt --clean
    """
    from opilio.cli.reading import Reading
    from opilio.model.scorer import open_model
    from opilio.report.models import add_scores, score_row

    scorer = open_model(model, verify=True)
    rows: list[Row] = []
    for file in files:
        with Reading([file], f"scoring {file.name}") as reading:
            pieces = reading.lines(raw=raw, clean=clean)
            if sentences:
                lines = [line for piece in pieces for line in piece.split("\n") if line.strip()]
                scores = scorer.score_many(lines)
                rows += [score_row(file, each, sentence=line) for each, line in zip(scores, lines, strict=True)]
            else:
                rows.append(score_row(file, add_scores([scorer.score(piece) for piece in pieces])))
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
    from opilio.cli.reading import Reading
    from opilio.model.mixture import Mixture, best_of_window, single_perplexities
    from opilio.model.scorer import open_model
    from opilio.report.models import mixture_row

    scorers = [open_model(model, verify=True) for model in models]
    parts = [file for model, scorer in zip(models, scorers, strict=True) for file in _files(model, scorer)]
    _refuse_overwriting(output, [development, *models, *parts])
    with Reading([development], "reading") as reading:
        lines = "\n".join(reading.lines(raw=raw, clean=clean))
    mixture = best_of_window(scorers, lines, best) if best else Mixture.fit(scorers, lines)
    files = {place: _files(models[place], scorers[place]) for place in mixture.chosen}
    mixture.save(output, [file for group in files.values() for file in group])
    weights = iter(mixture.weights)
    shares = {place: sum(islice(weights, len(group))) for place, group in files.items()}
    alone = single_perplexities(scorers, lines)
    rows = [
        mixture_row(path, shares.get(place, 0.0), scorers[place].score(lines).perplexity, alone[place])
        for place, path in enumerate(models)
    ]
    _show([*rows, mixture_row(output, 1.0, mixture.score(lines).perplexity, mixture.trace[-1])], as_json)


@lm.command()
def info(model: Model, as_json: AsJson = False) -> None:
    """Say what a model is, and check that its file is whole.

    Example: opilio lm info article.lm --json
    """
    import msgspec
    from rich.console import Console

    from opilio.model.mixture import Mixture
    from opilio.model.scorer import open_model
    from opilio.report.models import model_facts, show_value
    from opilio.report.tables import two_columns

    opened = open_model(model, verify=True)
    if isinstance(opened, Mixture):
        parts = zip(opened.files, opened.models, opened.weights, strict=True)
        facts = [model_facts(file, part) | {"weight": weight} for file, part, weight in parts]
    else:
        facts = [model_facts(model, opened)]
    if as_json:
        tree = {"file": str(model), "parts": facts} if isinstance(opened, Mixture) else facts[0]
        typer.echo(msgspec.json.encode(tree).decode())
        return
    for each in facts:
        Console().print(two_columns({name.replace("_", " "): show_value(value) for name, value in each.items()}))


@lm.command()
def export(model: Model, arpa: Annotated[Path, typer.Option(help="The ARPA file to write; .gz packs it.")]) -> None:
    """Write a model as ARPA, which other programs read.

    Example: opilio lm export article.lm --arpa article.arpa.gz
    """
    from opilio.core.errors import ConfigError
    from opilio.model.arpa import write_arpa
    from opilio.model.language_model import LanguageModel
    from opilio.model.scorer import open_model

    _refuse_overwriting(arpa, [model])
    opened = open_model(model, verify=True)
    if not isinstance(opened, LanguageModel):
        raise ConfigError(f"{model} is a mixture, for which ARPA has no form. Export its models one by one.")
    write_arpa(opened, arpa)
    typer.echo(f"Wrote {sum(opened.counts):,} n-grams to {arpa}.", err=True)


def _files(path: Path, model: "Scorer") -> Sequence[Path]:
    from opilio.model.mixture import Mixture

    return model.files if isinstance(model, Mixture) else [path]


def _refuse_overwriting(output: Path, inputs: Sequence[Path]) -> None:
    from opilio.core.errors import ConfigError

    for file in inputs:
        if output.exists() and file.exists() and output.samefile(file):
            raise ConfigError(
                f"{output} would be overwritten, but it is read here ({file}). Name another file to write."
            )


def _show(rows: "Sequence[Row]", as_json: bool) -> None:
    import msgspec
    from rich.console import Console

    from opilio.report.models import table_of

    if as_json:
        typer.echo(msgspec.json.encode(rows).decode())
    else:
        Console(highlight=False).print(table_of(rows))


def _numbers(text: str) -> list[int]:
    if not re.fullmatch(r"\d+([ ,]\d+)*", text):
        raise typer.BadParameter(f'"{text}" is no list of numbers such as 0,0,1.', param_hint="--prune")
    return [int(each) for each in re.findall(r"\d+", text)]


def _bytes(text: str) -> int:
    size = re.fullmatch(r"(\d+(?:\.\d+)?) ?([kmg]?)(?:i?b)?", text.lower())
    if not size:
        raise typer.BadParameter(f'"{text}" is no size such as 500MB or 2GB.', param_hint="--memory")
    return int(float(size[1]) * _UNITS[size[2]])
