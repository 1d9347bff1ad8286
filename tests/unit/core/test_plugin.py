"""Classes that do not derive from a base class are adopted by it: what they have themselves stands before its hooks."""

from collections.abc import Sequence

import pytest

from opilio.core.errors import ConfigError
from opilio.core.items import Page, Target, Verdict
from opilio.judge import Everything, Judge
from opilio.lead import Lead


class _Judge:
    def __init__(self) -> None:
        self.taught = 0

    def judge(self, page: Page) -> Verdict:
        return Verdict(1.0, belongs=bool(self.taught))

    def teach(self, page: Page, belongs: bool) -> bool:
        self.taught += 1
        return True


class _Lead:
    sightings = 3

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        return [7.0 for _ in targets]


PAGE = Page("", "", 0, "", "", 0, "", 0.0, "", "", "", (), (), (), (), False, False, {})


def test_what_derives_stays_itself() -> None:
    judge = Everything()
    assert Judge.adopt(judge) is judge


def test_an_adopted_judge_has_its_own_methods_and_the_others_do_nothing() -> None:
    own = _Judge()
    judge = Judge.adopt(own)
    assert (judge.state(), judge.bounds(), judge.watch(PAGE, Verdict(1.0, belongs=True))) == (None, None, False)
    assert not judge.judge(PAGE).belongs
    assert judge.teach(PAGE, belongs=True)
    assert judge.judge(PAGE).belongs
    assert (own.taught, type(judge).__name__) == (1, "_Judge")


def test_an_adopted_lead_has_its_own_scores_and_wishes() -> None:
    lead = Lead.adopt(_Lead())
    target = Target(1, "http://a.test/", "a.test", 0, 0, ())
    assert (lead.score([target]), lead.sightings, lead.explain(target)) == ([7.0], 3, ["score 7"])
    assert (lead.save(), lead.fresh(), lead.remaining(), lead.weights()) == (None, (), None, {})


def test_what_cannot_do_the_one_thing_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"_Judge has no method score. Derive it from opilio.Lead."):
        Lead.adopt(_Judge())


class _Odd(_Lead):
    """Has names of its own that are those of hooks, and functions that are not methods."""

    def __init__(self) -> None:
        self.weights = {"host": 1.0}
        self.forgotten: list[int] = []
        self.forget = self.forgotten.extend

    def fresh(self) -> Sequence[tuple[int, float]]:
        return [(1, 2.0)]


def test_what_only_has_the_name_of_a_hook_is_not_taken_for_it() -> None:
    own = _Odd()
    lead = Lead.adopt(own)
    assert (lead.weights(), lead.fresh()) == ({}, [(1, 2.0)])
    lead.forget([3])
    assert own.forgotten == [3]


def test_an_adopted_lead_is_known_by_its_methods() -> None:
    assert (Lead.adopt(_Odd()).knows_links, Lead.adopt(_Odd()).estimates) == (True, False)
    assert (Lead.adopt(_Lead()).knows_links, Lead.adopt(_Lead()).estimates) == (False, False)


class _Modest(_Odd):
    """Has the methods, and says of itself that they tell nothing."""

    knows_links = False
    estimates = False

    def remaining(self) -> float | None:
        return None


def test_what_an_adopted_lead_says_of_itself_counts_more_than_its_methods() -> None:
    assert (Lead.adopt(_Modest()).knows_links, Lead.adopt(_Modest()).estimates) == (False, False)
