"""A link is worth the probability that its target is retained, estimated from four signs: Schäfer, Barbaresi & Bildhauer (2014).

* The boilerplate score of the block that the link stands in, and whether it leads to another host. At first the
  paper's figures are believed: a good target is 6.4 times as probable behind links in running text, 0.4 times behind others.
* The Badness of the page that it stands on, up to 10 or above: 1.3 and 0.8 times in the paper.
* The yield of the target's host so far (Suchomel & Pomikálek 2012).
* The language that the URL promises, where `corpus.languages` says which are wanted.

All four are learned from each page that is met (`evidence`). Signs rank links and never discard them: policy.bounds divide
probabilities into queues.

If there are several sightings, the best counts. Host yields change with every page. A link is scored again when it is seen
again, and all links whenever the number of pages has doubled, so that a crawl of n pages looks through its frontier log2(n)
times.

Invariant: scores depend only on the pages learned from, in their order, and on the link's sightings.
"""

from collections.abc import Mapping, Sequence
from math import log
from typing import Final

import msgspec

from opilio.core.items import Sighting, Target
from opilio.core.plugin import Context
from opilio.model.url_language import UrlLanguage

from .evidence import Evidence, share_of
from .remembering import Remembering
from .seam import FRESH, Judged, Stale

_JUDGE: Final = "badness"
_BLOCKS: Final = (
    (0.2, "running text"),
    (0.5, "probably running text"),
    (0.8, "probably boilerplate"),
    (1.0, "boilerplate"),
)
_BADNESSES: Final = ((5.0, "up to 5"), (10.0, "up to 10"), (25.0, "up to 25"), (50.0, "up to 50"))
_CHANCES: Final = (
    (0.05, "another language"),
    (0.5, "rather another language"),
    (0.95, "rather a wanted language"),
    (1.0, "a wanted language"),
)
_SAME_HOST, _OTHER_HOST = "in the same host", "to another host"
_SEED_BLOCK: Final = "a seed or redirect"
# Tables 2 and 3 of the paper: how many times as frequent each side of the threshold is before good targets as before bad ones.
_GOOD_BLOCK, _BAD_BLOCK = log((83_650 / 130_703) / (58_039 / 580_389)), log((47_053 / 130_703) / (522_350 / 580_389))
_GOOD_PAGE, _BAD_PAGE = log((69_273 / 130_703) / (237_959 / 580_389)), log((61_430 / 130_703) / (342_430 / 580_389))
_BLOCK_PRIORS: Final = {
    f"{name} {where}": _GOOD_BLOCK if edge <= 0.5 else _BAD_BLOCK
    for edge, name in _BLOCKS
    for where in (_SAME_HOST, _OTHER_HOST)
}
_PAGE_PRIORS: Final = {name: _GOOD_PAGE if edge <= 10 else _BAD_PAGE for edge, name in _BADNESSES}
_CHANCE_PRIORS: Final = {"another language": -1.0, "a wanted language": 1.0}  # our choice: the paper only plans it
_NO_PRIORS: Final[Mapping[str, float]] = {}
_FIRST_PASS: Final = 64  # pages
_OTHER_LANGUAGES: Final = "other"  # taken together, because each would cost 5 µs a link
_MIN_CONFIDENCE: Final = 0.5  # of the language identification, to learn from a page


class State(msgspec.Struct):
    pages: int = 0
    retained: int = 0
    next_pass: int = _FIRST_PASS
    # How many pages a prior counts for. Hosts differ much, so three pages of a host outweigh the mean of all hosts.
    blocks: Evidence = msgspec.field(default_factory=lambda: Evidence(30.0))
    parents: Evidence = msgspec.field(default_factory=lambda: Evidence(30.0))
    hosts: Evidence = msgspec.field(default_factory=lambda: Evidence(3.0))
    chances: Evidence = msgspec.field(default_factory=lambda: Evidence(30.0))
    languages: UrlLanguage = msgspec.field(default_factory=UrlLanguage)

    @property
    def base(self) -> float:
        """Returns the yield so far; 0.2 before anything is known, as in the paper."""
        return (self.retained + 2.0) / (self.pages + 10.0)


