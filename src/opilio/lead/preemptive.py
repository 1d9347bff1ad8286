"""Predicts which links lead into the domain, before they are fetched: Dhuliawala et al. (2015).

Each link becomes a few numbers: how much the tokens of its URL, of its anchors and of its parents' URLs say for or against
the domain (`pools`; one or two numbers each, by `weights`), the mean score of its parents (`parents_mean`), and how many of
them belong. As published there are eight: overlaps with the tokens of links that led inside, and of those that led outside.
A naive Bayes learner turns them into log odds, which are the score: at 0 or above the link is thought to lead inside. Of two
overlaps of the same tokens none is the mirror of the other, since naive Bayes would count that twice.

Three phases, changed only between layers:
* *first pages*: in the order of `first`, until `bootstrap` pages that do not belong were seen, and one that does;
* *balance*: the pools and the learner are rebuilt after each layer, from the pages so far, until `bootstrap` pages that
  belong were seen too, so that the crawl looks for such pages instead of waiting for them;
* *layers*: pools take in every page of the layer, the learner only the `trained` share whose verdicts are the surest. Learning
  from a wrong verdict would bring more such pages.

A page of which the judge cannot tell anything, such as a list of links, is neither inside nor outside, and teaches nothing.

Invariant: scores depend only on the pages learned from up to the last boundary, in their order, and on the link itself.
"""

from collections.abc import Sequence
from math import ceil
from typing import Final, Literal, get_args

import msgspec

from opilio.core.counted import counted
from opilio.core.errors import ConfigError
from opilio.core.items import Target
from opilio.core.sigmoid import sigmoid
from opilio.model.naive_bayes import NaiveBayes

from .parents_mean import leaning_mean
from .pools import OVERLAPS, Pools, Weights, anchor_tokens, url_tokens
from .remembering import Remembering
from .seam import FRESH, Judged, Stale

_NAMES: Final = ("URL", "anchor text", "parents' URLs")  # whose tokens are compared
_OVERLAPS_TOLD: Final[dict[Weights, str]] = {
    "both": "{:+.2f} by frequency, {:+.2f} by odds",
    "odds": "{:+.2f}",
    "contrast": "{:+.2f}",
    "frequencies": "{:.2f} inside, {:.2f} outside",
}
_UNDECIDED_SCORE: Final = 0.5  # of a judge that knows too little so far; such a verdict teaches nothing
_MEMORY_FACTOR: Final = 4  # times `bootstrap`: pages of each class remembered until the classes are balanced
_GROWTH: Final = 1.02  # everything is scored again when this many times the pages are known: a pass costs 20 µs a link


class Example(msgspec.Struct, frozen=True, gc=False):
    """What can be learned from one judged page."""

    url: str
    anchors: list[str]
    parents: list[str]
    parent_score: float
    parents_inside: int
    belongs: bool
    sureness: float  # of the verdict, 0 to 1/2


class State(msgspec.Struct):
    learner: NaiveBayes
    urls: Pools
    anchors: Pools
    recent: list[Example]  # first pages, then those of the layer under way
    seen: list[int]  # pages that a link led to: outside, inside
    started: bool = False  # the first pages are over
    balanced: bool = False
    scored: int = 0  # pages seen when everything was last scored
    weights: str = ""  # of the tokens, by which the learner has learned


