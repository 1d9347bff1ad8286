"""Which encoding bytes are in, by the words that they make: each candidate decodes some of them, and the one whose
letters cost the fewest bits in some language (`model/letters`) wins.

Rules: candidates that nobody uses any more need more evidence, and one that the page or its server declares needs
less. A letter in upper case after one in lower case costs extra, since whole pages in that form are not written by
people. Only text is looked at, 2,000 bytes around the first bytes outside of ASCII: the cost, 5 to 10 ms, does not
depend on the size of a page. It is paid only by pages that are not valid UTF-8.
"""

import re
from collections.abc import Collection, Iterable
from itertools import pairwise
from typing import Final, NamedTuple

from opilio.model.letters import JUNK, fold, letters

from .decoders import decode_as

_LOOK_BYTES: Final = 200_000
_SAMPLE_BYTES: Final = 2_000
_FIRST_BYTES: Final = 300  # after which candidates that are far behind are left out
_CLOSE_BITS: Final = 100.0
_MARKUP: Final = re.compile(
    rb"<(script|style)\b[^>]*+>.*?(?:</\1|\Z)|<!--.*?(?:-->|\Z)|<[a-z/!?][^>]*+>?|&#?\w{1,10};",
    re.IGNORECASE | re.DOTALL,
)
_SPACES: Final = re.compile(rb"[\0-\x20]+")
_WORDS: Final = re.compile(rb"[\x20-\x7e]{0,60}+(?:[\x80-\xff]++[\x20-\x7e]{0,30}+){1,200}+")
_FLIP_BITS: Final = 6.0
_LOST_BITS: Final = 30.0
_SIGN: Final = re.compile(r"([^\W\d_])?([^\w\s\x00-\x7f\u0300-\u036f\u0590-\u05cf\u0610-\u08ff\u0900-\u1fff]|[^\D0-9])")
_MIXED: Final = re.compile("[a-z][\u2e80-\uffef]|[\u2e80-\uffef][a-z]")
_MIXED_BITS: Final = 6.0
_SIGN_BITS: Final = 5.0
_SIGN_IN_WORD_BITS: Final = 10.0
_SIGNS_IN_WORDS: Final = "’‘\xad‐‑\u200c"
_DECLARED_BITS: Final = 40.0  # what a declaration is worth …
_DEFAULT_BITS: Final = 8.0  # … and one that servers and editors make without being asked
_UNLISTED_BITS: Final = 15.0
_DEFAULTS: Final = frozenset({"windows-1252", "utf-8"})
# How many bits less likely an encoding is than windows-1252, if nothing is declared.
_PRIOR_BITS: Final = {
    "windows-1252": 0.0, "utf-8": 0.0, "windows-1251": 1.2, "windows-1250": 1.2, "shift_jis": 1.2, "gbk": 1.2, "euc-kr": 1.2,
    "big5": 1.2, "euc-jp": 1.6, "windows-1254": 1.6, "windows-1253": 1.6, "windows-1256": 1.6, "windows-1255": 1.6,
    "windows-874": 1.6, "windows-1257": 2.0, "iso-8859-2": 1.6, "koi8-r": 2.0, "koi8-u": 2.4, "iso-8859-15": 2.0,
    "windows-1258": 2.4, "iso-8859-7": 2.4, "iso-8859-5": 2.8, "iso-8859-6": 2.8, "iso-8859-8": 2.8, "iso-8859-13": 2.8,
    "ibm866": 3.2, "x-mac-cyrillic": 7.2, "macintosh": 7.2, "iso-8859-16": 9.6, "iso-8859-14": 11.2, "iso-8859-3": 11.2,
}  # fmt: skip


class Guess(NamedTuple):
    encoding: str
    bits: float  # what a letter costs; running text of a known language has 3 to 5, Chinese 9
    signs: float  # share of its letters that are none: signs that no text has, and lost ones


def sample_of(body: bytes) -> bytes:
    """Returns some of the text around bytes outside of ASCII."""
    text = _SPACES.sub(b" ", _MARKUP.sub(b" ", body[:_LOOK_BYTES]))
    taken, size = [], 0
    for found in _WORDS.finditer(text):
        taken.append(found[0])
        size += len(found[0])
        if size >= _SAMPLE_BYTES:
            break
    return b" ".join(taken)[:_SAMPLE_BYTES]


def guess(sample: bytes, declared: Collection[str] = (), among: Collection[str] = ()) -> Guess:
    """Returns the likeliest encoding of a text without markup. `declared` are those that somebody says it is in."""
    names = [*(among or _PRIOR_BITS), *(name for name in declared if name not in _PRIOR_BITS)]
    if len(sample) > 2 * _FIRST_BYTES:
        first = _weigh(sample[:_FIRST_BYTES], names, declared)
        least = min(first)[0]
        names = [found.encoding for total, found in first if total < least + _CLOSE_BITS]
    return min(_weigh(sample, names, declared))[1]


def _weigh(sample: bytes, names: Iterable[str], declared: Collection[str]) -> list[tuple[float, Guess]]:
    """Returns what each encoding costs, and how well its text is spelt."""
    known: dict[str, tuple[float, float]] = {}
    weighed = []
    for name in names:
        text = decode_as(sample, name)
        if text not in known:
            known[text] = text_bits(text)
        bits, signs = known[text]
        start = (_DEFAULT_BITS if name in _DEFAULTS else _DECLARED_BITS) if name in declared else 0.0
        total = bits + _PRIOR_BITS.get(name, _UNLISTED_BITS) - start
        weighed.append((total, Guess(name, bits / max(1, len(text)), signs)))
    return weighed


def text_bits(text: str) -> tuple[float, float]:
    """Returns what a text costs in the language that it costs least in, and the share of its letters that are signs."""
    folded = fold(text)
    flips = sum(before.islower() and after.isupper() for before, after in pairwise(text))
    junk, lost = folded.count(JUNK), text.count("\ufffd")
    bits = float(letters().costs(folded).min()) + _FLIP_BITS * flips + _LOST_BITS * lost + _sign_bits(text)
    return bits, junk / max(1, len(folded) - folded.count(" "))


def _sign_bits(text: str) -> float:
    """Returns what signs outside of ASCII cost, which cost more inside of words, and Chinese letters in Latin words."""
    signs = _SIGN_BITS * len(_SIGN.findall(text)) + _SIGN_IN_WORD_BITS * signs_in_words(text)
    return signs + _MIXED_BITS * len(_MIXED.findall(text))


def signs_in_words(text: str) -> int:
    return sum(
        bool(found[1]) and found[2] not in _SIGNS_IN_WORDS and text[found.end() : found.end() + 1].isalpha()
        for found in _SIGN.finditer(text)
    )
