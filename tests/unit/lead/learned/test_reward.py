"""What a page is worth to the user."""

from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from opilio.core.items import Target
from opilio.lead import Judged, Learned
from opilio.lead.learned.known_text import KnownText
from opilio.lead.learned.reward import REWARDS, Reward
from tests.unit.lead.lead_field import Field, Seen, judged


def _met(field: Field, score: float, words: int, size_bytes: int, *, kept: bool = True, host: str = "h.test") -> Judged:
    lesson = judged(field.target(Seen(f"http://{host}/{{}}")), score)
    page = msgspec.structs.replace(lesson.page, words=words)
    return lesson._replace(page=page, kept=kept, size_bytes=size_bytes)


def test_a_page_of_middling_density_is_worth_half_its_verdict_and_a_denser_one_more() -> None:
    field, reward, random = Field(Learned()), Reward("tokens"), Random(5)
    for _ in range(500):
        reward.of(_met(field, 0.9, random.randrange(50, 151), 10_000))
    middling, dense, empty = (reward.of(_met(field, 0.8, words, 10_000)) for words in (100, 900, 0))
    assert middling == pytest.approx(0.4, abs=0.04)
    assert dense == pytest.approx(0.72, abs=0.04)
    assert empty == 0.0


def test_text_that_is_known_is_worth_nothing() -> None:
    field, reward = Field(Learned()), Reward("tokens")
    assert reward.of(_met(field, 0.9, 100, 1_000)) == pytest.approx(0.45)
    assert reward.of(_met(field, 0.9, 100, 1_000, kept=False)) == 0.0
    assert reward.of(_met(field, 0.4, 100, 1_000, kept=False)) > 0.0  # it is not kept because it does not belong


def _prose(words: int, seed: int) -> str:
    return " ".join(f"word{Random(seed * 10_000 + number).randrange(9_999)}" for number in range(words))


def _read(reward: Reward, text: str, score: float = 0.9, *, kept: bool = True) -> float:
    """The share of its words that counted, by what the page was worth."""
    lesson = judged(Target(1, "http://a.test/", "a.test", 0, 0, ()), score, text)
    page = msgspec.structs.replace(lesson.page, words=600)
    worth = reward.of(lesson._replace(page=page, kept=kept, size_bytes=10_000)) / score
    return worth / (1 - worth) * reward._median / 0.06


def _changed(text: str, every: int) -> str:
    return " ".join(f"other{at}" if at % every == 0 else word for at, word in enumerate(text.split()))


def test_a_near_duplicate_is_worth_next_to_nothing() -> None:
    reward, text = Reward("tokens"), _prose(600, 1)
    assert _read(reward, text) == pytest.approx(1.0)
    assert _read(reward, _changed(text, 20)) == pytest.approx(0.05, abs=0.01)  # one word in twenty is another one
    assert _read(reward, f"{text} {_prose(30, 2)}") == pytest.approx(0.05, abs=0.01)
    assert _read(reward, text) < 0.01


def test_a_page_with_half_known_text_counts_for_the_other_half() -> None:
    reward, text = Reward("tokens"), _prose(300, 1)
    _read(reward, f"{_prose(100, 2)} {text}")
    assert _read(reward, f"{text} {_prose(300, 3)}") == pytest.approx(0.5, abs=0.01)


def test_words_that_texts_share_a_few_at_a_time_stay_new() -> None:
    reward, text = Reward("tokens"), _prose(600, 1)
    _read(reward, text)
    assert _read(reward, _changed(text, 5)) == pytest.approx(1.0)
    assert _read(reward, " ".join(reversed(text.split()))) == pytest.approx(1.0)


def test_text_of_pages_that_were_not_kept_stays_new_to_the_corpus() -> None:
    reward, text = Reward("tokens"), _prose(600, 1)
    assert _read(reward, text, 0.4, kept=False) == pytest.approx(1.0)  # it does not belong
    assert _read(reward, text, 0.9, kept=False) == 0.0  # opted out, say
    assert _read(reward, text) == pytest.approx(1.0)
    assert _read(reward, text, 0.4, kept=False) == pytest.approx(0.0)  # and now it is there


