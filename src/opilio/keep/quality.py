"""Signals of quality of a document, as columns: nothing is refused for them, but whoever uses the corpus can choose by them.

Repetition, symbols and the near-duplicate hash are functions of the text alone. Only pages that are kept pay for them, and only
for the first `_MOST_CHARS` of their text: a whole page of an encyclopedia would take as long as gleaning it. Badness and
perplexity are what judges have measured: Badness of every page would load a compiler into every worker.
"""

import re
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from heapq import nsmallest
from typing import Final, NamedTuple
from zlib import crc32

from opilio.core.items import Block, Opinion

_MOST_CHARS: Final = 8_000
_WIDE_WORD: Final = 15  # mean length of a "word" in scripts without spaces; there a character is a word
_SAMPLE: Final = 256  # runs of words that a hash is made of
_LANE: Final = 16  # bits in which a bit of the hash is counted
_LANES: Final = tuple(sum(1 << (_LANE * bit) for bit in range(8) if byte >> bit & 1) for byte in range(256))
_SYMBOL: Final = re.compile(
    r"[!-/:-@\[-`{-~¡-©«-´¶-¹»-¿×÷\u2010-\u2bff\u3001-\u303f\ufe30-\ufe4f\uff01-\uff0f\U0001f000-\U0001faff]"
)


class Quality(NamedTuple):
    repetition: float  # share of the runs of three words that have occurred in the text before
    symbols: float  # share of the characters, white space apart, that are punctuation or symbols
    simhash: str  # 64 bits in hexadecimal; texts that are nearly the same differ in few of them


def measure(text: str) -> Quality:
    text = text[:_MOST_CHARS]
    words: Sequence[str] = text.lower().split()
    if len(text) > _WIDE_WORD * len(words):
        words = "".join(words)
    runs = list(zip(words, words[1:], words[2:], strict=False))
    distinct = dict.fromkeys(runs)  # in their order, so that equal checksums are decided the same way each time
    written = len(text) - text.count(" ") - text.count("\n")
    return Quality(
        repetition=round(1 - len(distinct) / len(runs), 4) if runs else 0.0,
        symbols=round(len(_SYMBOL.findall(text)) / written, 4) if written else 0.0,
        simhash=_simhash(distinct) if runs else "",
    )


def boilerplate(words: int, blocks: Sequence[Block]) -> float | None:
    """Returns the share of a page's words that are not in its text, which has `words` of them; None for an empty page."""
    everything = sum(block.words for block in blocks)
    return round(max(0.0, 1 - words / everything), 4) if everything else None


def measured_by(judge: str, opinions: Sequence[Opinion]) -> float | None:
    """Returns what a judge has measured on the page, or None if it was not asked."""
    return next((one.measure for one in opinions if one.judge == judge), None)


def _simhash(runs: Iterable[tuple[str, str, str]]) -> str:
    """Returns the bits that most runs have set (Charikar 2002). Of long texts only the runs with the smallest checksums count:
    two texts that are nearly the same have nearly the same ones. Bits are counted in the lanes of large numbers."""
    lines = [" ".join(run).encode("utf-8", "replace") for run in runs]
    if len(lines) > _SAMPLE:
        lines = nsmallest(_SAMPLE, lines, key=crc32)
    sample = b"".join(blake2b(line, digest_size=8).digest() for line in lines)
    half = len(sample) // 16
    found = bytearray()
    for place in range(8):
        lanes = sum(map(_LANES.__getitem__, sample[place::8]))
        counts = ((lanes >> (_LANE * bit)) & ((1 << _LANE) - 1) for bit in range(8))
        found.append(sum(1 << bit for bit, count in enumerate(counts) if count > half))
    return found.hex()
