"""Combinations of judges: all of them, any of them, the negation of one, or a weighted sum.

Each part is a settings table of its own, built like any judge and with the same context. Rules: every part judges every
page, even if the first has already decided, because each opinion is kept, leads use what parts measure, and parts that
learn must see all pages. What the parts have learned is saved together and assigned by name, so that parts may change
their order between two runs.

Invariant: a combination is a judge, so combinations can be combined.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from opilio.core.account import Account
from opilio.core.errors import ConfigError
from opilio.core.items import Opinion, Page, Verdict
from opilio.core.plugin import Context, build_plugin
from opilio.core.sigmoid import logit, sigmoid

from .seam import Judge, Judging

_SUREST_VOTE: Final = 4.0  # log odds, 98 %: more would let one part decide against all others
_STATES_DECODER: Final = msgspec.msgpack.Decoder(list[tuple[str, bytes | None]])


class Combined(Judge):
    """The common part of the four combinations. `combine` returns the score, and whether the page belongs."""

    name = ""
    line = ""  # what a page needs in order to belong

    def __init__(self, parts: Sequence[tuple[str, Judging]]) -> None:
        self._names = [name for name, _ in parts]
        self.parts = [Judge.adopt(part) for _, part in parts]
        self.reads_markup = any(part.reads_markup for part in self.parts)
        self.compares_words = any(part.compares_words for part in self.parts)

    @abstractmethod
    def combine(self, verdicts: Sequence[Verdict]) -> tuple[float, bool]: ...

    def judge(self, page: Page) -> Verdict:
        verdicts = tuple(part.judge(page) for part in self.parts)
        score, belongs = self.combine(verdicts)
        shown = ", ".join(f"{name} {_answer(verdict)}" for name, verdict in zip(self._names, verdicts, strict=True))
        opinions = (opinion for verdict in verdicts for opinion in verdict.opinions)
        told = None if all(verdict.abstains for verdict in verdicts) else score
        return Verdict(score, belongs, (Opinion(self.name, told, shown), *opinions), verdicts)

    def watch(self, page: Page, verdict: Verdict) -> bool:
        """Shows each part its own verdict, or the verdict on the whole if another judge has judged."""
        verdicts = verdict.parts if len(verdict.parts) == len(self.parts) else [verdict] * len(self.parts)
        pairs = zip(self.parts, verdicts, strict=True)
        changed = [part.watch(page, own) for part, own in pairs]
        return any(changed)

    def teach(self, page: Page, belongs: bool) -> bool:
        changed = [part.teach(page, belongs) for part in self.parts]
        return any(changed)

    def state(self) -> bytes:
        states = (part.state() for part in self.parts)
        return msgspec.msgpack.encode(list(zip(self._names, states, strict=True)))

    def describe(self) -> list[Account]:
        return [Account(self.name, self.line), *(account for part in self.parts for account in part.describe())]

    def bounds(self) -> tuple[float, float, float] | None:
        """Returns the bounds that the first part that has any proposes, or None."""
        proposed = (part.bounds() for part in self.parts)
        return next((bounds for bounds in proposed if bounds is not None), None)


class AllOf(Combined):
    """Has the score of the worst of its parts."""

    name = "all-of"
    line = "every part says that the page belongs"

    @classmethod
    def build(cls, context: Context, *, parts: Sequence[Mapping[str, Any]] = ()) -> "AllOf":
        return cls(build_parts(cls.name, parts, context))

    def combine(self, verdicts: Sequence[Verdict]) -> tuple[float, bool]:
        return min(verdict.score for verdict in verdicts), all(verdict.belongs for verdict in verdicts)


class AnyOf(Combined):
    """Has the score of the best of its parts."""

    name = "any-of"
    line = "at least one part says that the page belongs"

    @classmethod
    def build(cls, context: Context, *, parts: Sequence[Mapping[str, Any]] = ()) -> "AnyOf":
        return cls(build_parts(cls.name, parts, context))

    def combine(self, verdicts: Sequence[Verdict]) -> tuple[float, bool]:
        return max(verdict.score for verdict in verdicts), any(verdict.belongs for verdict in verdicts)


class Not(Combined):
    """Wants what its one part does not want, and teaches it the opposite."""

    name = "not"
    line = "its part says that the page does not belong"

    @classmethod
    def build(cls, context: Context, *, part: Mapping[str, Any] | None = None) -> "Not":
        return cls(build_parts(cls.name, [part] if part else [], context))

    def combine(self, verdicts: Sequence[Verdict]) -> tuple[float, bool]:
        return 1.0 - verdicts[0].score, not verdicts[0].belongs

    def teach(self, page: Page, belongs: bool) -> bool:
        return super().teach(page, not belongs)


class WeightedSum(Combined):
    """Adds up the log odds of its parts, by weight. `threshold` is the probability from which a page belongs.

    The sum is divided by the weights of the parts that could tell. So a part that abstains leaves the others' word as it is,
    and two parts that read the same words do not make each other surer. If none can tell, all must let the page in."""

    name = "sum"

    def __init__(self, parts: Sequence[tuple[str, Judging]], weights: Sequence[float], threshold: float = 0.5) -> None:
        super().__init__(parts)
        if not 0.0 <= threshold <= sigmoid(_SUREST_VOTE):
            raise ConfigError(
                f'the threshold of the judge "sum" must be a score from 0 to {sigmoid(_SUREST_VOTE):.3f}, not {threshold}: votes '
                "are bounded, so no page has a higher score."
            )
        self._weights = weights
        self._threshold = threshold
        self.line = f"the mean of the log odds of its parts, as a probability, is at least {threshold:g}"

    @classmethod
    def build(
        cls, context: Context, *, parts: Sequence[Mapping[str, Any]] = (), threshold: float = 0.5
    ) -> "WeightedSum":
        _check(cls.name, parts)
        weights = [part.get("weight", 1.0) for part in parts]
        for weight in weights:
            if not isinstance(weight, int | float) or not weight > 0:
                raise ConfigError(f'a part of the judge "sum" has the weight {weight!r}: a number above 0 is needed.')
        bare = [{key: value for key, value in part.items() if key != "weight"} for part in parts]
        return cls(build_parts(cls.name, bare, context), weights, threshold)

    def combine(self, verdicts: Sequence[Verdict]) -> tuple[float, bool]:
        votes = [
            (weight, logit(verdict.score, _SUREST_VOTE))
            for weight, verdict in zip(self._weights, verdicts, strict=True)
            if not verdict.abstains
        ]
        if not votes:
            return min(verdict.score for verdict in verdicts), all(verdict.belongs for verdict in verdicts)
        score = sigmoid(sum(weight * odds for weight, odds in votes) / sum(weight for weight, _ in votes))
        return score, score >= self._threshold


def _answer(verdict: Verdict) -> str:
    return "cannot tell" if verdict.abstains else "yes" if verdict.belongs else "no"


def build_parts(name: str, tables: Sequence[Mapping[str, Any]], context: Context) -> list[tuple[str, Judging]]:
    _check(name, tables)
    states = _states(context.state)
    parts = []
    for table in tables:
        place = next((place for place, (known, _) in enumerate(states) if known == table["name"]), None)
        state = None if place is None else states.pop(place)[1]
        parts.append((str(table["name"]), build_plugin("judge", dict(table), context._replace(state=state))))
    return parts


def _check(name: str, tables: Sequence[Mapping[str, Any]]) -> None:
    if not tables or not all(isinstance(table, Mapping) and table.get("name") for table in tables):
        several = 'parts = [{name = "language"}, {name = "perplexity"}]'
        shown = 'part = {name = "language"}' if name == "not" else several
        raise ConfigError(f'the judge "{name}" is made of judges, each a table with a name. Write: {shown}.')


def _states(saved: bytes | None) -> list[tuple[str, bytes | None]]:
    try:
        return _STATES_DECODER.decode(saved) if saved else []
    except msgspec.DecodeError:  # another judge has saved it, so the parts start without a state
        return []
