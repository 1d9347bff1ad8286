"""Several models as one: each token's probability is the weighted mean of the models' probabilities.

Rules:
* A token that a model does not know gets that model's probability of unknown words. It is unknown to the mixture only
  if no model knows it.
* Weights are fitted by expectation maximisation on a development text, which should resemble what will be scored and
  must not be part of the training texts. In the fit, a word that a model lacks has the same tiny probability in every
  model. A model's own probability of unknown words would reward it for the words it lacks: for a text drawn from two
  models with weights 0.30 and 0.70, the fit would find 0.19. Tokens that no model knows are left out: they say nothing
  about the models.
* A mixture of mixtures is one mixture: parts are always single models, and weights are multiplied.

Invariant: weights are not negative and sum to 1, and a step of the fit never makes the development text less likely.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from opilio.core.errors import ConfigError

from .language_model import LanguageModel, sum_up
from .score import Score
from .scorer import Scorer
from .vocabulary import END, UNKNOWN

Doubles = npt.NDArray[np.float64]
Fitted = tuple[Doubles, list[float]]  # weights, and the perplexity before the first and after every step

TOLERANCE: Final = 1e-6  # the fit ends after a step that lowers the perplexity by less than this share
STEPS: Final = 200
_KNOWN: Final = END + 1  # the number of a word that some model knows, whichever it is


class Mixture:
    def __init__(
        self,
        models: Sequence[LanguageModel],
        weights: Sequence[float],
        *,
        trace: Sequence[float] = (),
        chosen: Sequence[int] | None = None,
        files: Sequence[Path] = (),
    ) -> None:
        """`trace` is the perplexity of the development text before and after each step of the fit, `chosen` the
        positions of the models that were taken among those offered, `files` the parts' files."""
        if len(models) != len(weights) or not models or min(weights) < 0 or not math.isclose(sum(weights), 1):
            raise ConfigError(f"{len(models)} models cannot be mixed with weights {list(weights)}; they must sum to 1.")
        self.models = tuple(models)
        self.weights = tuple(weights)
        self.trace = tuple(trace)
        self.chosen = tuple(range(len(models)) if chosen is None else chosen)
        self.files = tuple(files)

    @classmethod
    def fit(
        cls, models: Sequence[Scorer], lines: str, *, tolerance: float = TOLERANCE, steps: int = STEPS
    ) -> "Mixture":
        """Finds the weights under which the lines are most likely."""
        return _mix(models, range(len(models)), em_weights(fit_table(models, lines), tolerance=tolerance, steps=steps))

    def score(self, lines: str) -> Score:
        return self.score_many((lines,))[0]

    def score_many(self, texts: Sequence[str]) -> list[Score]:
        ids, ends = self.models[0].vocabulary.find(texts)
        log10, unknown = self.token_log10("\n".join(texts))
        ids[~unknown & (ids != END)] = _KNOWN
        ids[unknown] = UNKNOWN
        return sum_up(ids, log10, ends)

    def token_log10(self, lines: str) -> tuple[Doubles, npt.NDArray[np.bool_]]:
        probabilities, unknown = _probabilities(self.models, lines)
        return np.log10(probabilities @ np.array(self.weights)), np.logical_and.reduce(unknown, axis=1)

    def save(self, path: str | Path, files: Sequence[Path] = ()) -> None:
        """Writes a small file with the names and checksums of the models' files."""
        from .mixture_file import save_mixture  # noqa: PLC0415 - that module imports this class

        save_mixture(Path(path), self.weights, files or self.files)


def em_weights(probabilities: Doubles, *, tolerance: float = TOLERANCE, steps: int = STEPS) -> Fitted:
    """Returns the weights of the columns (models) that make the rows (tokens) most likely. Rows in which all columns
    are 0 are ignored."""
    likely = probabilities[probabilities.max(axis=1, initial=0.0) > 0]
    weights = np.full(likely.shape[1], 1 / likely.shape[1])
    mixed = likely @ weights
    trace = [_perplexity(mixed)]
    for _ in range(steps):
        candidate = weights * (likely.T @ (1 / mixed))
        candidate /= candidate.sum()
        mixed = likely @ candidate
        perplexity = _perplexity(mixed)
        if perplexity > trace[-1]:  # only rounding can raise it, so there is nothing left to gain
            break
        weights = candidate
        trace.append(perplexity)
        if trace[-2] - perplexity <= tolerance * perplexity:
            break
    return weights, trace


