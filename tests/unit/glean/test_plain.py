"""The paragraphs of a plain text: told from the lengths of its lines, in every script."""

import textwrap

import pytest

from opilio.glean.plain import paragraphs, wrap_width

ENGLISH = (
    "The shepherd leads his flock over the hill before the evening comes, and the dog runs ahead of them all. In winter the "
    "sheep stay near the village, where there is hay enough for every one of them, and a stone wall keeps the wind away. "
    "Nobody in the valley remembers a year without snow, and the oldest of the shepherds has seen eighty winters, or so he says."
)
GERMAN = (
    "Der Schäfer führt seine Herde vor dem Abend über die Hügel, und der Hund läuft ihnen allen voran. Im Winter bleiben "
    "die Schafe in der Nähe des Dorfes, wo es genug Heu für die ganze Herde gibt und eine Mauer aus Steinen den Wind von "
    "den Lämmern abhält. Niemand im Tal erinnert sich an ein Jahr ohne Schnee, und der älteste der Schäfer hat dort "
    "achtzig Winter erlebt. Am Ende bleibt die Wolle."
)
ARABIC = (
    "يقود الراعي قطيعه فوق التل قبل أن يحل المساء ويركض الكلب أمامهم جميعا وفي الشتاء تبقى الأغنام بالقرب من القرية "
    * 4
)
JAPANESE = (
    "羊飼いは夕方になる前に丘を越えて群れを導き、犬は皆の先を走る。冬になると羊は村の近くにとどまり、石の壁が風を防ぐ。"
    * 4
)


def texts(text: str) -> list[str]:
    return [block.text for block in paragraphs(text)]


@pytest.mark.parametrize("width", [50, 72, 80, 100])
@pytest.mark.parametrize("prose", [ENGLISH, GERMAN, ARABIC.strip()], ids=["English", "German", "Arabic"])
def test_a_wrapped_paragraph_is_joined(prose: str, width: int) -> None:
    assert texts(textwrap.fill(prose * 2, width)) == [" ".join((prose * 2).split())]


def test_wrapped_japanese_is_joined_without_spaces() -> None:
    wrapped = "\n".join(JAPANESE[start : start + 36] for start in range(0, len(JAPANESE), 36))
    assert texts(wrapped) == [JAPANESE]


@pytest.mark.parametrize("prose", [ENGLISH, GERMAN], ids=["English", "German"])
def test_a_short_line_of_a_wrapped_text_ends_a_paragraph_and_a_long_one_of_an_address_changes_nothing(
    prose: str,
) -> None:
    address = "https://example.org/" + "a" * 90
    written = [prose, f"{prose} See {address} for more, and for all that is not said here about sheep.", prose]
    wrapped = "\n".join(textwrap.fill(each, 72, break_long_words=False, break_on_hyphens=False) for each in written)
    assert texts(wrapped) == written


@pytest.mark.parametrize("capitals", [True, False])
def test_one_sentence_a_line_without_full_stops_stays_so(capitals: bool) -> None:
    sentences = [each.strip().rstrip(".") for each in (ENGLISH * 3).replace(", ", ". ").split(". ")]
    lines = [each[0].upper() + each[1:] if capitals else each.lower() for each in sentences]
    assert texts("\n".join(lines)) == lines


def test_one_paragraph_a_line_stays_so() -> None:
    written = [ENGLISH, GERMAN, ENGLISH[:200], ENGLISH, GERMAN[:300], ENGLISH, GERMAN]
    assert texts("\r\n".join(written)) == written


def test_verses_and_items_stay_lines() -> None:
    lines = ["A dog", "Two hundred sheep", "Hay for one winter", "One wall", "No wolves", "An old song", "Snow"]
    assert texts("\n".join(lines)) == lines


def test_a_few_lines_are_joined_where_one_goes_on_in_lower_case() -> None:
    assert texts("The shepherd leads\nhis flock over\nThe hill\n\n\nfour\n") == [
        "The shepherd leads his flock over",
        "The hill",
        "four",
    ]


def test_too_few_lines_show_no_width() -> None:
    lines = textwrap.wrap(ENGLISH * 2, 72)
    assert 70 <= wrap_width([lines]) <= 72
    assert wrap_width([lines[:4]]) == 0


def test_words_are_counted_and_nothing_is_boilerplate() -> None:
    [block] = paragraphs("  one\ttwo \n\n \n")
    assert (block.text, block.words, block.boilerplate) == ("one two", 2, 0.0)
    assert paragraphs(" \n\n") == ()


def test_of_very_many_lines_the_rest_is_one_and_no_word_is_lost() -> None:
    blocks = paragraphs("Line\n\n" * 200_000)
    assert len(blocks) <= 100_001
    assert sum(block.words for block in blocks) == 200_000
