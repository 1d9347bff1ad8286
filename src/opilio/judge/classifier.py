"""Is the page of the wanted kind? Decides by a linear support vector machine over its words (`model.linear_svm`).

With labelled pages of both kinds (`positive` and `negative`, files like those of corpus.like) the machine is trained
once. Usually there are only samples of what is wanted. Then the other kind is the half of the pages seen that is least
similar to the samples, because the more similar half may belong. The machine is trained when five pages are known, and
whenever their number has doubled; before that only the seeds belong, because somebody has chosen them.

Margins become probabilities by comparison with the margins of the two kinds, each computed by a machine that has not
seen the text. If both kinds were labelled, the dividing line is where fewest of these are on the wrong side. Otherwise
it is half way between the samples' mean and the most similar page of the others, because few pages are wanted.

Long texts have larger margins than short ones. So all are read up to the same number of words: a thousand, or less if
that is needed to cut few samples into five parts.

The machine depends on the state alone, so every copy of the judge trains the same one, even after a resume.
"""

from collections.abc import Sequence
from copy import deepcopy
from typing import Final, Literal, NamedTuple

import msgspec

from opilio.core.errors import ConfigError
from opilio.core.items import Opinion, Page, Verdict
from opilio.core.plugin import Context, Sample
from opilio.core.saved import pack, unpack
from opilio.core.sigmoid import SUREST, sigmoid
from opilio.model import to_lines
from opilio.model.linear_svm import Bag, Trained, bag_of, rarities, similarities, train_svm

from .background import Background
from .seam import Judge

NAME: Final = "classifier"
_FIRST_PAGES: Final = 5  # before the first training
_LEAST_UNLIKE: Final = 3
_COST: Final = 0.1  # low, because samples are few and the pages seen are uncertain examples
_FOLDS: Final = 5  # fewer samples than this are cut into parts, because one must be held out at a time
_WORDS: Final = 1_000


class State(msgspec.Struct):
    """Everything from which a copy in another process, or in a resumed crawl, is built. Texts are lines of words."""

    positive: list[str]
    negative: list[str]
    met: Background = msgspec.field(default_factory=Background)
    learned: Background = msgspec.field(default_factory=Background)  # `met` at the time of the last training
    taught: dict[str, tuple[bool, str]] = {}  # by URL, as the operator has marked it
    version: Literal[1] = 1  # version of this layout


class Scale(NamedTuple):
    """The margin with the probability one half (`line`), and how fast the probability changes around it."""

    line: float
    steepness: float

    def probability(self, margin: float) -> float:
        return sigmoid(self.steepness * (margin - self.line), SUREST)


