"""The user's samples as a language model, and how well samples are predicted by each other.

Holding out means that the samples are divided, and each text is scored by a model of the others. A single text is cut
into pieces, which are more similar to each other than two texts of one kind. Both are corrected by what was measured on
an encyclopedia: for the text that the model of the others lacks, and for the similarity of pieces; the latter is a
rough guess, and a second text is better. Above 100,000 words one text in ten is held out once instead of each in turn.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import chain
from math import log10
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from opilio.core.errors import ConfigError, ModelError
from opilio.core.plugin import Sample
from opilio.model import Scorer, Training, open_model, to_lines, train

from .advantage import Values, read
from .background import shortened

_FOLDS: Final = 10
_PIECE_WORDS: Final = 400
_LEAST_PIECES: Final = 4
_MANY_WORDS: Final = 100_000
_MOST_HELD_OUT: Final = 50
_SAMPLE_GROWTH: Final = 1.2  # powers of ten by which the perplexity falls with ten times the samples
_CLOSENESS: Final = 0.65  # … by which it is lower for pieces of one text than for texts of its kind


class HeldOut(msgspec.Struct, frozen=True):
    """Parts of the samples, cut to the length of pages of the background, and how a model of the other parts scores
    each."""

    lines: list[str] = []
    perplexities: list[float] = []  # of the whole parts, as powers of ten, after correction
    log10s: list[bytes] = []  # of each word (`Reading`), as little-endian floats of 32 bits
    words: int = 0  # in all samples
    texts: int = 0  # how many were divided; 1: it was cut into pieces; 0: none was left out of the model

    @property
    def is_apart(self) -> bool:
        """Tells whether no part was scored by a model of itself, as is the only part of a sample of one sentence."""
        return self.texts != 1 or len(self.lines) > 1

    def readings(self) -> list[Values]:
        return [np.frombuffer(each, "<f4").astype(np.float64) for each in self.log10s]


def sample_lines(samples: Sequence[Sample]) -> list[str]:
    """Returns the lines of each text, without repeated texts."""
    lines = list(dict.fromkeys(found for sample in samples if (found := to_lines(sample.text, clean=True))))
    if not lines:
        names = ", ".join(sample.name for sample in samples) or "none were given"
        raise ConfigError(
            f"the perplexity judge learns from sample texts, and there are no sentences in them ({names}). Name texts of the "
            "kind you want with --like FILE, or in corpus.like; a page or an article is enough."
        )
    return lines


def named_model(path: Path) -> Scorer:
    if not path.exists():
        raise ConfigError(f"judge.model: there is no {path}. `opilio lm train` makes one.")
    return open_model(path, verify=True)


def model_of(lines: Sequence[str], training: Training, folder: Path | None) -> tuple[Scorer, str]:
    """Returns the model of the samples and its file's name: opened if it is in the folder, else trained and saved."""
    name = f"domain-{_digest(lines, training)}.lm"
    file = folder / name if folder else None
    if file is not None and file.exists():
        try:
            return open_model(file, verify=True), name
        except ModelError as error:
            raise ModelError(
                f"{str(error).rstrip('.')}. Or remove it: the judge trains it again from the samples."
            ) from error
    model = train(lines, training)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        model.save(file)
    return model, name


def hold_out(lines: Sequence[str], training: Training) -> HeldOut:
    parts = list(lines) if len(lines) > 1 else _pieces(lines[0])
    words = sum(map(_words, parts))
    folds = [parts[first::_FOLDS] for first in range(min(_FOLDS, len(parts)))]
    held: list[HeldOut] = []
    for number, fold in enumerate(folds[:1] if words > _MANY_WORDS else folds):
        others = list(chain.from_iterable(parts[first::_FOLDS] for first in range(_FOLDS) if first != number))
        held.append(score_parts(train(others or parts, training), fold[:_MOST_HELD_OUT]))
    learning = _SAMPLE_GROWTH * log10(len(folds) / max(1, len(folds) - 1))
    correction = -learning if len(lines) > 1 else _CLOSENESS
    return HeldOut(
        [text for each in held for text in each.lines],
        [power + correction for each in held for power in each.perplexities],
        [log10s for each in held for log10s in each.log10s],
        words,
        len(lines),
    )


def score_parts(model: Scorer, parts: Iterable[str]) -> HeldOut:
    """Scores parts by a model that should not have seen them. Perplexities are of the whole parts, like those of pages,
    because the beginning of a text is easier to predict than the rest."""
    whole = list(parts)
    lines = [shortened(part) for part in whole]
    log10s = [read(model, each).log10s.astype("<f4").tobytes() for each in lines]
    return HeldOut(lines, [read(model, part).power for part in whole], log10s, sum(map(_words, lines)))


def _digest(lines: Sequence[str], training: Training) -> str:
    digest = blake2b(repr((training.words, training.unknown)).encode(), digest_size=8)
    for text in lines:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


def _pieces(lines: str) -> list[str]:
    size = min(_PIECE_WORDS, _words(lines) // _LEAST_PIECES + 1)
    pieces: list[list[str]] = [[]]
    filled = 0
    for sentence in lines.split("\n"):
        if filled >= size:
            pieces.append([])
            filled = 0
        pieces[-1].append(sentence)
        filled += _words(sentence)
    return ["\n".join(piece) for piece in pieces]


def _words(lines: str) -> int:
    return lines.count(" ") + lines.count("\n") + 1
