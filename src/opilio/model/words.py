"""Turns any text into lines for the models: one sentence per line, words separated by single spaces.

The rule, from small to large:
* A **word** is a run of letters, marks and digits. An apostrophe, a Catalan middle dot or a Hebrew geresh between two
  letters belongs to it ("don't"; a curly apostrophe becomes the plain one); a hyphen does not ("well known" is two
  words).
* Han, Hiragana, Katakana, Bopomofo and Yi have no spaces: each **character** is a word. Thai, Lao, Khmer, Burmese,
  Tibetan and their kin likewise by **cluster**: a letter with the marks on it and what is stacked below it. Hangul has
  spaces and is split at them, like every other script.
* A **number** is a word of digits alone; "." or "," between two digits stays inside it ("3.14"). "20th" is a word.
* A **sentence** ends at a line break (block ends), at the full stops that need no space (。।։። and the like), and at
  ". ! ? …" before a space, unless a lower-case letter comes next. A full stop also does not end one after a single letter
  ("J. Smith"), after one or two digits ("3. Oktober"), or after up to four Latin letters without a vowel that are not
  all capitals ("Mr.", "bzw."). Titles with a vowel ("Prof.") are split: the price is one sentence boundary too many,
  where lists of abbreviations would have to be kept for every language.
* All else (punctuation, symbols, control characters, lone surrogates) separates words and is removed. Invisible
  formatting (soft hyphens, joiners) is removed without separating.
* Letters are lower-cased and composed (NFC). In a sample of a few thousand words most words occur once; a capital or a
  decomposed accent that makes a new word of a known one costs more than the distinction is worth.

`clean` is what Remus and Biemann (2016) did before counting: numbers are removed, and only sequences of at least five
words stay. The paper does not say what a sequence is. Here it is what is left of a sentence after its numbers are
removed: that keeps 97.6 % of the words of an encyclopedia, while cutting the sentences at numbers would keep 95.5 %.

Invariant: lines go through unchanged. Cost: 12 million words a second for pages of English (`bench lm`), 2 to 4 million
where marks have to be composed (Hindi, Vietnamese), and 12 bytes of memory per character, so long texts are best given in
pieces that end at line breaks.
"""

import unicodedata
from typing import Final

import numpy as np

from .characters import class_table

SHORTEST_SEQUENCE: Final = 5  # words in a line that `clean` keeps


def to_lines(text: str, *, clean: bool = False) -> str:
    """Returns the lines without a line break at the end, or "" if there are no words."""
    from .kernels.lines import split  # noqa: PLC0415 - numba takes a second to import, and `--help` does not need it

    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    room = np.empty(2 * len(points) + 2, np.uint32)
    size, unsettled = split(points, class_table(), room, SHORTEST_SEQUENCE if clean else 0)
    lines = room[:size].tobytes().decode("utf-32-le").lower()
    return unicodedata.normalize("NFC", lines) if unsettled else lines
