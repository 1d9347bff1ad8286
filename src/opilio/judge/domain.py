"""The user's samples as a language model, and what they say about themselves.

Held-out perplexities: the samples are divided, and each part is scored by a model of the others. Four texts or more are divided
as they are; fewer are cut into pieces, which lie closer to each other than two texts of one kind do, so the estimate is then
hopeful. Above 100,000 words one part in ten is held out once instead of each in turn.
"""

from collections.abc import Sequence
from hashlib import blake2b
from itertools import chain
from math import log10
from typing import TYPE_CHECKING, Final, NamedTuple

from opilio.core.errors import ConfigError
from opilio.core.plugin import Sample

if TYPE_CHECKING:
    from opilio.model import LanguageModel, Scorer, Training

TINY_WORDS: Final = 50
_FOLDS: Final = 10
_LEAST_TEXTS: Final = 4
_PIECE_WORDS: Final = 400
_LEAST_PIECES: Final = 4
_MANY_WORDS: Final = 100_000
_MOST_HELD_OUT: Final = 50


class HeldOut(NamedTuple):
    """Parts of the samples, and each one's perplexity under a model of the others, as powers of ten."""

    lines: list[str]
    perplexities: list[float]


def sample_lines(samples: Sequence[Sample]) -> list[str]:
    from opilio.model import to_lines  # noqa: PLC0415  (numba: a second)

    lines = [found for sample in samples if (found := to_lines(sample.text, clean=True))]
    if not lines:
        names = ", ".join(sample.name for sample in samples) or "none were given"
        raise ConfigError(
            f"the perplexity judge learns from sample texts, and there are no sentences in them ({names}). Name texts of the "
            "kind you want with --like FILE, or in corpus.like; a page or an article is enough."
        )
    return lines


def digest_of(lines: Sequence[str], training: "Training") -> str:
    digest = blake2b(repr((training.words, training.unknown)).encode(), digest_size=8)
    for text in lines:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


def hold_out(lines: Sequence[str], training: "Training") -> HeldOut:
    from opilio.model import train  # noqa: PLC0415

    parts = _parts(lines)
    folds = [parts[first::_FOLDS] for first in range(min(_FOLDS, len(parts)))]
    if sum(map(_words, parts)) > _MANY_WORDS:
        folds = folds[:1]
    held: list[str] = []
    perplexities: list[float] = []
    for number, fold in enumerate(folds):
        others = chain.from_iterable(parts[first::_FOLDS] for first in range(_FOLDS) if first != number)
        model = train(list(others) or parts, training)
        held += fold[:_MOST_HELD_OUT]
        perplexities += perplexities_of(model, fold[:_MOST_HELD_OUT])
    return HeldOut(held, perplexities)


def perplexities_of(model: "Scorer | LanguageModel", texts: Sequence[str]) -> list[float]:
    """As powers of ten; a text without words gets that of an unknown word a million times over."""
    return [-score.log10 / score.words if score.words else 6.0 for score in model.score_many(texts)]


def power(perplexity: float) -> float:
    return log10(max(perplexity, 1e-300))


def _parts(lines: Sequence[str]) -> list[str]:
    if len(lines) >= _LEAST_TEXTS:
        return list(lines)
    sentences = [sentence for text in lines for sentence in text.split("\n")]
    size = min(_PIECE_WORDS, sum(map(_words, sentences)) // _LEAST_PIECES + 1)
    parts: list[list[str]] = [[]]
    filled = 0
    for sentence in sentences:
        if filled >= size:
            parts.append([])
            filled = 0
        parts[-1].append(sentence)
        filled += _words(sentence)
    return ["\n".join(part) for part in parts]


def _words(lines: str) -> int:
    return lines.count(" ") + lines.count("\n") + 1
