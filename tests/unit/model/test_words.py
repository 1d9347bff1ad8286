"""Any text becomes lines: a sentence each, words between single spaces."""

import gzip
import json
import os
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.model.words import to_lines

# what the rules are about, so that chance finds the places where they meet
TRICKY = "aBéÉsß09½.,!?…'’-\"()«» \n\t\u00ad\u200b\u200d\u0301\u0345İΣςﬁ中がーกิ์ខ្ក။।։ـ،؛\ufe0f\U000e0100\U000f0000\ud800\udfff\0"
TEXTS = st.text(st.sampled_from(TRICKY)) | st.text(st.characters(max_codepoint=sys.maxunicode, exclude_categories=()))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("The cat sat. It slept! Why? Nobody knows… So it goes", "the cat sat|it slept|why|nobody knows|so it goes"),
        ('"Really?" she asked. (It was.) "Yes."', "really she asked|it was|yes"),
        (
            "Mr. Smith met J. R. Jones at St. Mark's in the U.S. in May.",
            "mr smith met j r jones at st mark's in the u s in may",
        ),
        ("Heard on the BBC. Then it ended.", "heard on the bbc|then it ended"),
        ("Am 3. Oktober 1990. Danach kam Hr. Meier bzw. Müller.", "am 3 oktober 1990|danach kam hr meier bzw müller"),
        ("It costs 3.14 or 1,000.50 … not 2.", "it costs 3.14 or 1,000.50 not 2"),
        ("don’t, l'homme, col·lecció, 'quoted', rock'n'roll", "don't l'homme col·lecció quoted rock'n'roll"),
        (
            "well-known e-mail foo_bar C++ #tag 50% www.example.org",
            "well known e mail foo bar c tag 50 www example org",
        ),
        ("one\ntwo\r\nthree\u2028four\x85five", "one|two|three|four|five"),
        ("soft\u00adhyphen zero\u200bwidth می\u200cخواهم", "softhyphen zero width میخواهم"),
        ("ÉCOLE e\u0301cole ΟΔΟΣ İstanbul", "école école οδος i̇stanbul"),
        ("今日は晴れ。明日は?雨", "今 日 は 晴 れ|明 日 は|雨"),
        ("か\u3099 カー 2020年 iPhone版", "が カ ー 2020 年 iphone 版"),
        ("안녕 세상. 다음 문장", "안녕 세상|다음 문장"),
        ("ไก่เดือย ສະບາຍ", "ไ ก่ เ ดื อ ย ສ ະ ບ າ ຍ"),
        ("ភាសាខ្មែរ។ ខ្ញុំ", "ភា សា ខ្មែ រ|ខ្ញុំ"),
        ("မြန်မာ။ ကမ္ဘာ", "မြ န် မာ|က မ္ဘာ"),
        ("བོད་ཡིག། བྱང", "བོ ད ཡི ག|བྱ ང"),
        ("नमस्ते दुनिया। कैसे हो?", "नमस्ते दुनिया|कैसे हो"),
        ("كيف حالك؟ نعم ســلام", "كيف حالك|نعم سلام"),
        ("ሰላም ነው። እሺ", "ሰላም ነው|እሺ"),
        ("Ո՞վ է նա։ Այո", "ով է նա|այո"),
        ("… !? — 😀 \ud800 \0", ""),
        ("", ""),
    ],
)
def test_sentences_and_words_are_found(text: str, lines: str) -> None:
    assert to_lines(text).split("\n") == lines.split("|")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("In 1990 there were 3.5 million of them. Not now.", "in there were million of them"),
        ("Only four words here. But these are five words.", "but these are five words"),
        ("The 20th of May 2020 was covid19 time", "the 20th of may was covid19 time"),
        ("１２ 三 ½ Ⅳ", ""),
        ("今日は晴れ。雨", "今 日 は 晴 れ"),
    ],
)
def test_cleaning_takes_numbers_and_short_sequences_away(text: str, lines: str) -> None:
    assert to_lines(text, clean=True) == lines


@given(TEXTS, st.booleans())
@settings(max_examples=500)
def test_lines_go_through_unchanged(text: str, clean: bool) -> None:
    lines = to_lines(text, clean=clean)
    assert to_lines(lines, clean=clean) == lines


@given(TEXTS, st.booleans())
def test_lines_hold_words_between_single_spaces_and_nothing_else(text: str, clean: bool) -> None:
    lines = to_lines(text, clean=clean)
    assert unicodedata.is_normalized("NFC", lines)
    assert lines == "\n".join(" ".join(line.split(" ")) for line in lines.split("\n"))
    for line in lines.split("\n") if lines else []:
        words = line.split(" ")
        assert all(words)
        assert not clean or len(words) >= 5
    kinds = {unicodedata.category(each)[0] for each in lines.replace("\n", " ")}
    assert kinds <= set("LMNPZ")
    lines.encode()


@given(TEXTS, TEXTS)
def test_a_text_may_be_cut_at_its_line_breaks(one: str, other: str) -> None:
    together = [line for line in (to_lines(one), to_lines(other)) if line]
    assert to_lines(f"{one}\n{other}") == "\n".join(together)


def test_a_long_text_without_any_space_is_one_word() -> None:
    assert to_lines("Ab" * 1_000_000) == "ab" * 1_000_000
    assert to_lines("中" * 100_000) == " ".join("中" * 100_000)


@pytest.mark.skipif("OPILIO_DATA" not in os.environ, reason="OPILIO_DATA names no folder with sentences")
def test_every_language_has_words_of_a_plausible_length() -> None:
    path = Path(os.environ["OPILIO_DATA"]) / "text" / "sentences.json.gz"
    sentences: dict[str, list[str]] = json.loads(gzip.decompress(path.read_bytes()))
    odd = {}
    for language, texts in sentences.items():
        words = to_lines("\n".join(texts)).split()
        mean = sum(map(len, words)) / len(words)
        low, high = (1, 2) if language in ("ja", "zh", "th") else (2, 4) if language in ("ko", "vi") else (3.4, 8)
        if not (low <= mean <= high and 9 <= len(words) / len(texts) <= 200):
            odd[language] = (mean, len(words) / len(texts))
    assert odd == {}
