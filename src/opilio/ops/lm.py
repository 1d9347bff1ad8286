"""The verbs of `lm`: train, ask, mix and export n-gram language models."""

import math
import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from opilio.core.errors import ConfigError
from opilio.model import LanguageModel, Score, Training, train_counts
from opilio.model import train as train_model
from opilio.model.arpa import write_arpa
from opilio.model.mixture import Mixture, best_of_window, single_perplexities
from opilio.model.scorer import Scorer, open_model

from .lm_texts import Progress, Reading
from .names import Names, paths
from .writing import output_path

_FEW_WORDS: Final = 50
_UNITS: Final = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


class ModelFacts(msgspec.Struct, frozen=True, omit_defaults=True):
    file: str
    smoothing: str
    order: int
    ngrams: Sequence[int]  # by order
    vocabulary: int
    unknown_probability: float
    size_bytes: int
    checksum: str
    weight: float | None = None  # in a mixture


class TextScore(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    file: str
    sentence: str | None = None  # None where the score is that of the whole file
    words: int
    oov: int
    sentences: int
    log10: float
    perplexity: float
    perplexity_without_oov: float


class MixturePart(msgspec.Struct, frozen=True):
    """A model's part in a mixture, or the mixture itself with the weight 1. For `comparable_perplexity`, every model gives
    unknown words the same probability."""

    model: str
    weight: float
    perplexity: float
    comparable_perplexity: float


class Trained(msgspec.Struct, frozen=True):
    facts: ModelFacts
    warning: str | None = None


def lm_train(
    files: Names,
    output: str | Path,
    *,
    order: int | None = None,
    smoothing: str = "kneser-ney",
    raw: bool = False,
    clean: bool = False,
    unknown: float | None = None,
    prune: str | Sequence[int] = (0,),
    memory: str | int = "1GB",
    counts: bool = False,
    progress: Progress = lambda _name, _share: None,
) -> Trained:
    """Trains a model and writes it to `output`. With `counts` the files hold n-grams: words, a tab, a count."""
    sources, path = paths(files), output_path(output)
    _refuse_overwriting(path, sources)
    settings = Training(
        order=order,
        smoothing=smoothing,  # type: ignore[arg-type] # Training checks it
        unknown=unknown,
        prune=_numbers(prune) if isinstance(prune, str) else list(prune),
        memory_bytes=_bytes(memory) if isinstance(memory, str) else memory,
    )
    reading = Reading(sources, "reading", progress)
    if counts:
        model = train_counts(reading.pieces(), settings, progress)
    else:
        model = train_model(reading.lines(raw=raw, clean=clean), settings, progress)
    model.save(path)
    few = not counts and reading.words < _FEW_WORDS
    return Trained(_facts(path, model), _warn_few(reading.words) if few else None)


def lm_score(
    model: str | Path,
    files: Names,
    *,
    raw: bool = False,
    clean: bool = False,
    sentences: bool = False,
    progress: Progress = lambda _name, _share: None,
) -> list[TextScore]:
    """Returns how likely each file is under a model, or with `sentences` each of its sentences."""
    scorer = open_model(Path(model), verify=True)
    rows: list[TextScore] = []
    for file in paths(files):
        pieces = Reading([file], f"scoring {file.name}", progress).lines(raw=raw, clean=clean)
        if sentences:
            lines = [line for piece in pieces for line in piece.split("\n") if line.strip()]
            rows += [_row(file, score, line) for score, line in zip(scorer.score_many(lines), lines, strict=True)]
        else:
            rows.append(_row(file, _sum([scorer.score(piece) for piece in pieces])))
    return rows


def lm_mix(
    models: Names,
    dev: str | Path,
    output: str | Path,
    *,
    best: int | None = None,
    raw: bool = False,
    clean: bool = False,
    progress: Progress = lambda _name, _share: None,
) -> list[MixturePart]:
    """Mixes models with the weights under which the text `dev` is most likely, and writes the mixture to `output`."""
    names, path = paths(models), output_path(output)
    scorers = [open_model(name, verify=True) for name in names]
    parts = [_files(name, scorer) for name, scorer in zip(names, scorers, strict=True)]
    _refuse_overwriting(path, [Path(dev), *names, *(file for group in parts for file in group)])
    lines = "\n".join(Reading([Path(dev)], "reading", progress).lines(raw=raw, clean=clean))
    mixture = best_of_window(scorers, lines, best) if best else Mixture.fit(scorers, lines)
    mixture.save(path, [file for place in mixture.chosen for file in parts[place]])
    weights = iter(mixture.weights)
    shares = {place: sum(islice(weights, len(parts[place]))) for place in mixture.chosen}
    alone = single_perplexities(scorers, lines)
    rows = [
        MixturePart(str(name), shares.get(place, 0.0), scorers[place].score(lines).perplexity, alone[place])
        for place, name in enumerate(names)
    ]
    return [*rows, MixturePart(str(path), 1.0, mixture.score(lines).perplexity, mixture.trace[-1])]


def lm_info(model: str | Path) -> list[ModelFacts]:
    """Returns facts about a model, or about each model of a mixture, and checks that the files are intact."""
    path = Path(model)
    opened = open_model(path, verify=True)
    if not isinstance(opened, Mixture):
        return [_facts(path, opened)]
    parts = zip(opened.files, opened.models, opened.weights, strict=True)
    return [msgspec.structs.replace(_facts(file, part), weight=weight) for file, part, weight in parts]


def lm_export(model: str | Path, output: str | Path = "", *, arpa: str | Path = "") -> int:
    """Writes a model as ARPA, which other programs read, to `output`, and returns the number of its n-grams. `arpa` is the name
    that `output` had before."""
    if not (output or arpa):
        raise ConfigError("where should the ARPA file go? Name the output.")
    path, file = Path(model), output_path(output or arpa)
    _refuse_overwriting(file, [path])
    opened = open_model(path, verify=True)
    if not isinstance(opened, LanguageModel):
        raise ConfigError(f"{path} is a mixture, for which ARPA has no form. Export its models one by one.")
    write_arpa(opened, file)
    return sum(opened.counts)


def _facts(file: Path, model: LanguageModel) -> ModelFacts:
    checksum = "none: an ARPA file has no checksum" if model.smoothing == "arpa" else "verified"
    return ModelFacts(
        str(file), model.smoothing, model.order, model.counts, len(model.vocabulary), 10**model.unknown_log10,
        file.stat().st_size, checksum,
    )  # fmt: skip


def _row(file: Path, score: Score, sentence: str | None = None) -> TextScore:
    return TextScore(
        file=str(file), sentence=sentence, words=score.words, oov=score.oov, sentences=score.sentences, log10=score.log10,
        perplexity=score.perplexity, perplexity_without_oov=score.perplexity_without_oov,
    )  # fmt: skip


def _sum(scores: Sequence[Score]) -> Score:
    return Score(
        math.fsum(each.log10 for each in scores),
        sum(each.words for each in scores),
        sum(each.oov for each in scores),
        sum(each.sentences for each in scores),
        math.fsum(each.oov_log10 for each in scores),
    )


def _files(path: Path, model: Scorer) -> Sequence[Path]:
    return model.files if isinstance(model, Mixture) else [path]


def _refuse_overwriting(output: Path, inputs: Sequence[Path]) -> None:
    for file in inputs:
        if output.exists() and file.exists() and output.samefile(file):
            raise ConfigError(
                f"{output} would be overwritten, but it is also an input ({file}). Name another output file."
            )


def _warn_few(words: int) -> str:
    return (
        f"the text has only {words} words, so nearly every word of other texts will be unknown to the model, and its "
        "perplexities will say little. Give more text."
    )


def _numbers(text: str) -> list[int]:
    if not re.fullmatch(r"\d+([ ,]\d+)*", text):
        raise ConfigError(f'--prune: "{text}" is not a list of numbers such as 0,0,1.')
    return [int(each) for each in re.findall(r"\d+", text)]


def _bytes(text: str) -> int:
    size = re.fullmatch(r"(\d+(?:\.\d+)?) ?([kmg]?)(?:i?b)?", text.lower())
    if not size:
        raise ConfigError(f'--memory: "{text}" is not a size such as 500MB or 2GB.')
    return int(float(size[1]) * _UNITS[size[2]])
