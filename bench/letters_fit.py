"""Makes `model/letters.msgpack.zst` from the even sentences of text/sentences.json.gz; the odd ones are for measuring.

Serbian is written in two scripts, and the sentences are in one, so they are counted in the other as well.

OPILIO_DATA=… python -m bench.letters_fit > src/opilio/model/letters.msgpack.zst
"""

import gzip
import os
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
import zstandard

from opilio.model.letters import JUNK, fold

# Some sentences were read in a wrong encoding before they came into the file: up to 29 % of a language.
_MISREAD: Final = {
    "cs": str.maketrans("ľĽą", "žŽš"),
    "hu": str.maketrans("õûÕÛ", "őűŐŰ"),
    "mn": str.maketrans("їЇєЄ", "үҮөӨ"),
    "ro": str.maketrans("ãÃ", "ăĂ"),
    "sl": str.maketrans("èÈ¹¾", "čČšž"),
    "tr": str.maketrans("ýþðÝÞÐ", "ışğİŞĞ"),
}

_LATIN: Final = "a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š"
_SERBIAN: Final = {ord(old): new for old, new in zip("абвгдђежзијклљмнњопрстћуфхцчџш", _LATIN.split(), strict=True)}


def main() -> None:
    data = (Path(os.environ["OPILIO_DATA"]) / "text" / "sentences.json.gz").read_bytes()
    sentences = msgspec.json.decode(gzip.decompress(data), type=dict[str, list[str]])
    even = {language: lines[0::2] for language, lines in sentences.items()}
    even |= {language: [line.translate(table) for line in even[language]] for language, table in _MISREAD.items()}
    even["sr-latn"] = [line.lower().translate(_SERBIAN) for line in even["sr"]]
    sys.stdout.buffer.write(pack_letters(even))


def count_letters(texts: Iterable[str]) -> list[tuple[int, str]]:
    """Returns counts, each with the pairs of letters that have it."""
    counts: Counter[str] = Counter()
    for text in texts:
        folded = fold(text).replace(JUNK, "")
        counts.update(folded[at : at + 2] for at in range(len(folded) - 1))
    groups: dict[int, list[str]] = {}
    for pair, count in counts.items():
        groups.setdefault(count, []).append(pair)
    return [(count, "".join(sorted(groups[count]))) for count in sorted(groups)]


def pack_letters(languages: Mapping[str, Sequence[str]]) -> bytes:
    grouped = {code: count_letters(lines) for code, lines in sorted(languages.items())}
    packed: bytes = zstandard.ZstdCompressor(level=19).compress(msgspec.msgpack.encode(grouped))
    return packed


if __name__ == "__main__":
    main()
