"""Training: lines are counted, counts are smoothed, the model is built.

Besides `memory_bytes`, training takes about 25 bytes for each n-gram of the resulting model.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec

from opilio.core.errors import ModelError

from .build import build_model
from .counts import Levels, WordStream, count_levels, kept_grams
from .katz import estimate_katz
from .kneser_ney import estimate_kneser_ney
from .language_model import LanguageModel
from .listed import ListedGrams
from .training import Training
from .vocabulary import Vocabulary

Progress = Callable[[str, float], None]

_BATCH_CHARS: Final = 1 << 23  # takes about 100 MB; batches are smaller if memory is short
_DEFAULTS: Final = Training()


def train(lines: Iterable[str], settings: Training = _DEFAULTS, progress: Progress | None = None) -> LanguageModel:
    """Trains a model on lines; each item may be one or several. `progress` gets the step and the share of it that is
    done, which stays 0 while words are read, because their number is not known yet."""
    report = progress or _ignore
    vocabulary = Vocabulary()
    levels = _count_lines(vocabulary, [lines] if isinstance(lines, str) else lines, settings, report)
    return _smooth(vocabulary, levels, settings, report)


def train_counts(
    lines: Iterable[str], settings: Training = _DEFAULTS, progress: Progress | None = None
) -> LanguageModel:
    """Trains a model on n-grams that were counted elsewhere: lines of n words, a tab and a count (see `listed`).
    Without an order in the settings, the longest n-gram decides."""
    report = progress or _ignore
    vocabulary = Vocabulary()
    grams = ListedGrams(vocabulary, settings.memory_bytes)
    for batch in _batches([lines] if isinstance(lines, str) else lines, settings.memory_bytes):
        grams.read(batch)
        report("reading n-grams", 0.0)
    settings = msgspec.structs.replace(settings, order=grams.order(settings.order))
    levels = _count(vocabulary, grams.stream, settings, report)
    del grams
    return _smooth(vocabulary, levels, settings, report)


def _count_lines(vocabulary: Vocabulary, lines: Iterable[str], settings: Training, report: Progress) -> Levels:
    stream = WordStream(settings.memory_bytes)
    for batch in _batches(lines, settings.memory_bytes):
        stream.append(vocabulary.learn(batch))
        report("reading words", 0.0)
    return _count(vocabulary, stream, settings, report)


def _count(vocabulary: Vocabulary, stream: WordStream, settings: Training, report: Progress) -> Levels:
    if len(stream) == 0:
        raise ModelError("a language model cannot be trained on a text without words; give more text")
    share = 0.6 / settings.words
    return count_levels(stream, len(vocabulary), settings, lambda order: report("counting n-grams", order * share))


def _smooth(vocabulary: Vocabulary, levels: Levels, settings: Training, report: Progress) -> LanguageModel:
    report("smoothing", 0.6)
    kept = kept_grams(levels, settings)
    estimate = estimate_kneser_ney if settings.smoothing == "kneser-ney" else estimate_katz
    counts = [int(flags.sum()) for flags in kept]
    model = build_model(vocabulary, counts, estimate(levels, kept, settings.unknown), settings.smoothing)
    report("done", 1.0)
    return model


def _batches(lines: Iterable[str], memory_bytes: int) -> Iterator[str]:
    """Joins lines to batches, because a file's lines come one by one and each call has a fixed cost."""
    enough = min(_BATCH_CHARS, memory_bytes // 64)
    batch: list[str] = []
    chars = 0
    for item in lines:
        batch.append(item)
        chars += len(item)
        if chars >= enough:
            yield "\n".join(batch)
            batch, chars = [], 0
    if batch:
        yield "\n".join(batch)


def _ignore(step: str, done: float) -> None:
    pass
