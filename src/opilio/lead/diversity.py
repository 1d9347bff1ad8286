"""Predicts which links lead to the pages with the highest scores, from the words around them: Barbosa & Bangalore (2011).

Pages are divided into three classes with as many pages each, Low, Medium and High, by their scores, so the bounds between the
classes move as the crawl goes on. With the judge `novelty` the scores rank pages by their perplexity. A learner predicts the
class of a link from its neighbourhood.

Pages with the score 0, which the judge's guards refuse, are a fourth class, however few they are, because a few of them do not
count among the many other pages that are Low. Links of that class are Low, and come last there.

So do links whose anchors are in a language that hardly any page with a score had: their words were on no link before, so the
learner could only guess, and `novelty` refuses what is in other languages.

The crawl begins at random. A *lesson* takes place when given numbers of pages besides the seeds were read, because a seed has no
neighbourhood to learn from: all pages so far are divided anew, the learner is trained anew, and all open links are scored again.
A score is the number of the class (Low 0, Medium 1, High 2) plus its likelihood, so `policy.bounds = [2, 1]` makes a queue of
each class, ordered by likelihood.

Invariant: scores depend only on the pages up to the last lesson, in their order, and on the link itself. Nothing is learned
while pages have fewer than three different scores, as in a first cycle, which has nothing to compare with.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final, Literal, get_args

import msgspec

from opilio.core.draw import hash_share
from opilio.core.errors import ConfigError
from opilio.core.items import Target
from opilio.core.plugin import Context
from opilio.core.saved import pack, unpack

from .neighbourhood import anchor_language, neighbourhood
from .seam import FRESH, Judged, Lead, Stale

if TYPE_CHECKING:
    from opilio.model.bag_classes import Learned

CLASSES: Final = ("Low", "Medium", "High")
NAME: Final = "diversity"
LESSONS: Final = (0.15, 0.3, 0.5, 0.65, 0.8)  # the first three are published
PUBLISHED_PAGES: Final = 100_000  # of a cycle
_HIGH: Final = len(CLASSES) - 1
_REFUSED: Final = len(CLASSES)  # the class of pages with the score 0
_LEAST_REFUSED: Final = 2  # below it they are Low: a class of one page cannot be held out
_GROWTH: Final = 1.05  # the state is saved after this many times as many pages: a kill loses at most 5 % of them
_LEAST_LINKS: Final = 5  # that have a word which is shown
_MOST_SHOWN: Final = 12  # words of a class
_LEAST_EXAMPLES: Final = 30
_HOME_SHARE: Final = 0.1  # of the pages with a score, from which on a language is not foreign

Learner = Literal["svm", "bayes", "logistic"]


class Example(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A page that a link led to."""

    words: str  # of the neighbourhood, separated by spaces
    score: float
    language: str = ""  # of a page whose score is above 0


class Lesson(msgspec.Struct, frozen=True):
    """What was learned at one point of the crawl. `accuracy` and `f_high` are of five folds; 0 if the learner has none."""

    pages: int  # read until then
    examples: int
    bounds: tuple[float, float]  # scores that divide the classes
    accuracy: float
    f_high: float
    words: tuple[list[str], list[str], list[str]]  # that speak for each class most


class State(msgspec.Struct):
    examples: list[Example] = []
    lessons: list[Lesson] = []
    pages: int = 0
    seeds: int = 0  # among the pages
    passed: int = 0  # lessons, whether something could be learned or not
    version: Literal[1] = 1


