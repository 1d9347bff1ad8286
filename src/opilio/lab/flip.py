"""A judge that errs: some of its verdicts are turned round by chance, to see whether a recipe drifts away with them.

A verdict that is turned has the score 1 − score and says the contrary. A lead that goes by what a judge has measured instead of
by its verdict gets what was measured of the last page on the other side, or nothing while there was none.
Rules: which pages these are depends on the repetition and the address alone, so every recipe meets the same ones. Nothing
tells a recipe of them. The judge itself is calibrated by the pages that it meets, as ever.
"""

from hashlib import blake2b
from typing import Final

from opilio.core.items import Opinion, Page, Verdict
from opilio.judge import Judging, Not

_NUMBERS: Final = 2**64


class Flipped(Not):
    """`share`: of all pages, those whose verdict is turned."""

    def __init__(self, judge: Judging, share: float, repetition: int) -> None:
        super().__init__([("judge", judge)])
        self._share = share
        self._key = repetition.to_bytes(8, "little")
        self._last: dict[bool, tuple[Opinion, ...]] = {}  # side → what was said of the last page there

    def judge(self, page: Page) -> Verdict:
        true = self.parts[0].judge(page)
        self._last[true.belongs] = true.opinions
        if not is_flipped(page.url, self._share, self._key):
            return true
        score, belongs = self.combine([true])
        return Verdict(score, belongs, (Opinion("flipped", score, "turned round"), *self._last.get(belongs, ())))


def is_flipped(url: str, share: float, key: bytes) -> bool:
    drawn = int.from_bytes(blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8, key=key).digest())
    return drawn < share * _NUMBERS