class Classifier(Judge):
    """`threshold` is the probability from which a page belongs."""

    compares_words = True

    def __init__(self, state: State, *, threshold: float = 0.5) -> None:
        if not 0.0 < threshold < 1.0:
            raise ConfigError(f"judge.threshold must be a probability between 0 and 1, not {threshold}.")
        self._state = state
        self._threshold = threshold
        self._trained: Trained | None = None
        self._scale = Scale(0.0, 0.0)
        self._words = min(_WORDS, _count(state.positive) // _FOLDS + 1) if len(state.positive) < _FOLDS else _WORDS
        self.accuracy = 0.5  # from five-fold cross-validation on the training texts
        if state.negative or state.learned.met:
            self._train()

    @classmethod
    def build(
        cls,
        context: Context,
        *,
        threshold: float = 0.5,
        positive: Sequence[str] = (),
        negative: Sequence[str] = (),
    ) -> "Classifier":
        earlier = unpack(context.state, State, f"the {NAME} judge") if context.state else None
        if earlier is not None and context.read is None:
            return cls(earlier, threshold=threshold)
        wanted = _lines_of((*context.samples, *_read(context, positive)))
        others = _lines_of(_read(context, negative))
        if not wanted:
            raise ConfigError(
                "the classifier learns from pages of the kind you want, and there is no sentence in what it was given. Name some "
                "with --like FILE or in judge.positive; others that you do not want, if you have them, in judge.negative."
            )
        state = earlier or State(wanted, others)
        state.positive, state.negative = wanted, others
        return cls(state, threshold=threshold)

    def judge(self, page: Page) -> Verdict:
        lines = _lines(page.prose)
        if not lines:
            return Verdict.cannot_tell(NAME, "there is no sentence of five words")
        if self._trained is None:
            reason = f"cannot tell: only seeds belong before {_FIRST_PAGES} pages are known to compare with"
            return Verdict(0.5, belongs=page.depth == 0, opinions=(Opinion(NAME, None, reason),))
        margin = self._trained.machine.margin(self._bag(lines))
        score = self._scale.probability(margin)
        reason = (
            f"margin {margin:.2f}, the line is at {self._scale.line:.2f}: belongs with probability {score:.2f}, "
            f"{self._threshold:g} is needed (five-fold accuracy {self.accuracy:.2f})"
        )
        return Verdict(score, belongs=score >= self._threshold, opinions=(Opinion(NAME, score, reason, margin),))

    def watch(self, page: Page, verdict: Verdict) -> bool:  # noqa: ARG002
        if self._state.negative:
            return False
        self._state.met.meet(page.url, lambda: _lines(page.prose))
        if self._state.met.met < max(_FIRST_PAGES, 2 * self._state.learned.met):
            return False
        self._state.learned = deepcopy(self._state.met)
        self._train()
        return True

    def teach(self, page: Page, belongs: bool) -> bool:
        lines = _lines(page.prose)
        if not lines or self._state.taught.get(page.url) == (belongs, lines):
            return False
        self._state.taught[page.url] = (belongs, lines)
        if self._trained is not None:
            self._train()
        return True

    def state(self) -> bytes:
        return pack(self._state)

    def _train(self) -> None:
        state = self._state
        wanted = state.positive if len(state.positive) >= _FOLDS else _parts(state.positive, self._words)
        taught = state.taught.values()
        positive = [self._bag(lines) for lines in (*wanted, *(lines for good, lines in taught if good))]
        negative = [self._bag(lines) for lines in (*state.negative, *(lines for good, lines in taught if not good))]
        if state.negative:
            self._trained = train_svm(positive, negative)
        else:
            met = [self._bag(lines) for lines in (*state.learned.teaching, *state.learned.testing)]
            rarity = rarities([*positive, *negative, *met])
            alike = similarities(positive, met, rarity)
            unlike = sorted(range(len(met)), key=alike.__getitem__)[: max(_LEAST_UNLIKE, len(met) // 2)]
            negative += [met[place] for place in sorted(unlike)]
            self._trained = train_svm(positive, negative, rarity=rarity, cost=_COST)
        line = None if state.negative else _near_samples(self._trained)
        self._scale = Scale(self._trained.line() if line is None else line, _steepness(self._trained))
        self.accuracy = self._trained.accuracy(line)

    def _bag(self, lines: str) -> Bag:
        return bag_of(lines.split()[: self._words])


def _near_samples(trained: Trained) -> float:
    near = sum(trained.positive) / len(trained.positive)
    return (near + min(max(trained.negative), near)) / 2


def _steepness(trained: Trained) -> float:
    """Returns the slope of the log odds of two normal distributions with the same width."""
    near, far = (sum(kind) / len(kind) for kind in (trained.positive, trained.negative))
    squares = sum((margin - near) ** 2 for margin in trained.positive)
    squares += sum((margin - far) ** 2 for margin in trained.negative)
    variance = squares / (len(trained.positive) + len(trained.negative)) + 1e-6
    return max(near - far, 1e-3) / variance


def _lines(text: str) -> str:
    return to_lines(text, clean=True)


def _lines_of(samples: Sequence[Sample]) -> list[str]:
    return [lines for sample in samples if (lines := _lines(sample.text))]


def _read(context: Context, names: Sequence[str]) -> tuple[Sample, ...]:
    return context.read(names) if names and context.read is not None else ()


def _parts(texts: Sequence[str], size: int) -> list[str]:
    """Cuts texts into runs of this many words."""
    words = " ".join(texts).split()
    return [" ".join(words[start : start + size]) for start in range(0, len(words), size)]


def _count(texts: Sequence[str]) -> int:
    return sum(len(text.split()) for text in texts)