class Diversity(Lead):
    """`lessons` are numbers of pages besides the seeds, or shares below 1 of what stop.pages leaves for such pages, after which
    something is learned; without stop.pages they are shares of 100,000, as published. `learner` is "svm", "bayes" or
    "logistic"."""

    goes_by = "which third of the scores the words around them promise"
    sightings = 4

    def __init__(
        self,
        lessons: Sequence[float] = LESSONS,
        learner: Learner = "svm",
        *,
        pages: int = 0,
        seed: int = 0,
    ) -> None:
        if learner not in get_args(Learner):
            raise ConfigError(f'lead.learner is "svm", "bayes" or "logistic", not "{learner}".')
        if not all(lesson > 0 for lesson in lessons):
            raise ConfigError(f"lead.lessons are numbers of pages, or shares of stop.pages, not {list(lessons)}.")
        self._pages = pages or PUBLISHED_PAGES
        self._lessons = sorted(lessons, key=lambda lesson: lesson * self._pages if lesson < 1 else lesson)
        self._learner = learner
        self._key = seed.to_bytes(8, "little", signed=True)
        self._state = State()
        self._learned: Learned | None = None
        self._home: frozenset[str] = (
            frozenset()
        )  # languages of the pages that have a score; none if they cannot be told
        self._saved = 0  # pages, when it was last saved
        self._changed = False

    @classmethod
    def build(
        cls,
        context: Context,
        *,
        lessons: Sequence[float] = LESSONS,
        learner: Learner = "svm",
    ) -> "Diversity":
        return cls(lessons, learner, pages=context.config.stop.pages, seed=context.config.crawl.seed)

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        if self._learned is None:
            return [_HIGH + hash_share(target.url, 7, self._key) for target in targets]
        return [place + likelihood for place, likelihood in map(self._predict, targets)]

    def learn(self, judged: Judged) -> Stale:
        state = self._state
        state.pages += 1
        if not judged.target.sightings:  # a seed has no neighbourhood
            state.seeds += 1
            return FRESH
        if not self._has_lessons_left:
            return FRESH
        words, score = " ".join(neighbourhood(judged.target)), judged.verdict.score
        state.examples.append(Example(words, score, judged.page.language if score > 0 else ""))
        if state.pages < self._next_lesson():
            return FRESH
        while self._has_lessons_left and state.pages >= self._next_lesson():
            state.passed += 1
        self._changed = True
        return Stale(everything=True) if self._train(len(state.examples)) else FRESH

    @property
    def _has_lessons_left(self) -> bool:
        return self._state.passed < len(self._lessons)

    def _next_lesson(self) -> int:
        """Returns the number of pages, with the seeds so far, at which the next lesson is due."""
        lesson, seeds = self._lessons[self._state.passed], self._state.seeds
        return seeds + (round(lesson * (self._pages - seeds)) if lesson < 1 else int(lesson))

    def explain(self, target: Target) -> Sequence[str]:
        if self._learned is None:
            until = f", until {self._next_lesson()} pages were read and compared" if self._has_lessons_left else ""
            return [f"drawn by chance{until}"]
        if self._is_foreign(target):
            return [
                f"its anchor is in {anchor_language(target)}, and pages so far are in {', '.join(sorted(self._home))}"
            ]
        place, likelihood = self._predict(target)
        speaking = sorted(neighbourhood(target), key=lambda word: -self._speaks(word, place))[:_MOST_SHOWN]
        shown = ", ".join(word for word in speaking if self._speaks(word, place) > 0)
        lesson = self._state.lessons[-1]
        taught = f"by {lesson.examples} pages that were read"
        return [
            f"predicted to be in the class {CLASSES[place]} of three, {taught} (likelihood {likelihood:.2f})",
            f"words that speak for it: {shown or 'none'}",
        ]

    def save(self) -> bytes | None:
        pages = self._state.pages
        if not self._changed and pages < _GROWTH * self._saved + 1:
            return None
        self._changed, self._saved = False, pages
        return pack(self._state)

    def load(self, state: bytes) -> None:
        self._state = unpack(state, State, f"the {NAME} lead")
        if self._state.lessons:
            last = self._state.lessons.pop()
            self._train(last.examples, last.pages)

    def _train(self, count: int, pages: int | None = None) -> bool:
        """Learns from the first `count` examples. Returns False if they cannot be divided into three classes."""
        from opilio.model.bag_classes import learn_classes  # noqa: PLC0415 - it compiles when it is imported
        from opilio.model.linear_svm import bag_of  # noqa: PLC0415

        examples = self._state.examples[:count]
        bounds = class_bounds([one.score for one in examples if one.score > 0])
        if bounds is None:
            return False
        classes = [class_of(one.score, bounds) for one in examples]
        labels = [place if one.score > 0 else _REFUSED for place, one in zip(classes, examples, strict=True)]
        if labels.count(_REFUSED) < _LEAST_REFUSED:
            labels = classes
        words = [one.words.split() for one in examples]
        self._learned = learned = learn_classes([bag_of(own) for own in words], labels, max(labels) + 1, self._learner)
        self._home = _home_languages(examples)
        accuracy = f_high = 0.0
        if learned.held_out is not None:
            accuracy, f_high = agreement(
                classes, [place % _REFUSED for place in learned.held_out.argmax(axis=1).tolist()]
            )
        at = self._state.pages if pages is None else pages
        self._state.lessons.append(Lesson(at, count, bounds, accuracy, f_high, self._deciding(words)))
        return True

    def _predict(self, target: Target) -> tuple[int, float]:
        from opilio.model.bag_classes import likelihoods  # noqa: PLC0415
        from opilio.model.linear_svm import bag_of  # noqa: PLC0415

        assert self._learned is not None
        if self._is_foreign(target):
            return 0, 0.0
        shares = likelihoods(self._learned.strengths.of_bag(bag_of(neighbourhood(target))))
        place = int(shares.argmax())
        if place == _REFUSED:
            return 0, 0.0
        return place, min(float(shares[place]), 0.999999)  # a class ends before the next one begins

    def _is_foreign(self, target: Target) -> bool:
        return bool(self._home) and anchor_language(target) not in ("", *self._home)

    def _deciding(self, words: Sequence[Sequence[str]]) -> tuple[list[str], list[str], list[str]]:
        counts = Counter(chain.from_iterable(words))
        known = sorted(word for word, count in counts.items() if count >= _LEAST_LINKS)
        low, medium, high = (
            sorted(known, key=lambda word, place=place: -self._speaks(word, place))[:_MOST_SHOWN]  # type: ignore[misc]
            for place in range(len(CLASSES))
        )
        return low, medium, high

    def _speaks(self, word: str, place: int) -> float:
        """Returns how much more a word speaks for a class than for the others."""
        from opilio.model.linear_svm import slot_of  # noqa: PLC0415

        assert self._learned is not None
        strengths = self._learned.strengths.of_slot(slot_of(word))
        return float(strengths[place] - strengths.mean())


