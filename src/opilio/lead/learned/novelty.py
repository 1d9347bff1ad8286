"""How much new text a link is likely to bring, if its page belongs.

`lead.reward="novelty"` ranks links by the probability that the page belongs, as `pages` does, times the new text that it would
bring. Verdicts are learned as before, so that the search for pages that belong does not suffer; what a page brings is learned
apart from them, from the pages that were kept:

* **New text** is the words of a page that stand in no run of words of a text that was kept before (`KnownText`). It counts by
  fetch: a long page is worth more than a short one. Words that are not running text in the language of the good pages do not
  count: pages in other languages, and pages without the frequent words of theirs (word lists, random strings; `badness`), are
  not new but strange. What a text repeats of itself counts once.
* **Known titles.** A link whose anchor is the title of a kept page probably leads to a copy of it. How much less such links
  bring is learned from those that were fetched.
* **Hosts.** A host whose pages bring less new text than usual, because they are short or repeat what others had, is worth less
  with every page; one whose pages bring more is worth more.

Rule: the tilt is bounded, so that no amount of text makes up for a page that hardly belongs.
"""

from collections import Counter
from collections.abc import Sequence
from math import exp, log
from typing import Final
from zlib import crc32

import msgspec
import numpy as np

from opilio.core.bounded import BoundedMap
from opilio.core.items import Page, Target
from opilio.lead.seam import Judged
from opilio.model.badness import DOCUMENT_CHARS, badness, profile_of, read_profiles
from opilio.model.online_logistic import Vector

from .known_text import KnownText, KnownTextState
from .yields import Yields, YieldsState

_STEP: Final = 0.02  # by which a page moves the usual amount; before the 100th, the n-th page moves it by 2 / n
_RUN: Final = 3  # words
_TITLE_PARTS: Final = ("|", " - ", " – ", " — ", "»", "::")
_TITLE_CHARS: Final = range(8, 200)
_ROOM: Final = 65_536  # titles, and anchors of open links
_BELIEF: Final = (
    2.0,
    4.0,
)  # what links to known titles bring, in usual amounts, and of how many pages that is believed
_MOST_BROUGHT: Final = 3.0  # usual amounts that one page counts for
_MOST_TILT: Final = 1.5  # log odds
_HOST_PAGES: Final = 5.0  # that are believed to bring the usual, before the first of a host
_HOST_BITS: Final = 16


class NoveltyState(msgspec.Struct, frozen=True, array_like=True):
    usual: float
    met: int
    languages: dict[str, int]
    titles: list[int]
    copies: tuple[float, float]
    hosts: YieldsState
    known: KnownTextState


