"""What counts as new text, and what it does to links."""

from collections import Counter
from itertools import count
from random import Random

import pytest

from opilio.core.items import Page, Verdict
from opilio.lead.learned.novelty import Novelty, is_readable, own_share
from opilio.lead.seam import Judged
from opilio.webs.demo import articles
from tests.builders import page, sighting, target

TEXTS = [each.text for each in articles("cats.en")]
GERMAN = articles("cats.de")[0].text
NUMBERS = count(1)


def judged(content: Page, *, host: str = "a.test", link: int = 0, kept: bool = True) -> Judged:
    where = target(f"http://{host}/{content.title}", number=link or next(NUMBERS))
    return Judged(where, content, Verdict(0.9, belongs=True), kept)


def tilt_of(novelty: Novelty, host: str) -> float:
    link = target(f"http://{host}/other", sighting(anchor="x"), number=next(NUMBERS))
    novelty.meet([link])
    return float(novelty.tilts([link.id])[0])


def test_running_text_is_readable_and_garbage_lists_and_other_languages_are_not() -> None:
    random, languages = Random(1), Counter({"en": 20})
    words = sorted(set(TEXTS[0].split()))
    letters = "abcdefghijklmnopqrstuvwxyz"
    garbage = " ".join("".join(random.choices(letters, k=random.randint(3, 9))) for _ in range(400))
    assert is_readable(page(TEXTS[0]), languages)
    assert not is_readable(page(garbage), languages)
    assert not is_readable(page(" ".join(word for word in words if len(word) > 4) * 3), languages)
    assert not is_readable(page(GERMAN, language="de"), languages)


def test_what_a_text_repeats_of_itself_counts_once() -> None:
    assert own_share("a rose is red and a violet is blue") == 1.0
    assert own_share("buy this now " * 100) < 0.02


def test_a_host_that_repeats_what_others_had_is_worth_less_with_every_page() -> None:
    novelty = Novelty()
    for text in TEXTS[:8]:
        novelty.learn(judged(page(text), host="first.test"))
    tilts = []
    for text in TEXTS[:4]:
        novelty.learn(judged(page(f"Copied. {text}"), host="mirror.test"))
        tilts.append(tilt_of(novelty, "mirror.test"))
    assert tilts == sorted(tilts, reverse=True)
    assert tilts[-1] < -0.3 < tilt_of(novelty, "first.test")
    assert tilt_of(novelty, "unknown.test") == 0.0


def test_a_link_whose_anchor_is_a_known_title_is_suspected_once_such_links_brought_nothing() -> None:
    novelty = Novelty()
    title = "How cats find their way home"
    known = target("http://b.test/copy", sighting(anchor=title), number=next(NUMBERS))
    novelty.meet([known])
    before = float(novelty.tilts([known.id])[0])
    novelty.learn(judged(page(TEXTS[0], title=f"{title} | A site")))
    assert float(novelty.tilts([known.id])[0]) < before
    for _ in range(6):
        other = target("http://c.test/copy", sighting(anchor=title), number=next(NUMBERS))
        novelty.meet([other])
        novelty.learn(judged(page(TEXTS[0], title=title), link=other.id, kept=False))
    assert float(novelty.tilts([known.id])[0]) < -1.0


def test_the_tilt_is_bounded() -> None:
    novelty = Novelty()
    for number in range(60):
        novelty.learn(judged(page(TEXTS[0], title=str(number)), kept=False))
    assert tilt_of(novelty, "a.test") == pytest.approx(-1.5)


def test_what_was_learned_is_saved() -> None:
    novelty, other = Novelty(), Novelty()
    for text in TEXTS[:5]:
        novelty.learn(judged(page(text, title="Cats at home and away")))
    other.restore(novelty.state())
    assert tilt_of(other, "a.test") == tilt_of(novelty, "a.test")
    again = judged(page(TEXTS[0]))
    for each in (novelty, other):
        each.learn(again)
    assert tilt_of(other, "a.test") == tilt_of(novelty, "a.test")