def best_of_window(
    models: Sequence[Scorer], lines: str, k: int, *, tolerance: float = TOLERANCE, steps: int = STEPS
) -> Mixture:
    """Finds the best mixture of at most `k` of the models, `chosen` in the order of their gain.

    Models are added one by one, each time the one that lowers the perplexity of the lines most; if none does, fewer
    than `k` are taken. The `k` models with the highest weights in a mixture of all would be found faster, but models of
    neighbouring days are similar: they share their weight, and both or neither would be taken. The models score the
    lines once; the rest is arithmetic on a table, with at most k fits for each model.
    """
    if k < 1:
        raise ConfigError(f"the best {k} models cannot be chosen; choose at least 1.")
    table = fit_table(models, lines)
    best: list[int] = []
    fitted: Fitted | None = None
    while len(best) < min(k, len(models)):
        left = [place for place in range(len(models)) if place not in best]
        fits = {place: em_weights(table[:, [*best, place]], tolerance=tolerance, steps=steps) for place in left}
        winner = min(left, key=lambda place: fits[place][1][-1])
        if fitted is not None and fits[winner][1][-1] >= fitted[1][-1] * (1 - tolerance):
            break
        best.append(winner)
        fitted = fits[winner]
    assert fitted is not None
    return _mix(models, best, fitted)


def fit_table(models: Sequence[Scorer], lines: str) -> Doubles:
    """Returns the probabilities that a fit compares, with a row for each token that any model knows and a column for
    each model."""
    if not models:
        raise ConfigError("there are no models to mix; name at least one.")
    table, unknown = _probabilities(models, lines)
    together = {word for model in models for part, _ in _parts(model) for word in part.vocabulary.words()}
    table[unknown] = table[unknown].min(initial=1.0) / len(together)
    known = ~unknown.all(axis=1)
    if np.count_nonzero(known) <= models[0].score(lines).sentences:  # every model knows the end of a sentence
        raise ConfigError("none of the models knows a word of the development text. Choose a text of their language.")
    return table[known]


def single_perplexities(models: Sequence[Scorer], lines: str) -> list[float]:
    """Returns each model's perplexity as the fit measures it: for models with different vocabularies only these are
    comparable."""
    return [_perplexity(column) for column in fit_table(models, lines).T]


def _mix(models: Sequence[Scorer], chosen: Sequence[int], fitted: Fitted) -> Mixture:
    weights, trace = fitted
    parts = [
        (part, weight * inner)
        for place, weight in zip(chosen, weights.tolist(), strict=True)
        for part, inner in _parts(models[place])
    ]
    return Mixture([part for part, _ in parts], [weight for _, weight in parts], trace=trace, chosen=chosen)


def _parts(model: Scorer) -> list[tuple[LanguageModel, float]]:
    if isinstance(model, Mixture):
        return list(zip(model.models, model.weights, strict=True))
    if isinstance(model, LanguageModel):
        return [(model, 1.0)]
    raise TypeError(f"a mixture is made of LanguageModel and Mixture, not of {type(model).__name__}")


def _probabilities(models: Sequence[Scorer], lines: str) -> tuple[Doubles, npt.NDArray[np.bool_]]:
    """Returns the probability of each token (a row) in each model (a column), and whether the model does not know
    it."""
    answers = [model.token_log10(lines) for model in models]
    table = np.power(10.0, np.stack([log10 for log10, _ in answers], axis=1))
    return table, np.stack([unknown for _, unknown in answers], axis=1)


def _perplexity(mixed: Doubles) -> float:
    return float(np.exp(-np.log(mixed).mean()))
