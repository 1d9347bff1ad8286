"""What a page is worth to the user: that it belongs, the new words that its bytes bring, or a new host.

* `pages`: the verdict's score.
* `tokens`: that score times x / (x + median), where x is the page's new words per byte received, and the median is that of
  all words per byte of the pages met: where most are copies, a little that is new is not worth more for it. Known are the
  texts of pages that were kept (`KnownText`); others are not in the corpus, and a page that repeats them brings them. One that
  belongs and was not kept brings nothing.
* `hosts`: the score where the page's host had no page yet that belongs, and a tenth of it elsewhere.

Rule: rewards are between 0 and the score. Invariant: memory is bounded; hosts that share a slot share their luck.
"""

from math import exp
from typing import Any, Final

from opilio.core.errors import ConfigError

from .known_text import KnownText
from .seam import Judged
from .yields import Yields

REWARDS: Final = {  # and how a score is said
    "pages": "belongs with probability",
    "tokens": "by new words per byte worth",
    "hosts": "by new hosts worth",
}
_ELSEWHERE: Final = 0.1
_STEP: Final = (
    0.01  # of the median, with each page once there are some hundred; before, the n-th page moves it by 2 / n
)
_LEAST: Final = 1e-6  # words per byte: where most pages have no words, the median stays above 0


class Reward:
    def __init__(self, kind: str) -> None:
        if kind not in REWARDS:
            raise ConfigError(f'lead.reward is one of {", ".join(REWARDS)}, and not "{kind}".')
        self.kind = kind
        self._good_hosts = Yields(18)
        self._known = KnownText() if kind == "tokens" else None
        self._median, self._met = 0.0, 0

    def of(self, judged: Judged) -> float:
        """Counts the page, so that it is asked once for each."""
        score = judged.verdict.score
        if self._known:
            return score * self._density(judged, self._known)
        return score * self._novelty(judged) if self.kind == "hosts" else score

    def state(self) -> list[Any]:
        return [self._median, self._met, self._good_hosts.state(), self._known and self._known.state()]

    def restore(self, state: list[Any]) -> None:
        self._median, self._met, hosts, known = state
        self._good_hosts.restore(hosts)
        if self._known and known:
            self._known.restore(known)

    def _density(self, judged: Judged, known: KnownText) -> float:
        density = judged.page.words / max(1, judged.size_bytes)
        self._met += 1
        if self._met == 1:
            self._median = density
        else:  # up by as many pages as down, wherever it began
            step = max(_STEP, 2.0 / self._met)
            self._median *= exp(step if density > self._median else -step)
        self._median = max(self._median, _LEAST)
        if judged.verdict.belongs and not judged.kept:
            return 0.0
        fresh = density * known.new_share(judged.page.text, keep=judged.kept)
        return fresh / (fresh + self._median)

    def _novelty(self, judged: Judged) -> float:
        slot = self._good_hosts.slot(judged.target.host)
        had_one = self._good_hosts.table[slot, 1] > 0.0
        if judged.verdict.belongs:
            self._good_hosts.add(slot, 1.0)
        return _ELSEWHERE if had_one else 1.0
