"""Judges that users put together: whatever has the seam of a judge combines, and learns on as a part."""

from math import log
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.core.items import Opinion, Page, Verdict
from opilio.core.plugin import Context, build_plugin
from opilio.judge import AllOf, AnyOf, Judge, Judging, Not, WeightedSum
from opilio.judge.combined import Combined
from opilio.lead import ParentPerplexity, ParentScore
from tests.builders import install_plugin, page, sighting, target

GERMAN = {"name": "language", "languages": ["de"]}
SPIDERS = {"name": "keywords", "words": ["Weberknecht"]}


def build(state: bytes | None = None, **judge: Any) -> Any:
    config = load_config(tables={"judge": judge})
    return build_plugin("judge", config.judge, Context(config, None, state=state))


class Fixed(Judge):
    """Says what it was told to say; learns."""

    def __init__(self, score: float, measure: float | None = None) -> None:
        self._verdict = Verdict(score, score >= 0.5, (Opinion("fixed", score, "so it is", measure),))
        self.watched: list[Verdict] = []
        self.taught: list[bool] = []

    def judge(self, page: Page) -> Verdict:
        return self._verdict

    def watch(self, page: Page, verdict: Verdict) -> bool:
        self.watched.append(verdict)
        return len(self.watched) == 2

    def state(self) -> bytes:
        return b"%d" % len(self.watched)

    def teach(self, page: Page, belongs: bool) -> bool:
        self.taught.append(belongs)
        return True


class Silent(Judge):
    def judge(self, page: Page) -> Verdict:
        return Verdict.cannot_tell("silent", "the text is too short")


def parts(*judges: Judging) -> list[tuple[str, Judging]]:
    return [("fixed", judge) for judge in judges]


# --- scores


@given(some.lists(some.floats(0, 1), min_size=1, max_size=5))
def test_scores_stay_in_range_and_belonging_follows_logic(scores: list[float]) -> None:
    made = [Fixed(score) for score in scores]
    every, one = AllOf(parts(*made)).judge(page("")), AnyOf(parts(*made)).judge(page(""))
    total = WeightedSum(parts(*made), [1.0 + place for place in range(len(made))]).judge(page(""))
    assert (every.score, one.score) == (min(scores), max(scores))
    assert (every.belongs, one.belongs) == (min(scores) >= 0.5, max(scores) >= 0.5)
    assert min(*scores, 0.982) - 1e-9 <= total.score <= max(*scores, 0.018) + 1e-9
    assert Not(parts(AllOf(parts(*made)))).judge(page("")).belongs is not every.belongs


def test_weights_and_threshold_of_a_sum_count() -> None:
    made: dict[str, Any] = {"parts": [{**GERMAN, "weight": 3}, {**SPIDERS, "weight": 1}]}
    verdict = build(name="sum", **made).judge(page("Kein Wort davon.", language="de"))
    assert log(verdict.score / (1 - verdict.score)) == pytest.approx((3 * log(9) - 4) / 4)  # 0.9, and no keyword at all
    assert verdict.belongs
    assert not build(name="sum", threshold=0.7, **made).judge(page("Kein Wort davon.", language="de")).belongs


def test_no_part_decides_a_sum_by_being_certain() -> None:
    assert not WeightedSum(parts(Fixed(1.0), Fixed(0.1), Fixed(0.1)), [1, 1, 1]).judge(page("")).belongs
    assert WeightedSum(parts(Fixed(0.0), Fixed(0.9), Fixed(0.9)), [1, 1, 1]).judge(page("")).belongs


def test_a_part_that_cannot_tell_has_no_vote_in_a_sum() -> None:
    verdict = WeightedSum(parts(Silent(), Fixed(0.8)), [5, 1]).judge(page(""))
    assert verdict.score == pytest.approx(0.8)
    assert verdict.opinions[0].reason == "fixed cannot tell, fixed yes"
    assert verdict.opinions[1].reason == "cannot tell, because the text is too short"


def test_a_combination_none_of_whose_parts_can_tell_cannot_tell_and_keeps_nothing() -> None:
    inner = WeightedSum(parts(Silent(), Silent()), [1, 1])
    verdict = inner.judge(page(""))
    assert (verdict.abstains, verdict.belongs) == (True, False)
    assert WeightedSum(parts(inner, Not(parts(Silent())), Fixed(0.8)), [1, 1, 1]).judge(
        page("")
    ).score == pytest.approx(0.8)


def test_what_a_part_cannot_tell_does_not_belong_by_all_of() -> None:
    assert not AllOf(parts(Silent(), Fixed(0.9))).judge(page("")).belongs
    assert AnyOf(parts(Silent(), Fixed(0.9))).judge(page("")).belongs


def test_every_opinion_is_kept_also_after_the_first_no() -> None:
    inner = {"name": "any-of", "parts": [SPIDERS, {"name": "everything"}]}
    verdict = build(name="all-of", parts=[{"name": "not", "part": GERMAN}, inner]).judge(
        page("Der Weberknecht.", language="de")
    )
    assert [opinion.judge for opinion in verdict.opinions] == [
        "all-of", "not", "language", "any-of", "keywords", "everything"
    ]  # fmt: skip
    assert verdict.opinions[0].reason == "not no, any-of yes"
    assert not verdict.belongs


# --- learning


def test_each_part_watches_with_its_own_verdict_and_any_of_them_can_have_news() -> None:
    good, bad = Fixed(0.9), Fixed(0.1)
    judge = AllOf(parts(Not(parts(bad)), good))
    seen = judge.judge(page(""))
    assert [judge.watch(page(""), seen) for _ in range(3)] == [False, True, False]
    assert (good.watched[0].score, bad.watched[0].score) == (0.9, 0.1)