def _home_languages(examples: Sequence[Example]) -> frozenset[str]:
    counts = Counter(one.language for one in examples if one.language)
    return frozenset(code for code, count in counts.items() if count >= _HOME_SHARE * counts.total())


def class_bounds(scores: Sequence[float]) -> tuple[float, float] | None:
    """Returns the scores at which Medium and High begin, so that the classes have as many pages each. If more than a third of the
    pages have the lowest score, they are Low, and the others are divided in half. None if there are fewer than three scores."""
    ranked = sorted(scores)
    if len(ranked) < _LEAST_EXAMPLES or len(set(ranked)) < len(CLASSES):
        return None
    above = ranked[bisect_right(ranked, ranked[0]) :]
    medium = max(ranked[len(ranked) // 3], above[0])
    rest = ranked[bisect_left(ranked, medium) :]
    high = rest[len(rest) // 2]
    return (medium, high) if medium < high else _next_above(rest, medium)


def _next_above(ranked: Sequence[float], medium: float) -> tuple[float, float] | None:
    """Returns bounds if more than half of the others have the same score: High is what is above it."""
    above = bisect_right(ranked, medium)
    return (medium, ranked[above]) if above < len(ranked) else None


def class_of(score: float, bounds: tuple[float, float]) -> int:
    return sum(score >= bound for bound in bounds)


def agreement(labels: Sequence[int], guesses: Sequence[int]) -> tuple[float, float]:
    """Returns the accuracy of guesses, and the F-measure of the class High."""
    right = sum(label == guess for label, guess in zip(labels, guesses, strict=True))
    found = sum(label == guess == _HIGH for label, guess in zip(labels, guesses, strict=True))
    named = sum(label == _HIGH for label in labels) + sum(guess == _HIGH for guess in guesses)
    return right / len(labels), 2 * found / named if named else 0.0


def lessons_of(state: bytes) -> list[Lesson]:
    """Returns what the lead of a crawl has learned, from its saved state."""
    return unpack(state, State, f"the {NAME} lead").lessons