class Preemptive(Remembering[State]):
    """`bootstrap` is the number of pages of either class that the first model is built from. `trained` is the share of a layer's
    pages that the learner is trained on afterwards. `weights` are those of the tokens in `pools`: "frequencies" are published.
    `first` is the order of the first pages: "breadth-first" is published; "parents" prefers links of good pages, as the skyline
    does."""

    goes_by = "what was learned of addresses, anchors and parents"
    sightings = 16

    def __init__(
        self,
        bootstrap: int = 400,
        trained: float = 0.25,
        weights: Weights = "both",
        first: Literal["breadth-first", "parents"] = "breadth-first",
    ) -> None:
        if bootstrap < 1 or not 0.0 < trained <= 1.0:
            raise ConfigError(
                f"lead.bootstrap is a number of pages from 1, and lead.trained a share above 0 and up to 1, not {bootstrap} "
                f"and {trained}."
            )
        if weights not in get_args(Weights):
            raise ConfigError(
                f'lead.weights of tokens are "both", "odds", "contrast" or "frequencies", not "{weights}".'
            )
        if first not in ("breadth-first", "parents"):
            raise ConfigError(f'lead.first is "breadth-first" or "parents", not "{first}".')
        self._overlap_weights = weights
        self._features_count = len(_NAMES) * OVERLAPS[weights] + 2
        self._by_parents = first == "parents"
        self._bootstrap = bootstrap
        self._trained = trained
        untrained = NaiveBayes.untrained(self._features_count)
        super().__init__(State(untrained, Pools.empty(), Pools.empty(), [], [0, 0], weights=weights))
        self._weights = self._state.learner.weights()
        self._of_parents: dict[str, tuple[float, ...]] = {}  # cached while the pools stay the same

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        if not self._state.started:
            return [leaning_mean(target) if self._by_parents else -float(target.depth) for target in targets]
        return [self._log_odds(self._features(_example(target))) for target in targets]

    def learn(self, judged: Judged) -> Stale:
        verdict = judged.verdict
        if verdict.abstains or verdict.score == _UNDECIDED_SCORE:
            return FRESH
        self._state.seen[verdict.belongs] += bool(judged.target.sightings)
        self._state.recent.append(_example(judged.target, belongs=verdict.belongs, sureness=abs(verdict.score - 0.5)))
        self._changed = True
        return FRESH

    def boundary(self) -> Stale:
        self._changed = True
        state = self._state
        if state.balanced:
            self._learn_layer()
        else:
            outside, inside = state.seen
            state.started = outside >= self._bootstrap and inside > 0
            state.balanced = state.started and inside >= self._bootstrap
            most = _MEMORY_FACTOR * self._bootstrap
            state.recent = [*_newest(state.recent, False, most), *_newest(state.recent, True, most)]
            if state.started:
                self._learn_anew()
        self._weights = state.learner.weights()
        self._of_parents.clear()
        seen = sum(state.seen)
        if not state.started or seen < _GROWTH * state.scored:
            return FRESH
        state.scored = seen
        return Stale(everything=True)

    def explain(self, target: Target) -> Sequence[str]:
        outside, inside = self._state.seen
        if not self._state.started:
            until = f"until {self._bootstrap} pages that do not belong are known, and one that does"
            place = f"{counted(target.depth, 'link')} from a seed; nearer ones come first"
            if self._by_parents:
                place = f"mean score of its parents, leaning to 0, {leaning_mean(target):.2f}; higher ones come first"
            return [f"{place} {until} (so far {outside} and {inside})"]
        features = self._features(_example(target))
        odds = self._log_odds(features)
        chance = sigmoid(odds)
        teachers = f"by what {inside} pages that belong and {outside} others have taught"
        place = "inside" if odds >= 0 else "outside"
        thought = f"thought to lead {place}, {teachers} (log odds {odds:.2f}, probability {chance:.2f})"
        return [thought, *self._reasons(features)]

    def load(self, state: bytes) -> None:
        """Begins to learn anew if the weights have changed, since the features mean something else then. The pools stay."""
        super().load(state)
        if self._state.weights != self._overlap_weights:
            self._state.learner = NaiveBayes.untrained(self._features_count)
            self._state.weights = self._overlap_weights
        self._weights = self._state.learner.weights()
        self._of_parents.clear()

    def _learn_anew(self) -> None:
        """Learns from the first pages. Each is compared with pools without it, since it would recognise itself."""
        state = self._state
        state.learner, state.urls, state.anchors = (
            NaiveBayes.untrained(self._features_count),
            Pools.empty(),
            Pools.empty(),
        )
        for example in state.recent:
            self._pool(example)
        self._of_parents.clear()
        for example in filter(_has_parents, state.recent):
            state.learner.learn(self._features(example, own=example.belongs), belongs=example.belongs)
        if state.balanced:
            state.recent = []

    def _learn_layer(self) -> None:
        state = self._state
        surest = sorted(filter(_has_parents, state.recent), key=lambda example: -example.sureness)
        for example in surest[: ceil(self._trained * len(surest))]:
            state.learner.learn(self._features(example), belongs=example.belongs)
        for example in state.recent:
            self._pool(example)
        state.recent = []

    def _pool(self, example: Example) -> None:
        self._state.urls.add(url_tokens(example.url), belongs=example.belongs)
        if example.anchors:
            self._state.anchors.add(_anchor_tokens(example), belongs=example.belongs)

    def _features(self, example: Example, own: bool | None = None) -> list[float]:
        """Returns the numbers of a link; for `own` see `Pools.overlaps`."""
        state, weights = self._state, self._overlap_weights
        of_parents = [self._of_parent(url) for url in example.parents or [""]]
        return [
            *state.urls.overlaps(url_tokens(example.url), own, weights=weights),
            *state.anchors.overlaps(_anchor_tokens(example), own, weights=weights),
            *(sum(overlaps) / len(of_parents) for overlaps in zip(*of_parents, strict=True)),
            example.parent_score,
            float(example.parents_inside),
        ]

    def _of_parent(self, url: str) -> tuple[float, ...]:
        if url not in self._of_parents:
            self._of_parents[url] = self._state.urls.overlaps(url_tokens(url), weights=self._overlap_weights)
        return self._of_parents[url]

    def _log_odds(self, features: Sequence[float]) -> float:
        weights, constant = self._weights
        return constant + sum(weight * value for weight, value in zip(weights, features, strict=True))

    def _reasons(self, features: Sequence[float]) -> list[str]:
        *overlaps, score, parents = features
        told, size = _OVERLAPS_TOLD[self._overlap_weights], OVERLAPS[self._overlap_weights]
        words = [
            f"{name} {told.format(*overlaps[size * place : size * (place + 1)])}" for place, name in enumerate(_NAMES)
        ]
        return [
            f"overlap of tokens: {'; '.join(words)}",
            f"mean score of its parents, leaning to 0, {score:.2f}; {parents:.0f} of them belong",
        ]


def _example(target: Target, *, belongs: bool = False, sureness: float = 0.0) -> Example:
    seen = target.sightings
    return Example(
        target.url,
        [sighting.link.anchor for sighting in seen],
        [sighting.parent_url for sighting in seen],
        leaning_mean(target),
        sum(sighting.parent_belongs for sighting in seen),
        belongs,
        sureness,
    )


def _anchor_tokens(example: Example) -> frozenset[str]:
    return frozenset().union(*map(anchor_tokens, example.anchors))


def _has_parents(example: Example) -> bool:
    """Returns False for seeds and targets of redirects: they have a URL for the pools, but are not examples of links."""
    return bool(example.parents)


def _newest(examples: Sequence[Example], belongs: bool, most: int) -> list[Example]:
    return [example for example in examples if example.belongs is belongs][-most:]
