"""What a page is worth to the user: whether it belongs, how many new words its bytes bring, or whether its host is new.

* `pages`: the verdict's score.
* `tokens`: that score times x / (x + median), where x is the page's new words per byte received, and the median is that of
  all words per byte of the pages met, new or not: where most pages are copies, a little new text is not worth more for it.
  Only the texts of pages that were kept count as known (`KnownText`); other texts are not in the corpus, and a page that
  repeats them brings them. A page that belongs and was not kept is worth nothing.
* `novelty`: the verdict's score; what a page brings is learned apart from it (`novelty`).
* `hosts`: the score if the page's host had no page yet that belongs, and a tenth of it otherwise.

Rule: a reward is between 0 and the score. Invariant: memory is bounded; hosts that share a slot are taken for one.
"""

from math import exp
from typing import Final

import msgspec

from opilio.core.errors import ConfigError
from opilio.lead.seam import Judged

from .known_text import KnownText, KnownTextState
from .novelty import Novelty, NoveltyState
from .yields import Yields, YieldsState

REWARDS: Final = {  # kind → how a score is put into words
    "pages": "belongs with probability",
    "tokens": "by new words per byte worth",
    "hosts": "by new hosts worth",
    "novelty": "by what it brings, if it belongs, worth",
}
_KNOWN_HOST: Final = 0.1  # worth of a page, as a share of one on a new host
_STEP: Final = 0.01  # by which a page moves the median; before the 200th, the n-th page moves it by 2 / n
_LEAST_MEDIAN: Final = 1e-6  # words per byte: the median stays above 0 where most pages have no words


class RewardState(msgspec.Struct, frozen=True, array_like=True):
    median: float
    met: int
    good_hosts: YieldsState
    known: KnownTextState | None
    novelty: NoveltyState | None = None


class Reward:
    def __init__(self, kind: str) -> None:
        if kind not in REWARDS:
            raise ConfigError(f'lead.reward is one of {", ".join(REWARDS)}, and not "{kind}".')
        self.kind = kind
        self._good_hosts = Yields(18)
        self._known = KnownText() if kind == "tokens" else None
        self._median, self._met = 0.0, 0
        self.novelty = Novelty() if kind == "novelty" else None

    def of(self, judged: Judged) -> float:
        """Counts the page too, so it is called once per page."""
        score = judged.verdict.score
        if self._known:
            return score * self._density(judged, self._known)
        return score * self._novelty(judged) if self.kind == "hosts" else score

    def state(self) -> RewardState:
        return RewardState(
            self._median,
            self._met,
            self._good_hosts.state(),
            self._known.state() if self._known else None,
            self.novelty.state() if self.novelty else None,
        )

    def restore(self, state: RewardState) -> None:
        self._median, self._met = state.median, state.met
        self._good_hosts.restore(state.good_hosts)
        if self._known and state.known:
            self._known.restore(state.known)
        if self.novelty and state.novelty:
            self.novelty.restore(state.novelty)

    def _density(self, judged: Judged, known: KnownText) -> float:
        density = judged.page.words / max(1, judged.size_bytes)
        self._met += 1
        if self._met == 1:
            self._median = density
        else:  # wherever it begins, it settles where as many pages move it up as down
            step = max(_STEP, 2.0 / self._met)
            self._median *= exp(step if density > self._median else -step)
        self._median = max(self._median, _LEAST_MEDIAN)
        if judged.verdict.belongs and not judged.kept:
            return 0.0
        fresh = density * known.new_share(judged.page.text, keep=judged.kept)
        return fresh / (fresh + self._median)

    def _novelty(self, judged: Judged) -> float:
        slot = self._good_hosts.slot(judged.target.host)
        had_one = self._good_hosts.table[slot, 1] > 0.0
        if judged.verdict.belongs:
            self._good_hosts.add(slot, 1.0)
        return _KNOWN_HOST if had_one else 1.0
