"""Terms get numbers, and texts are counted as by `terms`."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.model.similarity import bag_of
from opilio.model.term_index import Counted, TermIndex
from opilio.model.terms import terms

TEXTS = (
    "",
    "The cat sat on the mat, and the CAT slept internationally.",
    "Größe, ÉCOLE und İstanbul; naïve_words 42",
    "東京は日本の首都です and カタカナ 北",
    "ไทย ลาว ខ្មែរ",
    "\ud800 lone surrogates \udfff",
)


def counts(index: TermIndex, counted: Counted) -> dict[str, int]:
    return {index.terms[place]: int(amount) for place, amount in zip(*counted, strict=True)}


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_counted_as_its_list_of_terms(text: str) -> None:
    index = TermIndex()
    assert list(counts(index, index.count(text)).items()) == list(Counter(terms(text)).items())


@given(st.lists(st.text(max_size=60), max_size=4))
def test_any_texts_are_counted_as_their_lists_of_terms(texts: list[str]) -> None:
    index = TermIndex()
    for text in texts:
        assert counts(index, index.count(text)) == Counter(terms(text))
    assert len(set(index.terms)) == len(index)


def test_terms_keep_their_places_when_the_index_grows() -> None:
    words = [f"w{number}" for number in range(60_000)]
    index = TermIndex(words[:10])
    assert index.places(" ".join(words)).tolist() == list(range(60_000))
    assert index.terms == words
    assert index.count("w7 w59999 w7").places.tolist() == [7, 59_999]


def test_only_the_first_words_count() -> None:
    index = TermIndex()
    assert counts(index, index.count("a b a c", most=3)) == {"a": 2, "b": 1}
    assert index.terms == ["a", "b"]
    assert counts(index, index.count("日本語文", most=2)) == {"日本": 1, "本語": 1}


@pytest.mark.parametrize("text", TEXTS)
def test_a_bag_is_read_as_the_text_it_was_made_from(text: str) -> None:
    index = TermIndex()
    counted = index.count(text)
    bag = index.bag(counted)
    assert bag == bag_of(Counter(terms(text)))
    read = index.read(bag)
    assert [each.tolist() for each in read] == [each.tolist() for each in counted]


def test_room_is_made_for_terms_and_not_for_characters() -> None:
    index = TermIndex(f"w{number}" for number in range(60_000))
    assert len(index._table) // 2 <= 4 * len(index)


def test_threads_may_share_an_index() -> None:
    index, texts = TermIndex(), [" ".join(f"w{thread}x{each}" for each in range(300)) for thread in range(4)]

    def count(text: str) -> bool:
        return all(counts(index, index.count(text)) == Counter(terms(text)) for _ in range(50))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(count, texts))
    assert len(set(index.terms)) == len(index) == 1_200


def test_a_term_that_could_not_be_named_is_met_anew() -> None:
    index = TermIndex(["a", "b"])
    known = index.terms
    index.terms = ("a", "b")  # type: ignore[assignment]  # to which no list can be added
    with pytest.raises(TypeError):
        index.count("c d a")
    index.terms = known
    assert counts(index, index.count("d a e")) == {"d": 1, "a": 1, "e": 1}
