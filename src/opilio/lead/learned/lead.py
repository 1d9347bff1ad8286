"""Which links are worth their download, learned during the crawl from every signal at once.

1. **A score is log odds.** The score of a link is the log odds that its target belongs: the sum of its signals (`signals`), each
   times its weight, and of the weights of its tokens, which are the words of its anchor and address and its place in
   the page. Where `reward` says so, it is the log odds of what the user wants instead.
2. **Weights are beliefs.** They are set before the first page, so the first scores are sensible. Every judged page moves
   them by as much as its verdict surprises: a weight that is in doubt moves far, and one that was often tested hardly. Verdicts
   are learned as they are, graded from 0 to 1.
3. **Signals come from what is known** (`knowledge`): the words of the samples and of the pages met, and how often the
   link's folder, host, block and parents led to pages that belong.
4. **Scores are kept fresh.** Open links lie in a `LinkTable`. After every page, the most promising ones and some others in turn
   are measured again, at most `refresh` in all, and the frontier is told about those whose score has moved.
5. **Credit travels back one link.** A page that does not belong and leads to one that does counts for `discount` of it,
   when that is found out (`credit`).
6. **Doubt is explored.** A share `explore` of the picks goes to links that the learner is unsure of. They also tell how many
   good links still wait (`exploration`).

Example: a crawl for harvestmen has fetched only its seed, which belongs with 0.9 and has a menu. Its link "opening hours" gets
−2.00 as every link does, −1.21 for words that ordinary pages have and the samples do not, +0.58 for its parent and +0.64 for the
yield of its folder and host: a score of −1.99. The link "guided tours" of the same menu was expected to belong with 0.34,
is fetched, and belongs with 0.95. Now more is known: the yield of the menu is worth +0.84 to "opening hours", that of the
seed's links +0.52, and that of folder and host +0.84. And the surprise has moved the weights: that of the best parent
from 0.30 to 0.37, and those of the tokens that both links share, in their addresses and their place in the page, from
nothing to +0.62 in all. When "opening hours" is next measured, its score is +0.29.

Invariants: scores depend only on the pages learned from, in their order, on the link itself and on the crawl's seed. Memory is
bounded.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from opilio.core.errors import ConfigError, CrawlDirError
from opilio.core.items import Page, Target
from opilio.core.plugin import Context
from opilio.lead.seam import FRESH, Judged, Lead, Stale
from opilio.model.online_logistic import OnlineLogistic, Vector, probability

from .credit import Credit, Example
from .exploration import Exploration
from .intake import Intake
from .kernels.links import which_moved
from .knowledge import Knowledge
from .link_table import LinkTable, Rows
from .reward import REWARDS, Reward
from .signals import GROUPS, SIGNALS, TRUST, Signal
from .state import State, decode, encode

_LEADERS: Final = 64  # links, one of which is fetched next
_LEAST_MOVE: Final = 0.05  # of the log odds of a leader, before the frontier is told
_FAR_MOVE: Final = 0.5  # the same for other links: telling the frontier takes 20 µs
_SAVE_GROWTH: Final = 1.1  # of the pages known, before the state is saved again
_BATCH: Final = 256  # links that get rows together
_SEED_SCORE: Final = 50.0  # of links without sightings
_CALIBRATION_DOUBTS: Final = (0.5, 0.3)  # how much all log odds may be too low or too high, and too steep, at first
_NO_TOKENS: Final = (np.zeros(0, np.int32),)
_SPREAD_LINKS: Final = 20.0  # links that a signal's usual spread counts for
_NAMED_SIGNALS: Final = 8  # that are named when a score is explained …
_LEAST_NAMED: Final = 0.01  # … and by how much each moves the log odds at least


class Learned(Lead):
    goes_by = "what was learned so far"
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
        warm: str = "",
        saved_lead: Callable[[str], bytes] | None = None,
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
        self._used = np.array([signal.group in signals or signal.group == "all" for signal in SIGNALS])
        weights = np.array([signal.weight for signal in SIGNALS]) * self._used
        doubts = np.array([TRUST / (signal.spread / signal.doubt) for signal in SIGNALS]) * self._used
        rates = [rate if group in signals else 0.0 for group in ("anchor", "url", "path")]
        self._known = known = Knowledge(samples, languages)
        self._learner = OnlineLogistic(weights, doubts, known.token_weights, rates)
        no_tokens = (np.zeros(1, np.float32),)
        self._calibration = OnlineLogistic(np.array([0.0, 1.0]), np.array(_CALIBRATION_DOUBTS), no_tokens, (0.0,))
        self._links = LinkTable(links)
        self._intake = Intake(known.words, known.addresses, len(known.siblings.table), known.parents)
        self._exploration = Exploration(explore, seed)
        self._credit, self._reward = Credit(discount), Reward(reward)
        self._refresh, self._warm, self._saved_lead = refresh, warm, saved_lead
        self._lines = np.zeros((2, len(SIGNALS)))  # learned from: their sum, and that of their squares
        self._saved = 0  # pages that were known then
        self._cursor = 0  # the row from which on others are measured again

    @classmethod
    def build(cls, context: Context, **options: Any) -> "Learned":
        options.setdefault("seed", context.config.crawl.seed)
        samples = [sample.text for sample in context.samples]
        return cls(samples, context.config.corpus.languages, saved_lead=context.saved_lead, **options)

    # --- scoring and learning

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        """A seed, and where a seed is redirected to, has no signals and comes first."""
        seen = [target for target in targets if target.sightings]
        found: list[float] = []
        for start in range(0, len(seen), _BATCH):
            rows = self._intake.rows(seen[start : start + _BATCH], self._links)
            if self._reward.novelty is not None:
                self._reward.novelty.meet(seen[start : start + _BATCH])
            scores = self._scores(rows)
            self._links.rate(rows, scores)
            found += scores.tolist()
        if len(seen) == len(targets):
            return found
        inner = iter(found)
        return [next(inner) if target.sightings else _SEED_SCORE for target in targets]

    def learn(self, judged: Judged) -> Stale:
        target, verdict = judged.target, judged.verdict
        reward = self._reward.of(judged)
        if target.sightings:
            self._learn_link(target, verdict.score, reward)
        if self._reward.novelty is not None:
            self._reward.novelty.learn(judged)
        self._exploration.learn(target.id, belongs=verdict.belongs)
        standing = self._links.standing(target.id) or (1.0, 1.0)  # a seed has all of its importance to give
        self._known.learn_page(judged, standing)
        self._links.drop(target.id)
        return FRESH

    def teach(self, page: Page, belongs: bool) -> None:
        self._known.learn_text(page, float(belongs))
        self._saved = 0  # so that it is saved with the next commit

    def holds(self, link: int) -> bool:
        return link in self._links.rows

    def fresh(self) -> Sequence[tuple[int, float]]:
        """Returns the most promising links, and some others in turn, if their scores have moved."""
        links = self._links
        if not len(links):
            return ()
        top = links.best(self._refresh // 2 if len(links) > self._refresh else self._refresh)
        near = float(np.partition(links.scores[top], -_LEADERS)[-_LEADERS]) if len(top) > _LEADERS else -np.inf
        rows = self._with_others(top) if len(top) < len(links) else top
        scores = self._scores(rows)
        told = which_moved(scores, links.scores[rows], near, _LEAST_MOVE, _FAR_MOVE)
        rows, scores = rows[told], scores[told]
        links.rate(rows, scores)
        changes = list(zip(links.ids[rows].tolist(), scores.tolist(), strict=True))
        if self._exploration.is_due():
            # Those that wait are told again: one that was leased when it was drawn may be back in the queue.
            changes += self._exploration.waiting()
            changes.append(self._exploration.draw(links, self._doubts))
        return changes

    def forget(self, links: Sequence[int]) -> None:
        for link in links:
            self._links.drop(link)
            self._exploration.learn(link, belongs=False)

    # --- what people ask

    def explain(self, target: Target) -> Sequence[str]:
        """Asking changes nothing: a link without a row is measured in a table of its own."""
        if not target.sightings:
            return ["a seed, or where a seed is redirected to: first of all"]
        known = self._links.rows.get(target.id)
        links = self._links if known is not None else LinkTable(1)
        rows = np.array([known]) if known is not None else self._intake.rows([target], links)
        found, scores = self._measure(rows, links)
        line, odds = found[0], float(scores[0])
        parts = self._learner.weights * line
        named = [signal for signal in SIGNALS if signal.group != "all" and abs(parts[signal]) >= _LEAST_NAMED]
        strongest = sorted(named, key=lambda signal: -abs(parts[signal]))[:_NAMED_SIGNALS]
        own = odds - float(parts.sum())
        base = f"learned from {self._known.seen} pages with a mean score of {self._known.mean:.2f}"
        reasons = [f"now {REWARDS[self._reward.kind]} {self._probability(odds):.2f} (log odds {odds:+.2f}; {base})"]
        reasons += [f"{parts[signal]:+.2f} {signal.label} ({line[signal]:.2f})" for signal in strongest]
        if target.id in self._exploration:
            reasons.insert(0, "drawn by chance, to learn what is being missed: first of all")
        if self._reward.novelty is not None:
            reasons.append(self._reward.novelty.explain(target.id))
        if abs(own) >= _LEAST_NAMED:
            reasons.append(f"{own:+.2f} words of its anchor and address, and its place, as such")
        return reasons

    def remaining(self) -> float | None:
        """Returns the estimated number of pages in the queue that belong, or None while too little was explored."""
        return self._exploration.remaining()

    def weights(self) -> Mapping[str, float]:
        """Returns how much each group of signals moves the log odds of the links met in this crawl, by the weights of now."""
        total, squares = self._lines
        many = total[Signal.EVERY_LINK]  # 1 for each link
        usual = np.array([signal.spread for signal in SIGNALS])
        variances = np.maximum(0.0, squares - total**2 / max(many, 1.0))
        moves = np.abs(self._learner.weights) * np.sqrt((variances + _SPREAD_LINKS * usual**2) / (many + _SPREAD_LINKS))
        effects: Counter[str] = Counter()
        for signal, move in zip(SIGNALS, moves.tolist(), strict=True):
            effects[signal.group] += move
        return {group: effect for group, effect in effects.most_common() if group != "all"}

    # --- what is kept

    def save(self) -> bytes | None:
        """Saves only after 10 % more pages, because saving takes 20 ms. A crash loses at most what these taught; scores are safe
        in the frontier."""
        known = self._known
        if known.seen < _SAVE_GROWTH * self._saved or known.seen == self._saved:
            return None
        self._saved = known.seen
        state = State(
            learner=self._learner.state(),
            calibration=self._calibration.state(),
            odds=[odds.state() for odds in known.odds],
            yields=[yields.state() for yields in known.yields],
            highest=known.words.highest.tobytes(),
            met=dict(known.met),
            counts=(known.good, known.seen),
            lines=self._lines.tobytes(),
            exploration=self._exploration.state(),
            reward=self._reward.state(),
        )
        return encode(state)

    def load(self, state: bytes) -> None:
        held = decode(state, len(SIGNALS))
        self._learner.restore(held.learner)
        self._calibration.restore(held.calibration)
        self._known.restore(held)
        self._lines[:] = np.frombuffer(held.lines).reshape(self._lines.shape)
        self._saved = self._known.seen
        self._exploration.restore(held.exploration)
        self._reward.restore(held.reward)

    def inherit(self) -> None:
        """Begins with the weights and words that the lead of another crawl has learned (`lead.warm`)."""
        if not self._warm:
            return
        if self._saved_lead is None:
            raise ConfigError(f"lead.warm names {self._warm}, and there is no folder to look for it from.")
        try:
            held = decode(self._saved_lead(self._warm), len(SIGNALS))
        except CrawlDirError as error:
            raise ConfigError(f"lead.warm names {self._warm}: {error} Or leave lead.warm out.") from error
        self._learner.inherit(held.learner)
        self._learner.weights[:] *= self._used
        self._known.inherit(held)

    # --- inside

    def _probability(self, odds: float) -> float:
        """Returns the probability that links with such a score have had so far."""
        return probability(float(self._calibration.weights @ (1.0, odds)))

    def _scores(self, rows: Rows) -> Vector:
        ids, odds = self._links.ids[rows], self._measure(rows, self._links)[1]
        if self._reward.novelty is not None:
            odds += self._reward.novelty.tilts(ids.tolist())
        return self._exploration.rank(ids, odds)

    def _measure(self, rows: Rows, links: LinkTable) -> tuple[Vector, Vector]:
        """Returns signals and scores."""
        found = np.empty((len(rows), len(SIGNALS)))
        sums = self._known.measure(rows, links, found)
        return found, found @ self._learner.weights + sums

    def _learn_link(self, target: Target, score: float, reward: float) -> None:
        links = self._links
        known = links.rows.get(target.id)
        rows = self._intake.rows([target], links) if known is None else np.array([known])
        row = int(rows[0])
        found, [odds] = self._measure(rows, links)
        line = found[0] * self._used
        anchor, context, address, path = links.tokens(row)
        example = Example(line, (anchor, address, path), reward)
        self._learner.learn(line, example.tokens, reward)
        self._calibration.learn(np.array([1.0, odds]), _NO_TOKENS, reward)
        self._lines += (line, line * line)
        self._known.learn_link(row, links, (anchor, context, address, path), score)
        self._credit.pass_on(target, reward, self._learner)
        self._credit.remember(target.id, example)

    def _with_others(self, top: Rows) -> Rows:
        """Adds some of the other rows in turn, in the order of the table."""
        size = len(self._links.ids)
        count = min(self._refresh - len(top), size)
        rows = self._links.with_others(top, self._cursor, count)
        self._cursor = (self._cursor + count) % size
        return rows

    def _doubts(self, rows: Rows) -> Vector:
        return self._learner.doubts(self._measure(rows, self._links)[0] * self._used)