def test_a_verdict_of_somebody_else_is_shown_to_every_part() -> None:
    judge, other = Fixed(0.9), Verdict(0.3, belongs=False)
    AllOf(parts(judge)).watch(page(""), other)
    assert judge.watched == [other]


def test_not_teaches_its_part_the_contrary() -> None:
    plain, turned = Fixed(0.9), Fixed(0.9)
    judge = AnyOf(parts(plain, Not(parts(turned))))
    assert judge.teach(page(""), belongs=True)
    assert (plain.taught, turned.taught) == ([True], [False])


def test_a_combination_nobody_of_which_learns_says_so() -> None:
    judge = build(name="all-of", parts=[GERMAN, SPIDERS])
    assert not judge.teach(page(""), belongs=True)
    assert not judge.watch(page(""), judge.judge(page("")))


class Counting(Fixed):
    """Remembers how many pages it has watched, even when it is built anew."""

    def __init__(self, start: int) -> None:
        super().__init__(0.9)
        self.start = start

    @classmethod
    def build(cls, context: Context, start: int = 0) -> "Counting":
        return cls(int(context.state) if context.state else start)

    def state(self) -> bytes:
        return b"%d" % (self.start + len(self.watched))


@pytest.fixture
def counting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(install_plugin(tmp_path, "judge", "counting", f"{__name__}:Counting"))


@pytest.mark.usefixtures("counting")
def test_states_of_parts_are_saved_together_and_find_their_part_in_another_order() -> None:
    first = build(name="all-of", parts=[{"name": "counting", "start": 5}, GERMAN, {"name": "counting", "start": 7}])
    first.watch(page(""), first.judge(page("")))
    again = build(first.state(), name="any-of", parts=[GERMAN, {"name": "counting"}, {"name": "counting"}, SPIDERS])
    assert [part.start for part in again.parts if isinstance(part, Counting)] == [6, 8]


@pytest.mark.usefixtures("counting")
def test_parts_begin_anew_where_another_judge_has_left_its_state() -> None:
    judge = build(b"\x28\xb5\x2f\xfd of another kind", name="all-of", parts=[{"name": "counting", "start": 3}])
    assert judge.parts[0].start == 3


# --- what stands around judges


class Proposer(Fixed):
    def bounds(self) -> tuple[float, float, float]:
        return 10.0, 20.0, 30.0


def test_bounds_are_proposed_by_the_part_that_knows_some() -> None:
    assert AllOf(parts(Fixed(0.1), AnyOf(parts(Proposer(0.9))))).bounds() == (10.0, 20.0, 30.0)
    assert AllOf(parts(Fixed(0.1))).bounds() is None


def test_a_part_may_be_any_class_that_judges() -> None:
    class Plain:
        def judge(self, page: Page) -> Verdict:
            return Verdict(0.7, belongs=True)

    judge = AllOf(parts(Plain(), Fixed(0.9)))
    assert judge.judge(page("")).score == 0.7
    assert not judge.watch(page(""), Verdict(0.7, belongs=True))
    assert judge.teach(page(""), belongs=True)


def test_leads_by_parents_go_by_a_combined_judge() -> None:
    class Perplexed(Fixed):
        def judge(self, page: Page) -> Verdict:
            return Verdict(0.6, True, (Opinion("perplexity", 0.6, "", 420.0),))

    verdict = AllOf(parts(Fixed(0.8), Perplexed(0.6))).judge(page(""))
    measures = {opinion.judge: opinion.measure for opinion in verdict.opinions if opinion.measure is not None}
    seen = sighting("http://t.test/", 1, verdict.score, belongs=verdict.belongs, measures=measures)
    queued = target("http://t.test/", seen)
    assert ParentScore().score([queued]) == [0.6]
    assert ParentPerplexity().score([queued]) == [-420.0]


# --- mistakes


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        ({"name": "all-of"}, r'"all-of" is made of judges.*parts = '),
        ({"name": "any-of", "parts": ["language"]}, r"each a table with a name"),
        ({"name": "sum", "parts": ["language"]}, r"each a table with a name"),
        ({"name": "not", "part": {"languages": ["de"]}}, r"part = "),
        ({"name": "all-of", "parts": [{"name": "langauge"}]}, r'Did you mean "language"'),
        ({"name": "all-of", "parts": [{**GERMAN, "treshold": 1}]}, r"treshold"),
        ({"name": "sum", "parts": [{**GERMAN, "weight": 0}]}, r"weight 0.*above 0"),
    ],
)
def test_a_combination_that_cannot_be_built_says_what_to_write(judge: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        build(**judge)


def test_combining_is_left_to_the_four() -> None:
    with pytest.raises(TypeError, match="abstract"):
        Combined(parts(Fixed(1.0)))  # type: ignore[abstract]


def test_options_of_the_wrong_kind_are_said_before_the_first_page() -> None:
    with pytest.raises(ConfigError, match=r'judge\.words is a list, not a string: write \["spider"\]'):
        build(name="keywords", words="spider")
    with pytest.raises(ConfigError, match=r'judge\.threshold must be a number, such as 0\.5, not "high"'):
        build(name="sum", parts=[GERMAN], threshold="high")
    with pytest.raises(ConfigError, match=r"from 0 to 0\.982, not 0\.99: votes are bounded"):
        build(name="sum", parts=[GERMAN], threshold=0.99)


def test_a_combination_reads_markup_if_a_part_does() -> None:
    config = load_config()
    texts, markup = {"name": "everything"}, {"name": "comments"}
    found = [
        build_plugin("judge", {"name": "any-of", "parts": parts}, Context(config, None))
        for parts in ([texts], [texts, markup])
    ]
    assert [judge.reads_markup for judge in found] == [False, True]
