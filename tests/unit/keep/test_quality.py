"""Columns of quality say what they promise: repetition, symbols, and a hash that nearly equal texts share."""

from random import Random

from opilio.core.items import Opinion
from opilio.keep.quality import measure, measured_by

WORDS = [f"word{number}" for number in range(2_000)]


def distance(one: str, other: str) -> int:
    return (int(measure(one).simhash, 16) ^ int(measure(other).simhash, 16)).bit_count()


def test_texts_that_are_nearly_the_same_have_nearly_the_same_hash() -> None:
    random = Random(7)
    near, far = [], []
    for _ in range(30):
        words = random.choices(WORDS, k=random.randrange(200, 1_500))
        changed = list(words)
        changed[random.randrange(len(words))] = "changed"
        near.append(distance(" ".join(words), " ".join(changed)))
        far.append(distance(" ".join(words), " ".join(random.choices(WORDS, k=len(words)))))
    assert max(near) < min(far)
    assert sorted(near)[15] <= 4
    assert sorted(far)[15] >= 24


def test_repetition_and_symbols_are_shares() -> None:
    plain = "one two three four five six seven eight"
    assert measure(plain).repetition == 0.0
    assert measure(f"{plain} {plain}").repetition > 0.3
    assert measure("a b c " * 100).repetition > 0.9
    assert measure("abc!").symbols == 0.25
    assert measure("हिन्दी में लिखा हुआ पाठ").symbols == 0.0


def test_scripts_without_spaces_are_compared_by_characters() -> None:
    text = "吾輩は猫である名前はまだ無いどこで生れたかとんと見当がつかぬ何でも薄暗い所で泣いていた"
    assert distance(text, text.replace("猫", "犬")) < distance(text, text[::-1])


def test_texts_without_three_words_have_no_hash() -> None:
    assert measure("").simhash == measure("two words").simhash == ""


def test_what_judges_have_measured_is_found_by_their_names() -> None:
    opinions = (Opinion("sum", 0.5, ""), Opinion("perplexity", 0.4, "", 812.5))
    assert measured_by("perplexity", opinions) == 812.5
    assert measured_by("badness", opinions) is None