@pytest.mark.parametrize("text", ["", "one", "one two three", "一", "ตัวอย่าง"])
def test_the_shortest_texts_are_new_once(text: str) -> None:
    reward = Reward("tokens")
    assert _read(reward, text) == pytest.approx(1.0)
    assert _read(reward, text) == pytest.approx(0.0 if text else 1.0)


def test_known_text_is_saved_with_the_lead_and_takes_no_more_room_however_much_is_read() -> None:
    field, text = Field(Learned(reward="tokens")), _prose(600, 1)
    field.learn(field.target(Seen()), 0.9, text)
    loaded = Learned(reward="tokens")
    loaded.load(field.lead.save() or b"")
    assert _read(loaded._reward, text) < 0.01
    known = KnownText()
    for number in range(1_000):
        known.new_share(" ".join(map(str, range(4_500 * number, 4_500 * (number + 1)))), keep=True)
    assert len(known.state().used + known.state().marks) < 4.5e6
    assert 0.2 < known.new_share(" ".join(map(str, range(4_500))), keep=False) < 0.8  # what was long ago has faded
    again = KnownText()
    again.restore(known.state())
    assert again.state() == known.state()


def test_only_a_lead_that_counts_words_remembers_texts() -> None:
    field, text = Field(Learned()), _prose(600, 1)
    for kind in ("pages", "hosts"):
        reward = Reward(kind)
        reward.of(judged(field.target(Seen()), 0.9, text))
        assert reward.state().known is None
    counting = Reward("tokens")
    counting.restore(reward.state())  # the operator has changed his mind
    counting.of(judged(field.target(Seen()), 0.9, text))
    assert counting.state().known


def test_only_the_first_good_page_of_a_host_has_its_full_reward() -> None:
    field, reward = Field(Learned()), Reward("hosts")
    scores = [(0.4, "a.test"), (0.9, "a.test"), (0.8, "a.test"), (0.8, "b.test")]
    found = [reward.of(_met(field, score, 1, 1, host=host)) for score, host in scores]
    assert found == pytest.approx([0.4, 0.9, 0.08, 0.8])


@pytest.mark.parametrize("kind", REWARDS)
def test_rewards_go_on_as_they_were_when_a_lead_is_loaded(kind: str) -> None:
    field = Field(Learned(reward=kind))
    for words in range(1, 60):
        field.lead.learn(_met(field, 0.9, words, 1_000, host=f"h{words % 9}.test"))
    loaded = Learned(reward=kind)
    loaded.load(field.lead.save() or b"")
    lesson = _met(field, 0.9, 30, 1_000, host="h1.test")
    assert loaded._reward.of(lesson) == field.lead._reward.of(lesson)


def test_with_hosts_as_reward_a_host_that_gave_its_page_falls_behind_new_ones() -> None:
    def known_against_new(kind: str) -> Sequence[float]:
        field = Field(Learned(reward=kind, explore=0.0))
        for number in range(300):
            host = f"http://{'rich' if number % 2 else f'h{number}'}.test/{{}}"
            field.learn(field.target(Seen(host)), 0.9)
        return field.scores(Seen("http://rich.test/{}"), Seen("http://never-seen.test/{}"))

    rich, new = known_against_new("pages")
    assert rich > new - 0.5
    rich, new = known_against_new("hosts")
    assert new > rich + 0.5


def test_with_tokens_as_reward_links_to_dense_pages_come_first_and_the_words_still_learn_the_verdict() -> None:
    field = Field(Learned(reward="tokens"))
    for _ in range(150):
        for anchor, words in (("barley", 300), ("tractor", 10)):
            lesson = judged(field.target(Seen(anchor=anchor)), 0.9)
            page = msgspec.structs.replace(lesson.page, words=words)
            field.lead.learn(lesson._replace(page=page, size_bytes=5_000))
    dense, thin = field.scores(Seen(anchor="barley"), Seen(anchor="tractor"))
    assert dense > thin + 0.5
    barley, tractor = field.lead._known.anchors.odds[field.lead._known.words.read(["barley", "tractor"])[0]]
    assert barley == pytest.approx(tractor, abs=0.05)
    assert field.lead.explain(field.target(Seen(anchor="barley")))[0].startswith("now by new words per byte worth ")
