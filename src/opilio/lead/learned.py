"""Which links are worth their download, learned during the crawl from every signal at once.

A link's score is the log odds that its target belongs, by a logistic learner over the signals of `signals` and the tokens of its
anchor, address and place in the page. Weights that are believed beforehand make it sensible before the first page; every
judged page moves them, by as much as its verdict surprises. It learns from verdicts as they are, graded from 0 to 1. Where
`reward` says so, the score is that of what the user wants instead; the signals tell of verdicts as before.

* **Fresh scores**: links lie in a `LinkTable`. After every page the most promising ones and some others are measured again, at
  most `refresh` of them, and those whose score has moved are told to the frontier (`Refreshing`).
* **Credit**: a page that does not belong and leads to one that does counts for `discount` of it, when that is found out.
* **Exploration**: a share `explore` of the picks goes to links that the learner is unsure of, with probabilities that are known.
  So the sum of their verdicts, each divided by its probability, estimates what is still in the queue without bias.

Invariants: scores depend only on the pages learned from, in their order, on the link itself and on the crawl's seed. Memory is
bounded.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log1p
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from opilio.core.errors import ConfigError
from opilio.core.items import Sighting, Target
from opilio.core.plugin import Context
from opilio.model.online_logistic import OnlineLogistic, Tokens, Vector, probability

from .addresses import Addresses
from .learned_state import base_rate, pack, read_other, unpack
from .link_table import LinkTable, Place, Seen
from .reward import REWARDS, Reward
from .seam import FRESH, Judged, Stale
from .signals import GROUPS, SIGNALS, TRUST
from .wordbook import SLOTS, Wordbook
from .yields import WordOdds, Yields

_PATHS: Final = 14  # bits
_LEADING: Final = 64  # links, one of which is fetched next
_MOVED: Final = 0.01  # of the log odds: what is told to the frontier about them
_MOVED_FAR: Final = 0.5  # and about the others; telling takes 20 µs
_REMEMBERED: Final = 4_096  # pages that may still get credit
_SAVED: Final = 1.05  # state is saved when so many times as many pages are known: it takes 20 ms
_AT_ONCE: Final = 256  # links that get rows together
_DRAWN: Final = 256  # links among which one is chosen to explore
_SEED: Final = 50.0
_ABOVE_ALL: Final = 100.0
_UNDER_WAY: Final = 64  # explorations; what never comes back is forgotten
_ENOUGH: Final = 10.0  # explorations: fewer may all have missed what one link in ten leads to
_FADING: Final = 0.98  # of what was explored, with every exploration


class Example(NamedTuple):
    signals: Vector
    tokens: tuple[Tokens, Tokens, Tokens]
    credited: float


class Learned:
    sightings = 4  # stored, to make a row again

    def __init__(
        self,
        samples: Sequence[str] = (),
        languages: Sequence[str] = (),
        *,
        signals: Sequence[str] = GROUPS,
        refresh: int = 512,
        explore: float = 0.02,
        discount: float = 0.3,
        rate: float = 0.3,
        links: int = 131_072,
        reward: str = "pages",
        warm: Path | None = None,
        seed: int = 0,
    ) -> None:
        if unknown := set(signals).difference(GROUPS):
            raise ConfigError(f"lead.signals has no {', '.join(sorted(unknown))}. There are: {', '.join(GROUPS)}.")
        if not (0.0 <= explore < 1.0 and 0.0 <= discount <= 1.0 and refresh >= 1 and links >= 2_048 and rate >= 0.0):
            raise ConfigError(
                "lead.explore and lead.discount are shares of 1, lead.refresh is a number of links from 1, lead.links one from "
                "2,048, and lead.rate is not negative."
            )
        used = np.array([signal.group in signals or signal.group == "all" for signal in SIGNALS])
        weights = np.array([signal.weight for signal in SIGNALS]) * used
        doubts = np.array([TRUST / signal.spread for signal in SIGNALS]) * used
        tokens = ("anchor" in signals, "url" in signals, "path" in signals)
        self._used = used
        rates = [rate if each else 0.0 for each in tokens]
        self._learner = OnlineLogistic(weights, doubts, (SLOTS, SLOTS, 1 << _PATHS), rates)
        self._words = Wordbook(samples)
        self._links = LinkTable(links)
        self._anchors, self._contexts, self._of_addresses = WordOdds(SLOTS), WordOdds(SLOTS), WordOdds(SLOTS)
        self._paths = WordOdds(1 << _PATHS)
        self._facts = self._side_by_side()
        self._siblings, self._pages, self._fates = Yields(20), Yields(18), Yields(20)
        self._folders, self._hosts = Yields(16), Yields(16)
        self._addresses = Addresses(self._folders, self._hosts, languages)
        self._place = Yields(_PATHS)
        self._reward, self._warm = Reward(reward), warm
        self._random = Random(seed)
        self._refresh, self._explore, self._discount = refresh, explore, discount
        self._examples: dict[int, Example] = {}
        self._wanted = tuple(languages)
        self._met: Counter[str] = Counter()  # language → sum of scores
        self._good, self._seen, self._saved = 0.0, 0, 0
        self._cursor = 0
        self._exploring: dict[int, float] = {}  # link → what it stands for if it belongs
        self._explored = [0.0, 0.0]  # sum of what was found, and how often, both fading

    @classmethod
    def build(cls, context: Context, warm: str = "", **options: Any) -> "Learned":
        languages = context.config.corpus.languages
        if warm:  # relative to the crawl's folder, as other names of files in its settings are
            options["warm"] = (context.folder or Path()) / warm
        options.setdefault("seed", context.config.crawl.seed)
        return cls([sample.text for sample in context.samples], languages, **options)

    # --- the seam

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        """A seed, or where a redirect led, has no signals and comes first."""
        scores: dict[int, float] = {}
        seen = [target for target in targets if target.sightings]
        for start in range(0, len(seen), _AT_ONCE):
            some = seen[start : start + _AT_ONCE]
            rows = self._rows(some)
            found = self._chosen_first(rows, self._measure(rows)[1])
            self._links.rate(rows, found)
            scores.update(zip((target.id for target in some), found.tolist(), strict=True))
        return [scores.get(target.id, _SEED) for target in targets]

    def learn(self, judged: Judged) -> Stale:
        target, page = judged.target, judged.page
        score, reward = judged.verdict.score, self._reward.of(judged)
        if target.sightings:
            self._learn_link(target, score, reward)
        if (stood_for := self._exploring.pop(target.id, None)) is not None:
            found, times = self._explored
            self._explored = [_FADING * found + stood_for * judged.verdict.belongs, _FADING * times + 1.0]
        self._seen += 1
        self._good += score
        self._words.learn(f"{page.title} {page.text}", score)
        self._folders.add(self._addresses.folder(target.url), score)
        self._hosts.add(self._addresses.host(target.host), score)
        self._fates.table[self._fates.slot(page.url)] = (score, 1.0)
        self._look_back(judged)
        if not self._wanted and page.language:
            self._met[page.language] += score  # type: ignore[assignment]
            self._addresses.want([max(self._met, key=self._met.__getitem__)])
        self._links.drop(target.id)
        return FRESH

    def boundary(self) -> Stale:
        return FRESH

    def fresh(self) -> Sequence[tuple[int, float]]:
        """The most promising links, and some others in turn, if their scores have moved."""
        links = self._links
        if not len(links):
            return ()
        top = links.best(self._refresh // 2 if len(links) > self._refresh else self._refresh)
        near = float(np.partition(links.scores[top], -_LEADING)[-_LEADING]) if len(top) > _LEADING else -np.inf
        rows = self._with_others(top) if len(top) < len(links) else top
        scores = self._chosen_first(rows, self._measure(rows)[1])
        old = links.scores[rows]
        moved = np.abs(scores - old)
        told = (moved > _MOVED_FAR) | ((moved > _MOVED) & (np.maximum(scores, old) >= near))
        links.rate(rows[told], scores[told])
        changes = list(zip(links.ids[rows[told]].tolist(), scores[told].tolist(), strict=True))
        if self._random.random() < self._explore:
            changes.append(self._draw())
        return changes

    def forget(self, links: Sequence[int]) -> None:
        for link in links:
            self._links.drop(link)
            self._exploring.pop(link, None)

    def explain(self, target: Target) -> Sequence[str]:
        if not target.sightings:
            return ["a seed, or where a redirect led: first of all"]
        found, scores = self._measure(self._rows([target]))
        line, odds = found[0], float(scores[0])
        parts = self._learner.weights * line
        strongest = [at for at in np.argsort(-np.abs(parts)) if SIGNALS[at].group != "all" and abs(parts[at]) >= _MOVED]
        own = odds - float(parts.sum())
        base = f"learned from {self._seen} pages, of which {self._good / max(1, self._seen):.0%} belong"
        reasons = [f"{REWARDS[self._reward.kind]} {probability(odds):.2f} (log odds {odds:+.2f}; {base})"]
        reasons += [f"{parts[at]:+.2f} {SIGNALS[at].name} ({line[at]:.2f})" for at in strongest[:8]]
        return [*reasons, f"{own:+.2f} words of its anchor and address, and its place, as such"] if own else reasons

    def save(self) -> bytes | None:
        """Not with every commit: a kill takes a twentieth of what was learned, and no score."""
        if self._seen < _SAVED * self._saved or self._seen == self._saved:
            return None
        self._saved = self._seen
        state = {
            "learner": self._learner.state(),
            "odds": [each.state() for each in self._all_odds],
            "yields": [each.state() for each in self._all_yields],
            "highest": self._words.highest.tobytes(),
            "met": dict(self._met),
            "counts": [self._good, self._seen, *self._explored],
            "random": self._random.getrandbits(32),
            "reward": self._reward.state(),
        }
        return pack(state)

    def load(self, state: bytes) -> None:
        held = unpack(state)
        self._learner.restore(held["learner"])
        for odds, saved in zip(self._all_odds, held["odds"], strict=True):
            odds.restore(saved)
        for yields, saved in zip(self._all_yields, held["yields"], strict=True):
            yields.restore(saved)
        self._words.highest[:] = np.frombuffer(held["highest"], np.float32)
        self._met = Counter(held["met"])
        if self._met and not self._wanted:
            self._addresses.want([max(self._met, key=self._met.__getitem__)])
        self._good, self._seen, *self._explored = held["counts"]
        self._saved = self._seen
        self._random = Random(held["random"])
        if "reward" in held:  # folders of earlier versions have none
            self._reward.restore(held["reward"])

    def inherit(self) -> None:
        """Weights and words; not what befell URLs, blocks, pages and hosts, which are of another crawl."""
        if self._warm is None:
            return
        held = read_other(self._warm, self._learner.weights.nbytes)
        self._learner.inherit(held["learner"])
        self._learner.weights *= self._used
        for odds, saved in zip(self._all_odds, held["odds"], strict=True):
            odds.inherit(saved)
        self._good, self._seen = base_rate(held)

    # --- what people ask

    def remaining(self) -> float | None:
        """Relevant pages that wait in the queue, estimated from what was explored; None while that was too little."""
        found, times = self._explored
        return found / times if times >= _ENOUGH else None

    def weights(self) -> Mapping[str, float]:
        """By how much each group of signals moves the log odds of a typical link, now."""
        effects: Counter[str] = Counter()
        for signal, weight in zip(SIGNALS, self._learner.weights, strict=True):
            effects[signal.group] += abs(float(weight)) * signal.spread  # type: ignore[assignment]
        return {group: effect for group, effect in effects.most_common() if group != "all"}

    # --- inside

    @property
    def _all_odds(self) -> tuple[WordOdds, ...]:
        return self._words.odds, self._anchors, self._contexts, self._of_addresses, self._paths

    @property
    def _all_yields(self) -> tuple[Yields, ...]:
        return self._siblings, self._pages, self._fates, self._folders, self._hosts

    @property
    def _base(self) -> float:
        return (self._good + 0.3) / (self._seen + 3.0)

    def _side_by_side(self) -> NDArray[np.float32]:
        """What is known of words, a line for each, in the order of `kernels.links`; its columns take the tables' places."""
        words, tokens = self._words, self._learner.tokens
        facts = np.zeros((SLOTS, 8), np.float32)
        facts[:, 0], facts[:, 1], facts[:, 2] = words.odds.odds, words.centre, words.highest
        words.odds.odds, words.centre, words.highest = facts[:, 0], facts[:, 1], facts[:, 2]
        self._anchors.odds, tokens[0] = facts[:, 3], facts[:, 4]
        self._contexts.odds, self._of_addresses.odds, tokens[1] = facts[:, 5], facts[:, 6], facts[:, 7]
        return facts

    def _measure(self, rows: NDArray[np.int64]) -> tuple[Vector, Vector]:
        """Signals and scores."""
        from opilio.model.kernels.links import measure  # noqa: PLC0415  (numba: half a second)

        found = np.empty((len(rows), len(SIGNALS)))
        paths = (self._paths.odds, self._learner.tokens[2])
        tables = (self._siblings.table, self._pages.table, self._folders.table, self._hosts.table)
        fates = (*tables, self._addresses.hints)
        shifts = (self._words.odds.shift, self._anchors.shift)
        sums = measure(rows, self._links.arrays, self._facts, paths, fates, self._base, shifts, found)
        return found, found @ self._learner.weights + sums

    def _learn_link(self, target: Target, score: float, reward: float) -> None:
        rows = self._rows([target])
        row = int(rows[0])
        line = self._measure(rows)[0][0] * self._used
        anchor, context, address, path = self._links.tokens(row)
        tokens = (anchor, address, path)
        self._learner.learn(line, tokens, reward)
        self._anchors.learn(anchor, score)
        self._contexts.learn(context, score)
        self._of_addresses.learn(address, score)
        self._paths.learn(path, score)
        for group, page in self._links.sights(row):
            self._siblings.add(group, score)
            self._pages.add(page, score)
        self._credit(target, reward)
        if len(self._examples) >= _REMEMBERED:
            del self._examples[next(iter(self._examples))]
        self._examples[target.id] = Example(line, tokens, reward)

    def _credit(self, target: Target, reward: float) -> None:
        """What led here, if it is worth more by this than by itself, is learned once more."""
        worth = self._discount * reward
        for sighting in target.sightings:
            example = self._examples.get(sighting.parent)
            if example is not None and worth > example.credited + 0.1:
                self._learner.learn(example.signals, example.tokens, worth)
                self._examples[sighting.parent] = example._replace(credited=worth)

    def _look_back(self, judged: Judged) -> None:
        """Links of the page whose targets are known already tell of their neighbours."""
        fates, parent = self._fates, judged.target.id
        page = self._pages.slot_of(parent)
        links = judged.page.links
        found = fates.table[[fates.slot(link.url) for link in links]].tolist() if links else ()
        for link, (score, known) in zip(links, found, strict=True):
            if known:
                self._siblings.add(self._siblings.slot_of(parent, link.block), score)
                self._pages.add(page, score)

    def _rows(self, targets: Sequence[Target]) -> NDArray[np.int64]:
        """The links' rows; the newest sighting is added to a known one, or all of them to a new one."""
        links, rows = self._links, self._links.rows
        links.reserve(len(targets))
        new = [target for target in targets if target.id not in rows]
        numbers, seen = [], []
        texts = [target.url.partition("://")[2] for target in new]
        for target in targets:
            row = rows.get(target.id)
            for sighting in target.sightings if row is None else target.sightings[-1:]:
                one = self._seen_as(sighting)
                if row is None or not links.has_seen(row, one):
                    numbers.append(target.id)
                    seen.append(one)
                    link = sighting.link
                    texts += (link.anchor, f"{link.before} {link.after}")
        if texts:
            words, ends = self._words.read(texts)
            start = self._add(new, words, ends)
            if seen:
                links.see_all([rows[number] for number in numbers], seen, words[start:], ends[len(new) :] - start)
        return np.array([rows[target.id] for target in targets], np.int64)

    def _add(self, new: Sequence[Target], words: Tokens, ends: NDArray[np.int64]) -> int:
        """Where the words of the addresses end."""
        start = 0
        for target, end in zip(new, ends[: len(new)].tolist(), strict=True):
            link = target.sightings[0].link if target.sightings else None
            path = self._place.slot(link.path) if link else 0
            address = tuple(dict.fromkeys(words[start:end].tolist()))
            signs = self._addresses.signs(target.url, target.host, link.hreflang if link else "")
            self._links.add(target.id, Place(address, path, *signs, target.depth))
            start = end
        return start

    def _seen_as(self, sighting: Sighting) -> Seen:
        link, parent = sighting.link, sighting.parent
        group, page = self._siblings.slot_of(parent, link.block), self._pages.slot_of(parent)
        return Seen(group, page, sighting.parent_score or 0.0, link.boilerplate, log1p(link.position))

    def _with_others(self, top: NDArray[np.int64]) -> NDArray[np.int64]:
        """Some of the other rows in turn, in the order of the table."""
        links, size = self._links, len(self._links.ids)
        count = min(self._refresh - len(top), size)
        others = (self._cursor + np.arange(count)) % size
        self._cursor = (self._cursor + count) % size
        wanted = links.ids > 0
        wanted[top] = False
        return np.sort(np.concatenate([top, others[wanted[others]]]))

    def _draw(self) -> tuple[int, float]:
        """One of some links drawn by chance, with a probability by how unsure its score is; it comes next."""
        links = list(self._links.rows)
        drawn = self._random.sample(links, min(_DRAWN, len(links)))
        found = self._measure(np.array([self._links.rows[link] for link in drawn]))[0] * self._used
        doubts = self._learner.doubts(found)
        shares = doubts / doubts.sum()
        [chosen] = self._random.choices(range(len(drawn)), shares.tolist())
        if len(self._exploring) >= _UNDER_WAY:
            del self._exploring[next(iter(self._exploring))]
        self._exploring[drawn[chosen]] = len(links) / len(drawn) / float(shares[chosen])
        self._links.rate(np.array([self._links.rows[drawn[chosen]]]), np.array([_ABOVE_ALL]))
        return drawn[chosen], _ABOVE_ALL

    def _chosen_first(self, rows: NDArray[np.int64], scores: Vector) -> Vector:
        """Links that are being explored stay where they were put."""
        chosen = [row for link in self._exploring if (row := self._links.rows.get(link)) is not None]
        if chosen:
            scores[np.isin(rows, chosen)] = _ABOVE_ALL
        return scores
