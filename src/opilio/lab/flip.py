"""A judge that errs: some of its verdicts are reversed at random, to see whether that leads a recipe astray.

A reversed verdict has the score 1 − score and the opposite decision. For leads that use a judge's measures instead of
its verdict, it has the measures of the last page on the other side, or none if there has been none. Rules: the
repetition and the URL alone decide which verdicts are reversed, so they are the same for every recipe. A recipe cannot
know which they are. The judge itself is calibrated on the pages that it sees, as usual.
"""

from opilio.core.draw import hash_share
from opilio.core.items import Opinion, Page, Verdict
from opilio.judge import Judging, Not


class Flipped(Not):
    """`share` is the share of all pages whose verdict is reversed."""

    def __init__(self, judge: Judging, share: float, repetition: int) -> None:
        super().__init__([("judge", judge)])
        self._share = share
        self._key = repetition.to_bytes(8, "little")
        self._last: dict[bool, tuple[Opinion, ...]] = {}  # side → the opinions on the last page there

    def judge(self, page: Page) -> Verdict:
        true = self.parts[0].judge(page)
        self._last[true.belongs] = true.opinions
        if not is_flipped(page.url, self._share, self._key):
            return true
        score, belongs = self.combine([true])
        return Verdict(score, belongs, (Opinion("flipped", score, "turned round"), *self._last.get(belongs, ())))


def is_flipped(url: str, share: float, key: bytes) -> bool:
    return hash_share(url, 8, key, "big") < share
