"""Which links are worth their download, learned during the crawl from every signal at once.

A link's score is the log odds that its target belongs, by a logistic learner over the signals of `signals` and the tokens of its
anchor, address and place in the page. Weights that are believed beforehand make it sensible before the first page; every
judged page moves them, by as much as its verdict surprises. It learns from verdicts as they are, graded from 0 to 1. Where
`reward` says so, the score is that of what the user wants instead; the signals tell of verdicts as before.

* **Fresh scores**: links lie in a `LinkTable`. After every page the most promising ones and some others are measured again, at
  most `refresh` of them, and those whose score has moved are told to the frontier (`fresh`).
* **Credit**: a page that does not belong and leads to one that does counts for `discount` of it, when that is found out.
* **Exploration**: a share `explore` of the picks goes to links that the learner is unsure of, with probabilities that are known.
  So the sum of their verdicts, each divided by its probability, estimates what is still in the queue without bias.

Invariants: scores depend only on the pages learned from, in their order, on the link itself and on the crawl's seed. Memory is
bounded.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from opilio.core.errors import ConfigError
from opilio.core.items import Target
from opilio.core.plugin import Context
from opilio.model.online_logistic import OnlineLogistic, Vector, probability

from .addresses import Addresses
from .aligned import aligned_zeros
from .credit import Credit, Example
from .exploration import ABOVE_ALL, Exploration
from .intake import Intake
from .learned_state import base_rate, pack, read_other, unpack
from .link_table import LinkTable, Rows
from .reward import REWARDS, Reward
from .seam import FRESH, Judged, Lead, Stale
from .signals import GROUPS, SIGNALS, TRUST
from .wordbook import SLOTS, Wordbook
from .yields import WordOdds, Yields

_PATHS: Final = 14  # bits
_LEADING: Final = 64  # links, one of which is fetched next
_MOVED: Final = 0.01  # of the log odds: what is told to the frontier about them
_MOVED_FAR: Final = 0.5  # and about the others; telling takes 20 µs
_SAVED: Final = 1.05  # state is saved when so many times as many pages are known: it takes 20 ms
_AT_ONCE: Final = 256  # links that get rows together
_ASKED: Final = 1  # links that are explained at once, outside the table: asking changes nothing
_SEED: Final = 50.0
_LEANING: Final = (0.5, 0.3)  # by how much all log odds may be too low or high, and too steep, beforehand
_NO_TOKENS: Final = (np.zeros(0, np.int32),)
_USUAL: Final = 20.0  # links that a signal's usual spread counts for


class Learned(Lead):
    sightings = 4  # stored, to make a row again
    knows_links = True
    estimates = True

    def __init__(
        self,
        samples: Sequence[str] = (),
        languages: Sequence[str] = (),
        *,
        signals: Sequence[str] = GROUPS,
        refresh: int = 128,
        explore: float = 0.02,
        discount: float = 0.5,
        rate: float = 0.3,
        links: int = 131_072,
        reward: str = "pages",
        warm: Path | None = None,
        seed: int = 0,
    ) -> None:
        if unknown := set(signals).difference(GROUPS):
            raise ConfigError(
                f"lead.signals has no {', '.join(sorted(map(str, unknown)))}. There are: {', '.join(GROUPS)}."
            )
        if not (0.0 <= explore < 1.0 and 0.0 <= discount <= 1.0 and refresh >= 1 and links >= 2_048 and rate >= 0.0):
            raise ConfigError(
                "lead.explore and lead.discount are shares of 1, lead.refresh is a number of links from 1, lead.links one from "
                "2,048, and lead.rate is not negative."
            )
        used = np.array([signal.group in signals or signal.group == "all" for signal in SIGNALS])
        weights = np.array([signal.weight for signal in SIGNALS]) * used
        doubts = np.array([TRUST / (signal.spread / signal.doubt) for signal in SIGNALS]) * used
        tokens = ("anchor" in signals, "url" in signals, "path" in signals)
        self._used = used
        rates = [rate if each else 0.0 for each in tokens]
        self._learner = OnlineLogistic(weights, doubts, (SLOTS, SLOTS, 1 << _PATHS), rates)
        self._calibration = OnlineLogistic(np.array([0.0, 1.0]), np.array(_LEANING), (1,), (0.0,))
        self._words = Wordbook(samples)
        self._links = LinkTable(links)
        self._anchors, self._contexts, self._of_addresses = WordOdds(SLOTS), WordOdds(SLOTS), WordOdds(SLOTS)
        self._paths = WordOdds(1 << _PATHS)
        self._facts, self._path_facts = self._side_by_side()
        self._siblings, self._pages, self._fates = Yields(20), Yields(18), Yields(20)
        self._folders, self._hosts = Yields(16), Yields(16)
        self._addresses = Addresses(self._folders, self._hosts, languages)
        self._parents = Yields(18, columns=4)  # title, whether it is known, share, distance
        self._intake = Intake(self._words, self._addresses, Yields(_PATHS), len(self._siblings.table), self._parents)
        self._reward, self._warm = Reward(reward), warm
        self._exploration = Exploration(explore, seed)
        self._credit, self._refresh = Credit(discount), refresh
        self._wanted = tuple(languages)
        self._met: Counter[str] = Counter()  # language → sum of scores
        self._good, self._seen, self._saved = 0.0, 0, 0
        self._lines = np.zeros((2, len(SIGNALS)))  # learned from: their sum, and that of their squares
        self._cursor = 0

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
        seen = [target for target in targets if target.sightings]
        found: list[float] = []
        for start in range(0, len(seen), _AT_ONCE):
            rows = self._intake.rows(seen[start : start + _AT_ONCE], self._links)
            scores = self._scores(rows)
            self._links.rate(rows, scores)
            found += scores.tolist()
        if len(seen) == len(targets):
            return found
        inner = iter(found)
        return [next(inner) if target.sightings else _SEED for target in targets]

    def learn(self, judged: Judged) -> Stale:
        target, page = judged.target, judged.page
        score, reward = judged.verdict.score, self._reward.of(judged)
        if target.sightings:
            self._learn_link(target, score, reward)
        self._exploration.learn(target.id, belongs=judged.verdict.belongs)
        self._seen += 1
        self._good += score
        self._words.learn(f"{page.title} {page.text}", score)
        self._folders.add(self._addresses.folder(target.url), score)
        self._hosts.add(self._addresses.host(target.host), score)
        self._fates.table[self._fates.slot(page.url)] = (score, 1.0)
        self._look_back(judged)
        self._bequeath(judged)
        if not self._wanted and page.language:
            self._met[page.language] += score  # type: ignore[assignment]
            self._addresses.want([max(self._met, key=self._met.__getitem__)])
        self._links.drop(target.id)
        return FRESH

    def boundary(self) -> Stale:
        return FRESH

    def fresh(self) -> Sequence[tuple[int, float]]:
        """The most promising links, and some others in turn, if their scores have moved."""
        from opilio.model.kernels.links import which_moved  # noqa: PLC0415

        links = self._links
        if not len(links):
            return ()
        top = links.best(self._refresh // 2 if len(links) > self._refresh else self._refresh)
        near = float(np.partition(links.scores[top], -_LEADING)[-_LEADING]) if len(top) > _LEADING else -np.inf
        rows = self._with_others(top) if len(top) < len(links) else top
        scores = self._scores(rows)
        told = which_moved(scores, links.scores[rows], near, _MOVED, _MOVED_FAR)
        rows, scores = rows[told], scores[told]
        links.rate(rows, scores)
        changes = list(zip(links.ids[rows].tolist(), scores.tolist(), strict=True))
        if self._exploration.is_due():
            changes += self._exploration.waiting()  # told again: the frontier names those that have ended
            changes.append(self._exploration.draw(links, self._doubts))
        return changes

    def forget(self, links: Sequence[int]) -> None:
        for link in links:
            self._links.drop(link)
            self._exploration.learn(link, belongs=False)

    def explain(self, target: Target) -> Sequence[str]:
        if not target.sightings:
            return ["a seed, or where a redirect led: first of all"]
        known = self._links.rows.get(target.id)
        links = self._links if known is not None else LinkTable(_ASKED)
        rows = np.array([known]) if known is not None else self._intake.rows([target], links)
        found, scores = self._measure(rows, links)
        line, odds = found[0], float(scores[0])
        parts = self._learner.weights * line
        strongest = [at for at in np.argsort(-np.abs(parts)) if SIGNALS[at].group != "all" and abs(parts[at]) >= _MOVED]
        own = odds - float(parts.sum())
        base = f"learned from {self._seen} pages with a mean score of {self._good / max(1, self._seen):.2f}"
        reasons = [f"now {REWARDS[self._reward.kind]} {self._probability(odds):.2f} (log odds {odds:+.2f}; {base})"]
        reasons += [f"{parts[at]:+.2f} {SIGNALS[at].name} ({line[at]:.2f})" for at in strongest[:8]]
        if target.score == ABOVE_ALL:
            reasons.insert(0, "drawn by chance, to learn what is being missed: first of all")
        if abs(own) >= _MOVED:
            reasons.append(f"{own:+.2f} words of its anchor and address, and its place, as such")
        return reasons

    def save(self) -> bytes | None:
        """Not with every commit: an end takes up to a twentieth of what was learned, and no score."""
        if self._seen < _SAVED * self._saved or self._seen == self._saved:
            return None
        self._saved = self._seen
        state = {
            "learner": self._learner.state(),
            "calibration": self._calibration.state(),
            "odds": [each.state() for each in self._all_odds],
            "yields": [each.state() for each in self._all_yields],
            "highest": self._words.highest.tobytes(),
            "met": dict(self._met),
            "counts": [self._good, self._seen],
            "lines": self._lines.tobytes(),
            "exploration": self._exploration.state(),
            "reward": self._reward.state(),
        }
        return pack(state)

    def load(self, state: bytes) -> None:
        held = unpack(state, self._learner.weights.nbytes)
        self._learner.restore(held["learner"])
        self._calibration.restore(held["calibration"])
        for odds, saved in zip(self._all_odds, held["odds"], strict=True):
            odds.restore(saved)
        for yields, saved in zip(self._all_yields, held["yields"], strict=True):
            yields.restore(saved)
        self._words.highest[:] = np.frombuffer(held["highest"], np.float32)
        self._met = Counter(held["met"])
        if self._met and not self._wanted:
            self._addresses.want([max(self._met, key=self._met.__getitem__)])
        self._good, self._seen = held["counts"]
        self._lines = np.frombuffer(held["lines"]).reshape(self._lines.shape).copy()
        self._saved = self._seen
        self._exploration.restore(held["exploration"])
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
        return self._exploration.remaining()

    def weights(self) -> Mapping[str, float]:
        """By how much each group of signals moves the log odds of links as they were met here, now."""
        total, squares = self._lines
        many = total[-1]  # what all links have in common is 1
        usual = np.array([signal.spread for signal in SIGNALS])
        variances = np.maximum(0.0, squares - total**2 / max(many, 1.0))
        moves = np.abs(self._learner.weights) * np.sqrt((variances + _USUAL * usual**2) / (many + _USUAL))
        effects: Counter[str] = Counter()
        for signal, move in zip(SIGNALS, moves.tolist(), strict=True):
            effects[signal.group] += move
        return {group: effect for group, effect in effects.most_common() if group != "all"}

    # --- inside

    @property
    def _all_odds(self) -> tuple[WordOdds, ...]:
        return self._words.odds, self._anchors, self._contexts, self._of_addresses, self._paths

    @property
    def _all_yields(self) -> tuple[Yields, ...]:
        return self._siblings, self._pages, self._fates, self._folders, self._hosts, self._parents

    @property
    def _base(self) -> float:
        return (self._good + 0.3) / (self._seen + 3.0)

    def _side_by_side(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """What is known of words, and of tag paths, a line for each, in the order of `kernels.links`; its columns take the
        tables' places."""
        words, tokens = self._words, self._learner.tokens
        facts: NDArray[np.float32] = aligned_zeros(8 * SLOTS, np.float32).reshape(SLOTS, 8)
        facts[:, 0], facts[:, 1], facts[:, 2] = words.odds.odds, words.centre, words.highest
        words.odds.odds, words.centre, words.highest = facts[:, 0], facts[:, 1], facts[:, 2]
        self._anchors.odds, tokens[0] = facts[:, 3], facts[:, 4]
        self._contexts.odds, self._of_addresses.odds, tokens[1] = facts[:, 5], facts[:, 6], facts[:, 7]
        of_paths = np.zeros((1 << _PATHS, 2), np.float32)
        self._paths.odds, tokens[2] = of_paths[:, 0], of_paths[:, 1]
        return facts, of_paths

    def _probability(self, odds: float) -> float:
        """By what such scores have been worth so far."""
        return probability(float(self._calibration.weights @ (1.0, odds)))

    def _scores(self, rows: Rows) -> Vector:
        """Links that are being explored stay where they were put."""
        return np.where(self._links.scores[rows] == ABOVE_ALL, ABOVE_ALL, self._measure(rows)[1])

    def _measure(self, rows: Rows, links: LinkTable | None = None) -> tuple[Vector, Vector]:
        """Signals and scores."""
        from opilio.model.kernels.links import measure  # noqa: PLC0415  (numba: half a second)

        found = np.empty((len(rows), len(SIGNALS)))
        tables = (self._siblings.table, self._pages.table, self._folders.table, self._hosts.table)
        fates = (*tables, self._addresses.hints)
        shifts = (np.float32(self._words.odds.shift), np.float32(self._anchors.shift))
        table = (self._links if links is None else links).table
        sums = measure(rows, table, self._facts, self._path_facts, fates, np.float32(self._base), shifts, found)
        return found, found @ self._learner.weights + sums

    def _learn_link(self, target: Target, score: float, reward: float) -> None:
        from opilio.model.kernels.yields import tell  # noqa: PLC0415

        known = self._links.rows.get(target.id)
        rows = self._intake.rows([target], self._links) if known is None else np.array([known])
        row = int(rows[0])
        found, [odds] = self._measure(rows)
        line = found[0] * self._used
        anchor, context, address, path = self._links.tokens(row)
        tokens = (anchor, address, path)
        self._learner.learn(line, tokens, reward)
        self._calibration.learn(np.array([1.0, odds]), _NO_TOKENS, reward)
        self._lines += (line, line * line)
        self._anchors.learn(anchor, score)
        self._contexts.learn(context, score)
        self._of_addresses.learn(address, score)
        self._paths.learn(path, score)
        tell(row, self._links.table, score, self._siblings.table, self._pages.table)
        self._credit.pass_on(target, reward, self._learner)
        self._credit.remember(target.id, Example(line, tokens, reward))

    def _look_back(self, judged: Judged) -> None:
        """Links of the page whose targets are known already tell of their neighbours."""
        from opilio.model.kernels.yields import look_back  # noqa: PLC0415

        links, slot = judged.page.links, self._fates.slot
        if links:
            blocks, targets = np.array([link.block for link in links]), np.array([slot(link.url) for link in links])
            tables = (self._fates.table, self._siblings.table, self._pages.table)
            look_back(judged.target.id, blocks, targets, *tables)

    def _bequeath(self, judged: Judged) -> None:
        """What the page's links take over from it; a seed has all of its importance to give."""
        from opilio.model.kernels.yields import slot_of  # noqa: PLC0415

        cash, distance = self._links.standing(judged.target.id) or (1.0, 1.0)
        share = cash / max(1, len(judged.page.links))
        facts = (self._words.likeness(judged.page.title), 1.0, share, 0.0 if judged.verdict.belongs else distance)
        self._parents.table[slot_of(judged.target.id, 0, len(self._parents.table))] = facts

    def _with_others(self, top: Rows) -> Rows:
        """Some of the other rows in turn, in the order of the table."""
        size = len(self._links.ids)
        count = min(self._refresh - len(top), size)
        rows = self._links.with_others(top, self._cursor, count)
        self._cursor = (self._cursor + count) % size
        return rows

    def _doubts(self, rows: Rows) -> Vector:
        return self._learner.doubts(self._measure(rows)[0] * self._used)