class Novelty:
    def __init__(self) -> None:
        self._known = KnownText()
        self._usual, self._met = 0.0, 0  # new words of a kept page, and how many there were
        self._languages: Counter[str] = Counter()
        self._hosts = Yields(_HOST_BITS)  # new words of kept pages, in usual amounts
        self._host_of: BoundedMap[int, int] = BoundedMap(_ROOM)  # link → slot of its host
        self._titles: BoundedMap[int, bool] = BoundedMap(_ROOM)
        self._anchors: BoundedMap[int, list[int]] = BoundedMap(_ROOM)  # anchor → links
        self._suspects: BoundedMap[int, bool] = BoundedMap(_ROOM)  # links whose anchor is a known title
        self._copies = _BELIEF  # sum of what suspects brought, and their number

    def meet(self, targets: Sequence[Target]) -> None:
        """Notes the anchors and hosts of links."""
        for target in targets:
            self._host_of[target.id] = self._hosts.slot(target.host)
            for key in {_key(sighting.link.anchor) for sighting in target.sightings}:
                if key in self._titles:
                    self._suspects[target.id] = True
                elif key:
                    self._anchors.setdefault(key, []).append(target.id)

    def tilts(self, links: Sequence[int]) -> Vector:
        """Returns by how much the log odds of each link are moved."""
        slots = [self._host_of.get(link, -1) for link in links]
        known = np.array(slots) >= 0
        totals, counts = np.where(known[:, None], self._hosts.table[slots], 0.0).T
        tilts = np.log((totals + _HOST_PAGES) / (counts + _HOST_PAGES))
        tilts += [self._discount if link in self._suspects else 0.0 for link in links]
        clipped: Vector = np.clip(tilts, -_MOST_TILT, _MOST_TILT)
        return clipped

    def learn(self, judged: Judged) -> None:
        """Learns what a page that belongs has brought."""
        page, link = judged.page, judged.target.id
        if judged.verdict.belongs:
            brought = self._brought(judged)
            if link in self._suspects:
                self._copies = self._copies[0] + brought, self._copies[1] + 1.0
            self._hosts.add(self._hosts.slot(judged.target.host), min(brought, _MOST_BROUGHT))
        self._suspects.pop(link, None)
        self._host_of.pop(link, None)
        if judged.kept:
            self._languages[page.language] += 1
            for key in _title_keys(page.title):
                self._titles[key] = True
                for other in self._anchors.pop(key, ()):
                    self._suspects[other] = True

    def explain(self, link: int) -> str:
        tilt = float(self.tilts([link])[0])
        known = "; its anchor is the title of a page that is known" if link in self._suspects else ""
        return f"{tilt:+.2f} new text that it is likely to bring{known}"

    def state(self) -> NoveltyState:
        return NoveltyState(
            self._usual, self._met, dict(self._languages), list(self._titles), self._copies, self._hosts.state(),
            self._known.state(),
        )  # fmt: skip

    def restore(self, state: NoveltyState) -> None:
        self._usual, self._met, self._copies = state.usual, state.met, state.copies
        self._languages = Counter(state.languages)
        self._titles.update(dict.fromkeys(state.titles, True))
        self._hosts.restore(state.hosts)
        self._known.restore(state.known)

    @property
    def _discount(self) -> float:
        """Returns the logarithm of what suspects bring, in usual amounts."""
        return min(0.0, log(max(self._copies[0] / self._copies[1], 1e-3)))

    def _brought(self, judged: Judged) -> float:
        """Returns the new words of a page in usual amounts."""
        if not judged.kept:
            return 0.0
        page = judged.page
        share = self._known.new_share(page.text, keep=True)
        words = page.words * share * own_share(page.text) if is_readable(page, self._languages) else 0.0
        self._met += 1
        if self._met == 1:
            self._usual = max(1.0, words)
        else:
            step = max(_STEP, 2.0 / self._met)
            self._usual = max(1.0, self._usual * exp(step if words > self._usual else -step))
        return words / self._usual


def is_readable(page: Page, languages: Counter[str]) -> bool:
    """Returns whether a page is running text in the language of the pages that were kept."""
    if languages and languages[page.language] < 0.1 * languages.total():
        return False
    if len(page.text) < DOCUMENT_CHARS:
        return True
    profile = profile_of(page.language, read_profiles())
    return profile is None or badness(page.text, profile).total <= profile.threshold


def own_share(text: str) -> float:
    """Returns the share of the runs of words of a text that do not repeat an earlier one."""
    words = text.lower().split()
    runs = list(zip(*(words[start:] for start in range(_RUN)), strict=False))
    return len(set(runs)) / len(runs) if runs else 1.0


def _title_keys(title: str) -> set[int]:
    """Returns the keys of a title and of its parts, one of which is often the name of the site."""
    parts = [title]
    for sign in _TITLE_PARTS:
        parts = [piece for part in parts for piece in part.split(sign)]
    return {key for part in (title, *parts) if (key := _key(part))}


def _key(text: str) -> int:
    """Returns a hash, or 0 for a text that is too short or too long to be the title of one page only."""
    plain = " ".join(text.lower().split())
    return crc32(plain.encode("utf-8", "surrogatepass")) | 1 << 32 if len(plain) in _TITLE_CHARS else 0
