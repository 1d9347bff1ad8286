"""Everything that a crawl has taught the learned lead about words, tag paths, blocks, pages, folders and hosts.

Words and tag paths have log odds (`WordOdds`), which are columns of two matrices of `Facts`. Everything else has a total and a
count of scores (`Yields`). All of it comes from the samples and from verdicts as the judge gave them, whatever the
reward is.

Invariant: memory is fixed.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from opilio.core.items import Page
from opilio.lead.seam import Judged
from opilio.model.online_logistic import Vector
from opilio.model.term_slots import Slots

from .addresses import Addresses
from .facts import PATHS, WORDS, Facts, Floats, PathFact, WordFact
from .kernels.links import measure
from .kernels.yields import look_back, slot_of, tell
from .link_table import LinkTable, Rows
from .state import State
from .word_odds import WordOdds
from .wordbook import Wordbook
from .yields import Yields

_PRIOR_GOOD: Final = 0.3  # sum of the scores of the pages that are believed in before the first
_PRIOR_PAGES: Final = 3.0
_INHERITED_PAGES: Final = 20  # that the base rate of another crawl counts for


class Knowledge:
    def __init__(self, samples: Sequence[str], languages: Sequence[str]) -> None:
        self._facts, self._path_facts = Facts(WORDS, WordFact), Facts(PATHS, PathFact)
        self.words = Wordbook(samples, self._facts)
        self.anchors = WordOdds(self._facts.column(WordFact.ANCHOR_ODDS))
        self.contexts = WordOdds(self._facts.column(WordFact.CONTEXT_ODDS))
        self.address_words = WordOdds(self._facts.column(WordFact.ADDRESS_ODDS))
        self.paths = WordOdds(self._path_facts.column(PathFact.ODDS))
        self.siblings, self.pages, self.fates = Yields(20), Yields(18), Yields(20)
        self.folders, self.hosts = Yields(16), Yields(16)
        self.parents = Yields(18, columns=4)  # likeness of the title, whether it is known, share, distance
        self.addresses = Addresses(self.folders, self.hosts, languages)
        self._guesses_language = not languages
        self.met: Counter[str] = Counter()  # language → sum of scores
        self.good, self.seen = 0.0, 0  # sum of scores, and pages

    @property
    def mean(self) -> float:
        """Returns the mean score of the pages."""
        return self.good / max(1, self.seen)

    @property
    def odds(self) -> tuple[WordOdds, ...]:
        """Returns the odds of words: first those of texts, then those of links, in the order of `LinkTable.tokens`."""
        return self.words.odds, self.anchors, self.contexts, self.address_words, self.paths

    @property
    def yields(self) -> tuple[Yields, ...]:
        return self.siblings, self.pages, self.fates, self.folders, self.hosts, self.parents

    @property
    def token_weights(self) -> tuple[Floats, Floats, Floats]:
        """Returns the views that the learner writes the weights of anchors, addresses and tag paths into."""
        words, paths = self._facts, self._path_facts
        return (
            words.column(WordFact.ANCHOR_WEIGHT),
            words.column(WordFact.ADDRESS_WEIGHT),
            paths.column(PathFact.WEIGHT),
        )

    def measure(self, rows: Rows, links: LinkTable, found: Vector) -> Vector:
        """Fills `found` with a line of signals for each row, and returns the sums of its tokens' weights."""
        base_rate = (self.good + _PRIOR_GOOD) / (self.seen + _PRIOR_PAGES)
        tables = (self.siblings.table, self.pages.table, self.folders.table, self.hosts.table)
        fates = (*tables, self.addresses.hints)
        shifts = (np.float32(self.words.odds.shift), np.float32(self.anchors.shift))
        matrices = (self._facts.matrix, self._path_facts.matrix)
        return measure(rows, links.table, *matrices, fates, np.float32(base_rate), shifts, found)  # type: ignore[no-any-return]

    def learn_link(self, row: int, links: LinkTable, tokens: Sequence[Slots], score: float) -> None:
        """Learns that this link, with these tokens, led to a page with this score."""
        for odds, words in zip(self.odds[1:], tokens, strict=True):
            odds.learn(words, score)
        tell(row, links.table, score, self.siblings.table, self.pages.table)

    def learn_page(self, judged: Judged, standing: tuple[float, float]) -> None:
        """`standing` is the cash of the page and its distance from a page that belongs."""
        self.learn_text(judged.page, judged.verdict.score)
        self._look_back(judged.target.id, judged.page)
        self._bequeath(judged, *standing)

    def learn_text(self, page: Page, score: float) -> None:
        """Learns what a page with this score tells by its text, its language and its address."""
        self.seen += 1
        self.good += score
        self.words.learn(f"{page.title} {page.prose}", score)
        self.folders.add(self.addresses.folder(page.url), score)
        self.hosts.add(self.addresses.host(page.host), score)
        self.fates.table[self.fates.slot(page.url)] = (score, 1.0)
        if self._guesses_language and page.language:
            self.met[page.language] += score  # type: ignore[assignment]
            self._guess_language()

    def restore(self, state: State) -> None:
        for odds, counted in zip(self.odds, state.odds, strict=True):
            odds.restore(counted)
        for yields, held in zip(self.yields, state.yields, strict=True):
            yields.restore(held)
        self.words.highest[:] = np.frombuffer(state.highest, np.float32)
        self.met = Counter(state.met)
        if self.met and self._guesses_language:
            self._guess_language()
        self.good, self.seen = state.counts

    def inherit(self, state: State) -> None:
        """Takes over words, and the base rate, which soon gives way to that of the new crawl. URLs, blocks, pages and hosts
        belong to the other crawl, so nothing is taken over about them."""
        for odds, counted in zip(self.odds, state.odds, strict=True):
            odds.inherit(counted)
        good, seen = state.counts
        self.seen = min(seen, _INHERITED_PAGES)
        self.good = good * self.seen / max(1, seen)

    def _look_back(self, page: int, content: Page) -> None:
        """Links of the page whose targets are known already tell about their neighbours."""
        links = content.links
        if links:
            others = [(place.block, at) for at, link in enumerate(links) for place in link.also]
            slots = [self.fates.slot(link.url) for link in links]
            blocks = np.array([link.block for link in links] + [block for block, _ in others])
            targets = np.array(slots + [slots[at] for _, at in others])
            look_back(page, blocks, targets, len(links), self.fates.table, self.siblings.table, self.pages.table)

    def _bequeath(self, judged: Judged, cash: float, distance: float) -> None:
        """Notes what the links of the page take over from it."""
        share = cash / max(1, len(judged.page.links))
        facts = (self.words.likeness(judged.page.title), 1.0, share, 0.0 if judged.verdict.belongs else distance)
        self.parents.table[slot_of(judged.target.id, 0, len(self.parents.table))] = facts

    def _guess_language(self) -> None:
        """Wants the language of the good pages, because nobody has said which one is wanted."""
        self.addresses.want([max(self.met, key=self.met.__getitem__)])
