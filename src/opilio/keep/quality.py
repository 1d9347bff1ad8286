"""Signals of quality of a document, as columns: nothing is refused for them, but whoever uses the corpus can choose by them.

Repetition, symbols and the near-duplicate hash are functions of the text alone, computed from one array of its characters. Only
pages that are kept pay for them, and only for the first `_MOST_CHARS` of their text, which takes 0.2 ms. Badness and perplexity
are what judges have measured: Badness of every page would load a compiler into every worker.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from opilio.core.items import Block, Opinion

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_CHARS: Final = 8_000
_WIDE_WORD: Final = 15  # mean length of a "word" in scripts without spaces; there a character is a word
_FACTOR: Final = 0x9E3779B97F4A7C15  # odd, so that it has an inverse among the numbers of 64 bits
_MIXERS: Final = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)  # of splitmix64
_SYMBOLS: Final = (
    "!/", ":@", "[`", "{~", "¡©", "«´", "¶¹", "»¿", "××", "÷÷", "\u2010\u2bff", "\u3001\u303f", "\ufe30\ufe4f", "\uff01\uff0f",
    "\U0001f000\U0001faff",
)  # the first and the last of each range  # fmt: skip
_TABLE_CODES: Final = 0x1FB00


class Quality(NamedTuple):
    repetition: float  # share of the runs of three words that have occurred in the text before
    symbols: float  # share of the characters, white space apart, that are punctuation or symbols
    simhash: str  # 64 bits in hexadecimal; texts that are nearly the same differ in few of them


def measure(text: str) -> Quality:
    import numpy as np  # noqa: PLC0415  (not for `--help`)

    codes = np.frombuffer(f" {text[:_MOST_CHARS].lower()} ".encode("utf-32-le", "surrogatepass"), np.uint32)
    tables = _tables()
    kinds = tables.kinds.take(codes, mode="clip")
    is_space = kinds == tables.SPACE
    written = len(codes) - int(np.count_nonzero(is_space))
    words = _word_hashes(codes, is_space)
    if written >= _WIDE_WORD * len(words):
        words = codes[~is_space].astype(np.uint64)
    if len(words) < 3:
        runs = distinct = words[:0]
    else:
        runs = _mixed(_mixed(_mixed(words[:-2]) + words[1:-1]) + words[2:])
        ordered = np.sort(runs)  # a twentieth of the time of np.unique
        distinct = np.append(ordered[:-1][ordered[1:] != ordered[:-1]], ordered[-1])
    return Quality(
        repetition=round(1 - len(distinct) / len(runs), 4) if len(runs) else 0.0,
        symbols=round(float(np.count_nonzero(kinds == tables.SYMBOL)) / written, 4) if written else 0.0,
        simhash=_simhash(distinct) if len(runs) else "",
    )


def boilerplate(words: int, blocks: Sequence[Block]) -> float | None:
    """Returns the share of a page's words that are not in its text, which has `words` of them; None for an empty page."""
    everything = sum(block.words for block in blocks)
    return round(max(0.0, 1 - words / everything), 4) if everything else None


def measured_by(judge: str, opinions: Sequence[Opinion]) -> float | None:
    """Returns what a judge has measured on the page, or None if it was not asked."""
    return next((one.measure for one in opinions if one.judge == judge), None)


class _Tables:
    """The kind of each character, and the powers of `_FACTOR` and of its inverse."""

    OTHER, SPACE, SYMBOL = range(3)

    def __init__(self) -> None:
        import numpy as np  # noqa: PLC0415

        self.kinds = np.zeros(_TABLE_CODES, np.uint8)
        for ends in _SYMBOLS:
            self.kinds[ord(ends[0]) : ord(ends[-1]) + 1] = self.SYMBOL
        self.kinds[[code for code in range(0x3001) if chr(code).isspace()]] = self.SPACE
        most = 3 * _MOST_CHARS + 2  # a character may have up to three small ones
        self.powers = np.cumprod(np.full(most, _FACTOR, np.uint64))
        self.inverses = np.cumprod(np.full(most, pow(_FACTOR, -1, 2**64), np.uint64))


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    return _Tables()


def _word_hashes(codes: "NDArray[np.uint32]", is_space: "NDArray[np.bool_]") -> "NDArray[np.uint64]":
    """Returns a polynomial hash of each word of a text that begins and ends with a space. Sums up to its end and up to its start
    differ by the word's own part, times a power of the factor that depends on where it stands and is divided out."""
    import numpy as np  # noqa: PLC0415

    edges = (is_space[1:] != is_space[:-1]).nonzero()[0] + 1
    starts, ends = edges[0::2], edges[1::2]
    tables = _tables()
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(codes * tables.powers[: len(codes)])])
    hashes: NDArray[np.uint64] = (sums[ends] - sums[starts]) * tables.inverses[starts]
    return hashes


def _mixed(values: "NDArray[np.uint64]") -> "NDArray[np.uint64]":
    """Spreads each number over all of its bits."""
    import numpy as np  # noqa: PLC0415

    values = (values ^ (values >> np.uint64(30))) * np.uint64(_MIXERS[0])
    values = (values ^ (values >> np.uint64(27))) * np.uint64(_MIXERS[1])
    return values ^ (values >> np.uint64(31))


def _simhash(runs: "NDArray[np.uint64]") -> str:
    """Returns the bits that most runs have set (Charikar 2002). A bit becomes a byte, and eight of them are added at once, up
    to 255 runs before a byte could overflow: that takes half the time of adding single ones."""
    import numpy as np  # noqa: PLC0415

    eights = np.unpackbits(runs.view(np.uint8)).view(np.uint64).reshape(-1, 8)
    sums = np.add.reduceat(eights, range(0, len(runs), 255), axis=0)
    counts = sums.view(np.uint8).sum(axis=0, dtype=np.uint16)  # of fewer than 2^16 runs
    return np.packbits(counts > len(runs) // 2).tobytes().hex()
