"""Terms as numbers, for many texts at once."""

from collections import Counter
from zlib import crc32

from hypothesis import given
from hypothesis import strategies as st

from opilio.model.term_slots import count_slots, term_slots
from opilio.model.terms import terms

MASK = (1 << 18) - 1
LETTERS = "abXY09 _-./'\n\täßÉİΣςидあア中文ก๐ัि한글\u00a0\u2003\u200d\u0301\ud800²½𠀀😀\u30fb"
TEXTS = st.lists(st.text(st.sampled_from(LETTERS), max_size=30) | st.text(max_size=30), min_size=1, max_size=5)


def _expected(text: str) -> list[int]:
    return [crc32(term.encode("utf-8", "surrogatepass")) & MASK for term in terms(text)]


@given(TEXTS)
def test_every_text_has_the_numbers_of_its_terms(texts: list[str]) -> None:
    slots, ends = term_slots(texts, MASK)
    starts = [0, *ends.tolist()]
    assert [slots[start:end].tolist() for start, end in zip(starts, ends.tolist(), strict=False)] == [
        _expected(text) for text in texts
    ]


def test_no_texts_have_no_terms() -> None:
    assert term_slots([], MASK)[0].tolist() == []


@given(TEXTS)
def test_terms_are_counted(texts: list[str]) -> None:
    words, counts = count_slots(" ".join(texts), MASK)
    assert dict(zip(words.tolist(), counts.tolist(), strict=True)) == Counter(_expected(" ".join(texts)))
    assert words.tolist() == sorted(set(words.tolist()))
