"""How well a text is spelt in each of 75 languages: how many bits its letters cost, each given the letter before it.

The costs are those of Witten-Bell's bigram models of letters, one for each language, made of a few hundred sentences
(`bench/letters_fit.py`). They tell languages apart that the large identifier does not know or mixes up, and they tell
in which encoding bytes make words: a wrong one makes letters that never follow each other.

Rules: case does not count. Whatever is not a letter is a space, unless it is a sign that hardly any text has: such a
sign costs as much as a letter that no language has. A Chinese character that was not met costs by how common it is,
which the old national standards tell: they list the common ones first.

The file is read at the first call, which takes a tenth of a second and 4 MB of memory.
"""

import unicodedata
from functools import lru_cache
from importlib import resources
from typing import Final

import msgspec
import numpy as np
import zstandard
from numpy.typing import NDArray

from opilio.core.errors import ModelError

Grouped = dict[str, list[tuple[int, str]]]  # by language: counts, each with the pairs of letters that have it

FILE_NAME: Final = "letters.msgpack.zst"
JUNK: Final = "\x01"  # stands for a sign that hardly any text has
_MOST_BITS: Final = 25.5
_UNIT: Final = 10  # costs are stored in tenths of a bit
_RARE_SIGNS: Final = frozenset("¡¿²³¹¼½¾\x1c\x1d\x1e\x1f\x85")
_ALL_LETTERS: Final = 50_000
_COMMON_SIGNS: Final = frozenset("€£¥¢©®™°±×÷§¶·•–—−′″→←‐‑‘’‚“”„«»‹›…№\xa0\xad\u200b\u200c\u200d\u200e\u200f\ufeff")
# What a character costs that was not met: common, rare and very rare Chinese characters, common and rare Korean syllables.
_CLASSES: Final = ("han 1", "han 2", "han 3", "hangul 1", "hangul 2", "other")
_RELATED_BITS: Final = 15.0  # of a letter that was not met in a language, but is of its script
_LEAST_SCRIPT_SHARE: Final = 0.1
_CLASS_BITS: Final = {"zh": (12, 15, 18), "ja": (13, 16, 20), "ko": (17, 20, 22, 12.5, 16)}


class _Folding(dict[int, str]):
    def __missing__(self, code: int) -> str:
        self[code] = found = _fold_char(chr(code))
        return found


_FOLDED: Final = _Folding()


def fold(text: str) -> str:
    """Returns the text as it is counted: lower-case letters, single spaces, and `JUNK`."""
    return f" {' '.join(text.translate(_FOLDED).split())} "


def _fold_char(char: str) -> str:
    kind = unicodedata.category(char)
    if kind[0] in "LM":
        return char.lower()
    is_common = char in _COMMON_SIGNS or kind[0] in "PNZ" or (char.isascii() and kind != "Cc") or char.isspace()
    return " " if is_common and char not in _RARE_SIGNS else JUNK