class Quality(Remembering[State]):
    goes_by = "the text around them, their page, their host and their address"
    sightings = 4

    def __init__(self, languages: Sequence[str] = ()) -> None:
        super().__init__(State())
        self._wanted = frozenset(languages)

    @classmethod
    def build(cls, context: Context, *, languages: Sequence[str] = ()) -> "Quality":
        return cls(tuple(languages) or context.config.corpus.languages)

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        base = self._state.base
        return [share_of(base, sum(self._weights(target, base))) for target in targets]

    def learn(self, judged: Judged) -> Stale:
        state, target, kept = self._state, judged.target, judged.kept
        block, parent = self._best(target.sightings, state.base)
        state.blocks.learn(block, retained=kept)
        state.parents.learn(parent, retained=kept)
        state.hosts.learn(judged.page.host, retained=kept)
        if self._wanted:
            state.chances.learn(self._chance(target.url), retained=kept)
            if judged.page.language_confidence >= _MIN_CONFIDENCE:
                language = judged.page.language
                state.languages.learn(target.url, language if language in self._wanted else _OTHER_LANGUAGES)
        state.pages += 1
        state.retained += kept
        self._changed = True
        if state.pages < state.next_pass:
            return FRESH
        state.next_pass *= 2
        return Stale(everything=True)

    def explain(self, target: Target) -> Sequence[str]:
        base = self._state.base
        weights = self._weights(target, base)
        block, parent = self._best(target.sightings, base)
        words = [
            f"link in {block}",
            f"Badness of the page around it {parent}",
            f"its host, {self._state.hosts.words(target.host)}",
            f"language of the URL, {self._chance(target.url)}" if self._wanted else "",
        ]
        reasons = [f"retained with probability {share_of(base, sum(weights)):.2f}; of all pages so far {base:.2f}"]
        return reasons + [f"{sign}: {weight:+.2f}" for sign, weight in zip(words, weights, strict=False)]

    def _weights(self, target: Target, base: float) -> list[float]:
        """Returns the weight of each sign: block, parent, host and, if languages are wanted, URL."""
        state = self._state
        block, parent = self._best(target.sightings, base)
        weights = [
            state.blocks.weight(block, base, _BLOCK_PRIORS),
            state.parents.weight(parent, base, _PAGE_PRIORS),
            state.hosts.weight(target.host, base, _NO_PRIORS),
        ]
        if self._wanted:
            weights.append(state.chances.weight(self._chance(target.url), base, _CHANCE_PRIORS))
        return weights

    def _best(self, sightings: Sequence[Sighting], base: float) -> tuple[str, str]:
        """Returns the kinds of block and of parent of the most promising sighting."""
        kinds = [(_block(each), _parent(each)) for each in sightings] or [(_SEED_BLOCK, _SEED_BLOCK)]
        if len(kinds) == 1:
            return kinds[0]
        blocks, parents = self._state.blocks, self._state.parents
        return max(
            kinds,
            key=lambda kind: blocks.weight(kind[0], base, _BLOCK_PRIORS) + parents.weight(kind[1], base, _PAGE_PRIORS),
        )

    def _chance(self, url: str) -> str:
        chances = self._state.languages.probabilities(url)
        if not chances:
            return "nothing known"
        return _name(sum(chances.get(language, 0.0) for language in self._wanted), _CHANCES)


def _block(sighting: Sighting) -> str:
    inside = sighting.parent_url.partition("://")[2].startswith((f"{sighting.link.host}/", f"{sighting.link.host}:"))
    return f"{_name(sighting.link.boilerplate, _BLOCKS)} {_SAME_HOST if inside else _OTHER_HOST}"


def _parent(sighting: Sighting) -> str:
    measure = sighting.parent_measures.get(_JUDGE)
    return "unknown" if measure is None else _name(measure, _BADNESSES)


def _name(value: float, steps: Sequence[tuple[float, str]]) -> str:
    return next((name for edge, name in steps if value <= edge), steps[-1][1])
