"""Builds a model: puts estimates, order by order, into its slots."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .estimate import Estimate
from .kernels.mixing import EMPTY
from .kernels.slots import BUCKET, fill_slots
from .language_model import LanguageModel
from .vocabulary import Vocabulary

_SLOTS_PER_GRAM: Final = 1.5  # with fewer a search takes more steps, with more the model is larger


def build_model(
    vocabulary: Vocabulary, counts: Sequence[int], estimates: Iterable[Estimate], smoothing: str
) -> LanguageModel:
    """`counts` are the numbers of n-grams of each order, words first."""
    sizes = [_buckets(counts[0]), *(_buckets(count * _SLOTS_PER_GRAM) for count in counts[1:])]
    slots = np.empty(2 * sum(sizes), np.uint64)  # memory is taken only when it is written to, order by order
    floats = slots.view(np.float32)
    start = 0
    placed: npt.NDArray[Any] = np.arange(counts[0], dtype=np.uint32)
    coming = iter(estimates)
    for size in sizes:
        estimate = next(coming)
        slots[2 * start : 2 * (start + size)] = EMPTY
        if start == 0:
            floats[2 : 4 * counts[0] : 4] = estimate.log10
            floats[3 : 4 * counts[0] : 4] = estimate.backoffs
        else:
            contexts, placed = placed, np.empty(len(estimate.grams), np.uint32)
            fill_slots(estimate.grams, estimate.log10, estimate.backoffs, contexts, slots, floats, start, size, placed)
            del contexts
        start += size
        del estimate  # frees its memory before the next one is made
    return LanguageModel(vocabulary.trimmed(), slots, sizes, counts, smoothing)


def _buckets(slots: float) -> int:
    """Returns this many slots and at least one more, in whole buckets."""
    return (int(slots) // BUCKET + 1) * BUCKET
