"""How the splitting of text treats each character: one byte per code point, looked up in a table.

The table covers planes 0 to 3, which have all letters; it takes about 70 ms to build, once per process. The other
planes hold variation selectors and private use. Classes come from Unicode's general categories; exceptions are listed
here.

The numbers of the classes are compiled into `kernels.lines`, and numba checks only that file: touch it when they
change.
"""

import unicodedata
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

# the class, in the low four bits
SEPARATOR: Final = 0
LETTER: Final = 1
SYLLABLE: Final = 2  # a letter that is a word by itself, together with the marks that follow it
DIGIT: Final = 3
MARK: Final = 4
STACKER: Final = 5  # a mark that joins the next letter to the word
FORMAT: Final = 6
SPACE: Final = 7
LINE_END: Final = 8
SURE_END: Final = 9
MAYBE_END: Final = 10  # ends a sentence before a space
FULL_STOP: Final = 11  # the same, unless it ends an abbreviation or ordinal; may be inside a number
POINT: Final = 12  # may be inside a number
WORD_JOINER: Final = 13  # may be inside a word
CLASS: Final = 15
# further properties, one bit each
LOWER_BIT: Final = 16
CONSONANT_BIT: Final = 32  # of the Latin script
COMPOSABLE_BIT: Final = 64  # composing (NFC) may change it, or what precedes it

PLANES_END: Final = 0x40000
APOSTROPHE: Final = ord("'")
CURLY_APOSTROPHE: Final = ord("’")

_BY_CATEGORY: Final = {
    **dict.fromkeys(("Lu", "Lt", "Lm", "Lo"), LETTER),
    "Ll": LETTER | LOWER_BIT,
    **dict.fromkeys(("Mn", "Mc"), MARK),
    **dict.fromkeys(("Nd", "Nl", "No"), DIGIT),
    **dict.fromkeys(("Cf", "Me"), FORMAT),
    "Zs": SPACE,
    **dict.fromkeys(("Zl", "Zp"), LINE_END),
}
_EXCEPTIONS: Final = {
    "\n\r\v\f\x1c\x1d\x1e\x85": LINE_END,
    "\t\x1f\u200b": SPACE,  # the zero-width space separates words of scripts without visible spaces
    ".": FULL_STOP,
    "!?…": MAYBE_END,
    "\u037e‼‽⁇⁈⁉。｡．！？︒︕︖﹒﹖﹗": SURE_END,
    "։؟۔।॥።፧፨။།༎។៕᠃᠉߹꓿": SURE_END,  # Armenian to Lisu
    ",٫٬": POINT,
    "'’·׳״": WORD_JOINER,
    "՛՜՞": FORMAT,  # Armenian writes emphasis and question inside the word
    "ـ": FORMAT,  # the Arabic stroke that only lengthens a word
    "ﾞﾟ": MARK,
    "\u1039\u17d2\u1a60\ua9c0\u1b44": STACKER,
}
_ALONE_RANGES: Final = (
    ("Thai, Lao, Tibetan", 0x0E00, 0x0FFF),
    ("Burmese", 0x1000, 0x109F),
    ("Khmer", 0x1780, 0x17FF),
    ("Tai Le, New Tai Lue", 0x1950, 0x19DF),
    ("Tai Tham", 0x1A20, 0x1AAF),
    ("Balinese", 0x1B00, 0x1B7F),
    ("ideographic marks, Hiragana, Katakana, Bopomofo", 0x3005, 0x312F),
    ("Bopomofo, Katakana extensions", 0x31A0, 0x31FF),
    ("Han", 0x3400, 0x9FFF),
    ("Yi", 0xA000, 0xA48F),
    ("Javanese, Burmese extended", 0xA980, 0xA9FF),
    ("Burmese extended, Tai Viet", 0xAA60, 0xAADF),
    ("Han, compatibility", 0xF900, 0xFAFF),
    ("Katakana, half width", 0xFF66, 0xFF9D),
    ("Tangut, Khitan, Kana extended, Nushu", 0x16FE0, 0x1B2FF),
    ("Han, extensions", 0x20000, PLANES_END - 1),
)
_VARIATION_SELECTORS: Final = (0xFE00, 0xFE0F)  # marks by their category, but they choose a glyph, not a sound
_LATIN_END: Final = 0x250
_LATIN_ADDITIONAL: Final = range(0x1E00, 0x1F00)
_VOWELS: Final = frozenset("aeiouyæœøıəɛɔ")
_JAMO: Final = (0x1100, 0x11FF)
_DOTTED_I: Final = "İ"  # in lower case it is two characters, the second of which is a mark


@cache
def class_table() -> NDArray[np.uint8]:
    codes = range(PLANES_END)
    categories = map(unicodedata.category, map(chr, codes))
    table = np.fromiter((_BY_CATEGORY.get(each, SEPARATOR) for each in categories), np.uint8, PLANES_END)
    for _, first, last in _ALONE_RANGES:
        script = table[first : last + 1]
        script[script & CLASS == LETTER] = SYLLABLE
    table[_VARIATION_SELECTORS[0] : _VARIATION_SELECTORS[1] + 1] = FORMAT
    for characters, kind in _EXCEPTIONS.items():
        table[[ord(each) for each in characters]] = kind
    for code in (*range(_LATIN_END), *_LATIN_ADDITIONAL):
        if table[code] & CLASS == LETTER and _base(code) not in _VOWELS:
            table[code] |= CONSONANT_BIT
    unsettled = np.fromiter((not unicodedata.is_normalized("NFC", each) for each in map(chr, codes)), bool, PLANES_END)
    unsettled |= (table & CLASS == MARK) | (table & CLASS == STACKER)
    unsettled[_JAMO[0] : _JAMO[1] + 1] = True
    unsettled[ord(_DOTTED_I)] = True
    return table | (unsettled * np.uint8(COMPOSABLE_BIT))


def _base(code: int) -> str:
    """Returns the letter without its accents."""
    return unicodedata.normalize("NFD", chr(code))[0].lower()