class Letters:
    """Pairs are numbers, in order, so that the rows of a text's pairs are found together by bisection."""

    def __init__(self, grouped: Grouped) -> None:
        self.languages = tuple(grouped)
        met = [
            (column, count, _codes(pairs)) for column, groups in enumerate(grouped.values()) for count, pairs in groups
        ]
        sizes = [len(codes) // 2 for *_, codes in met]
        letters = np.concatenate([codes for *_, codes in met])
        self._pairs, rows = np.unique(_joined(letters[0::2], letters[1::2]), return_inverse=True)
        counts = np.zeros((len(self._pairs), len(grouped)), np.float32)
        counts[rows, np.repeat([column for column, *_ in met], sizes)] = np.repeat(
            [count for _, count, _ in met], sizes
        )
        self._chars, numbers = np.unique(np.concatenate(_parted(self._pairs)), return_inverse=True)
        first, second = np.split(numbers, 2)
        self._fill(counts, first, second, [chr(code) for code in self._chars])

    def _fill(
        self, counts: NDArray[np.float32], first: NDArray[np.int64], second: NDArray[np.int64], chars: list[str]
    ) -> None:
        """Turns counts into bits: of pairs, of second letters alone, and of the step from a pair to a letter alone."""
        after, kinds, alone = _sums(counts, first), _sums((counts > 0).astype(np.float32), first), _sums(counts, second)
        seen = (alone > 0).sum(axis=0, dtype=np.float32)
        share = (alone + seen / _ALL_LETTERS) / (alone.sum(axis=0) + seen)
        unmet = np.where(self._foreign(chars, alone), self._unmet(chars), np.minimum(self._unmet(chars), _RELATED_BITS))
        self._alone = np.vstack([np.minimum(-np.log2(share), unmet), self._unmet([])])
        with np.errstate(invalid="ignore", divide="ignore"):
            step = np.where(after > 0, kinds / (after + kinds), np.float32(1))
            backed_off = kinds[first] * np.exp2(-self._alone[: len(chars)])[second]
            joint = -np.log2((counts + backed_off) / (after + kinds)[first])
        self._step = np.vstack([-np.log2(step), np.zeros((len(_CLASSES), counts.shape[1]), np.float32)])
        bits = np.where(after[first] > 0, joint, self._alone[second])
        self._bits = (np.clip(bits, 0, _MOST_BITS) * _UNIT).astype(np.uint8)

    def _foreign(self, chars: list[str], alone: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Tells which characters are of a script that a language is not written in."""
        names = [unicodedata.name(char, "").partition(" ")[0] for char in chars]
        kinds = {name: number for number, name in enumerate(dict.fromkeys(names))}
        script = np.array([kinds[name] for name in names])
        used = _sums(alone, script)
        foreign: NDArray[np.bool_] = (used < _LEAST_SCRIPT_SHARE * used.sum(axis=0))[script]
        return foreign

    def _unmet(self, chars: list[str]) -> NDArray[np.float32]:
        """Returns what characters cost by their class, or what the classes cost if there are no characters."""
        table = np.full((len(_CLASSES), len(self.languages)), _MOST_BITS, np.float32)
        for language, bits in _CLASS_BITS.items():
            if language in self.languages:
                table[: len(bits), self.languages.index(language)] = bits
        return table[[_class_of(char) for char in chars]] if chars else table

    def costs(self, folded: str) -> NDArray[np.float64]:
        """Returns the bits that a folded text costs in each language."""
        codes = _codes(folded)
        pairs = _joined(codes[:-1], codes[1:])
        rows = np.minimum(np.searchsorted(self._pairs, pairs), len(self._pairs) - 1)
        met = self._pairs[rows] == pairs
        total: NDArray[np.float64] = self._bits[rows[met]].sum(axis=0, dtype=np.int64) / _UNIT
        if not met.all():
            first, second = (self._rows(part) for part in _parted(pairs[~met]))
            total += np.minimum(self._step[first] + self._alone[second], _MOST_BITS).sum(axis=0)
        return total

    def _rows(self, codes: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Returns the row of each character, which is that of its class if no language has it."""
        rows = np.minimum(np.searchsorted(self._chars, codes), len(self._chars) - 1)
        for at in np.flatnonzero(self._chars[rows] != codes):
            rows[at] = len(self._chars) + _class_of(chr(codes[at]))
        return rows


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _joined(first: NDArray[np.uint32], second: NDArray[np.uint32]) -> NDArray[np.uint64]:
    return first.astype(np.uint64) << np.uint64(32) | second


def _parted(pairs: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    return pairs >> np.uint64(32), pairs & np.uint64(0xFFFFFFFF)


def _sums(rows: NDArray[np.float32], keys: NDArray[np.int64]) -> NDArray[np.float32]:
    """Adds up the rows of each key; every key from 0 on has some."""
    order = np.argsort(keys, kind="stable")
    starts = np.searchsorted(keys[order], np.arange(keys.max() + 1))
    summed: NDArray[np.float32] = np.add.reduceat(rows[order], starts)
    return summed


def _class_of(char: str) -> int:
    if (
        "\u4e00" <= char <= "\u9fff"
        or "\u3400" <= char <= "\u4dbf"
        or "\uf900" <= char <= "\ufaff"
        or char >= "\U00020000"
    ):
        common, known = _chinese()
        return 0 if char in common else 1 if char in known else 2
    if "\uac00" <= char <= "\ud7a3":
        return 3 if char in _korean() else 4
    return 5


def _between(codec: str, first: int, last: int) -> str:
    """Returns the characters of some rows of an encoding of two bytes."""
    rows = (bytes((high, low)) for high in range(first, last + 1) for low in (*range(0x40, 0x7F), *range(0xA1, 0xFF)))
    return "".join(row.decode(codec, "ignore") for row in rows)


@lru_cache(maxsize=1)
def _chinese() -> tuple[frozenset[str], frozenset[str]]:
    common = _between("gb2312", 0xB0, 0xD7) + _between("big5", 0xA4, 0xC6) + _between("euc_jp", 0xB0, 0xCF)
    known = _between("gb2312", 0xD8, 0xF7) + _between("big5", 0xC9, 0xF9) + _between("euc_jp", 0xD0, 0xF4)
    return frozenset(common), frozenset(known)


@lru_cache(maxsize=1)
def _korean() -> frozenset[str]:
    return frozenset(_between("euc_kr", 0xB0, 0xC8))


@lru_cache(maxsize=1)
def letters() -> Letters:
    """Returns the model that comes with the program."""
    data = (resources.files("opilio.model") / FILE_NAME).read_bytes()
    try:
        unpacked = zstandard.ZstdDecompressor().decompress(data, max_output_size=1 << 24)
        return Letters(msgspec.msgpack.decode(unpacked, type=Grouped))
    except (zstandard.ZstdError, msgspec.DecodeError) as error:
        raise ModelError(f"{FILE_NAME} is not a file of letters ({error}). Install Opilio again.") from error
