"""Writes the lines of a text in one pass over its code points. The rules are in `words`.

The pass looks one code point ahead, inside numbers and words; everything else is state. Whether a sentence ended is
decided when the next word begins, because only then it is known what comes next. What turns out to be unwanted (a
number, a short sequence) is removed by reducing the size of the output.

The state is held in local variables of one function: passing it to functions in an array made it eight times as slow.
"""

from typing import Any, Final

from opilio.model import characters as kinds
from opilio.model.compiling import njit

_NEW_LINE: Final = 10
_BLANK: Final = 32
_MOST_ORDINAL: Final = 2  # digits
_MOST_ABBREVIATION: Final = 4  # letters
_SELECTORS: Final = 0xE  # the plane of tags and variation selectors; what comes after it is private
_OPEN, _STOPPED, _SPACED, _ENDED = 0, 1, 2, 3  # the state of the sentence


@njit(cache=True)
def split(points: Any, table: Any, out: Any, shortest: int) -> tuple[int, bool]:  # noqa: C901, PLR0912, PLR0915
    """Writes the lines into `out`; returns their size, and whether they may have to be composed. `shortest` > 0 removes
    numbers and shorter lines."""
    size = line = words = letters = digits = consonants = lowers = last = seen = 0
    word = -1  # where the word began, including the blank before it; -1: between words
    stacked = False
    ending = _OPEN
    for place in range(len(points)):
        code = points[place]
        facts = _facts(code, table)
        kind = facts & kinds.CLASS
        if kinds.LETTER <= kind <= kinds.DIGIT:
            if word >= 0 and kinds.SYLLABLE in (kind, last) and not (stacked and kind != kinds.DIGIT):
                size, words = _close(size, word, words, letters, shortest)
                word = -1
            if word < 0:
                if _is_end(ending, kind, facts):
                    out[size] = _NEW_LINE
                    size = line = size + 1 if words >= max(shortest, 1) else line
                    words = 0
                word = size
                if size > line:
                    out[size] = _BLANK
                    size += 1
                letters = digits = consonants = lowers = 0
                stacked = False
                ending = _OPEN
            out[size] = code
            size += 1
            seen |= facts
            last = kind
            stacked = False
            digits += kind == kinds.DIGIT
            letters += kind != kinds.DIGIT
            consonants += (facts & kinds.CONSONANT_BIT) > 0
            lowers += (facts & kinds.LOWER_BIT) > 0
        elif kind in (kinds.MARK, kinds.STACKER):
            if word >= 0:
                out[size] = code
                size += 1
                seen |= facts
                stacked |= kind == kinds.STACKER
        elif kind != kinds.FORMAT:
            if word >= 0 and place + 1 < len(points):
                following = _facts(points[place + 1], table) & kinds.CLASS
                if _is_inside(kind, last, letters, following):
                    out[size] = kinds.APOSTROPHE if code == kinds.CURLY_APOSTROPHE else code
                    size += 1
                    continue
            abbreviated = word >= 0 and _is_abbreviated(last, letters, digits, consonants, lowers)
            ending = _after(kind, ending, abbreviated)
            if word >= 0:
                size, words = _close(size, word, words, letters, shortest)
                word = -1
    if word >= 0:
        size, words = _close(size, word, words, letters, shortest)
    return max(0, size if words >= max(shortest, 1) else line - 1), (seen & kinds.COMPOSABLE_BIT) > 0


@njit(cache=True)
def _facts(code: int, table: Any) -> int:
    if code < kinds.PLANES_END:
        return int(table[code])
    return kinds.FORMAT if code >> 16 == _SELECTORS else kinds.SEPARATOR


@njit(cache=True)
def _close(size: int, word: int, words: int, letters: int, shortest: int) -> tuple[int, int]:
    return (word, words) if shortest > 0 and letters == 0 else (size, words + 1)


@njit(cache=True)
def _is_end(ending: int, kind: int, facts: int) -> bool:
    """Returns whether the sentence before this first letter of a word is over."""
    if ending == _SPACED:
        return not facts & kinds.LOWER_BIT
    return ending == _ENDED or (ending == _STOPPED and kind == kinds.SYLLABLE)


@njit(cache=True)
def _is_inside(kind: int, last: int, letters: int, following: int) -> bool:
    """Returns whether this punctuation mark belongs to the word or number around it."""
    if kind == kinds.WORD_JOINER:
        return last == following == kinds.LETTER
    return kind in (kinds.FULL_STOP, kinds.POINT) and last == following == kinds.DIGIT and letters == 0


@njit(cache=True)
def _is_abbreviated(last: int, letters: int, digits: int, consonants: int, lowers: int) -> bool:
    """Returns whether a full stop after this word marks an abbreviation or an ordinal."""
    if last == kinds.SYLLABLE:
        return False
    if letters == 0:
        return digits <= _MOST_ORDINAL
    if digits > 0 or letters > _MOST_ABBREVIATION:
        return False
    return letters == 1 or (consonants == letters and lowers > 0)


@njit(cache=True)
def _after(kind: int, ending: int, abbreviated: bool) -> int:
    """Returns the state of the sentence after something that is not part of a word."""
    if kind in (kinds.SURE_END, kinds.LINE_END):
        return _ENDED
    if kind == kinds.MAYBE_END or (kind == kinds.FULL_STOP and not abbreviated):
        return max(ending, _STOPPED)
    return _SPACED if kind == kinds.SPACE and ending == _STOPPED else ending
