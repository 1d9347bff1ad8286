"""Badness: how much rarer the most frequent words of a language are in a text than usual (Schäfer et al. 2013).

For each of the ten most frequent words, a `Profile` holds the mean and the standard deviation of the decimal logarithm
of its relative frequency, over clean documents that have it. Each word adds the number of standard deviations by which
the text is below the mean, at most `LIMIT`; a word that the text does not have adds the limit. So Badness runs from 0,
running text of the language, to 50: another language, lists, stubs and word salad. More of a word than usual adds
nothing.

What the papers leave open: words are those of `to_lines`; documents without a word do not count for its mean, because
their logarithm would be minus infinity; and the published threshold, 10, is too strict for languages that inflect much
and have few function words, so each profile has its own threshold, which is 10 or more.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from math import ceil, log10
from pathlib import Path
from random import Random
from statistics import fmean, pstdev
from typing import Final, NamedTuple

import msgspec

from opilio.core.errors import ModelError

from .words import to_lines

LIMIT: Final = 5.0
TYPES: Final = 10
MOST_TOTAL: Final = LIMIT * TYPES
THRESHOLD: Final = 10.0
DOCUMENT_CHARS: Final = 1_000  # shorter texts lack words by chance
_LONG_CHARS: Final = 4_000  # length of the documents for the threshold: that of the median page of a real web
_CLEAN_SHARE: Final = 0.9  # share of clean documents that a threshold accepts
_FEWEST_DOCUMENTS: Final = 10
_ROUNDS: Final = 4
_LEAST_DEVIATION: Final = 0.05  # a smaller standard deviation would punish ordinary variation
_CODES: Final = {"no": "nb"}  # code of the language identifier → code of the profiles


class Profile(msgspec.Struct, frozen=True):
    words: dict[str, tuple[float, float]]  # mean and standard deviation of log10 of the relative frequency
    threshold: float = THRESHOLD


class Badness(NamedTuple):
    total: float
    missing: tuple[str, ...]  # frequent words that the text does not have


def badness(text: str, profile: Profile) -> Badness:
    words = to_lines(text).split()
    counts = Counter(word for word in words if word in profile.words)
    total = sum(_cost(counts[word] / len(words), *profile.words[word]) for word in counts)
    missing = tuple(word for word in profile.words if word not in counts)
    return Badness(total + LIMIT * len(missing), missing)


def train_profile(texts: Iterable[str], seed: int = 0) -> Profile:
    """Trains on clean texts of one language, documents or sentences. The threshold is measured on each half of them
    with a profile of the other half."""
    shuffled = list(texts)
    Random(seed).shuffle(shuffled)
    halves = shuffled[::2], shuffled[1::2]
    measured: list[float] = []
    for known, other in (halves, halves[::-1]):
        profile = Profile(_learn(join(known)))
        measured += [badness(document, profile).total for document in join(other, _LONG_CHARS)]
    measured.sort()
    needed = measured[ceil(_CLEAN_SHARE * len(measured)) - 1] if measured else THRESHOLD
    return Profile(_learn(join(shuffled)), max(THRESHOLD, float(ceil(needed))))


def join(texts: Sequence[str], least_chars: int = DOCUMENT_CHARS) -> list[str]:
    """Makes documents of texts: long ones stay as they are, short ones (sentences) are joined to pseudo-documents,
    several times in another order, because the spread of a frequency over fifty documents is only a rough figure."""
    documents = [text for text in texts if len(text) >= least_chars]
    short = [text for text in texts if len(text) < least_chars]
    random = Random(0)
    for _ in range(_ROUNDS):
        random.shuffle(short)
        gathered: list[str] = []
        for text in short:
            gathered.append(text)
            if sum(map(len, gathered)) >= least_chars:
                documents.append("\n".join(gathered))
                gathered = []
    return documents


def read_profiles(path: Path | None = None) -> Mapping[str, Profile]:
    """Maps languages to profiles: those that come with the program, replaced or extended by those of a file."""
    return _shipped() if path is None else {**_shipped(), **read_profile_file(path)}


def read_profile_file(path: Path) -> Mapping[str, Profile]:
    try:
        return _decode(path.name, path.read_bytes())
    except OSError as error:
        raise ModelError(
            f"cannot read the profiles {path}: {error.strerror}. `opilio judge train badness` makes some."
        ) from error


def profile_of(language: str, profiles: Mapping[str, Profile]) -> Profile | None:
    return profiles.get(language) or profiles.get(_CODES.get(language, ""))


def write_profiles(profiles: Mapping[str, Profile], path: Path) -> None:
    """Writes a line for each language, so that a diff shows what has changed."""
    lines = []
    for code, profile in sorted(profiles.items()):
        words = {word: (round(mean, 3), round(width, 3)) for word, (mean, width) in profile.words.items()}
        lines.append(f'"{code}": {msgspec.json.encode(msgspec.structs.replace(profile, words=words)).decode()}')
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def _learn(documents: Sequence[str]) -> dict[str, tuple[float, float]]:
    if len(documents) < _FEWEST_DOCUMENTS:
        raise ModelError(
            f"a profile needs at least {2 * _FEWEST_DOCUMENTS * DOCUMENT_CHARS // _ROUNDS:,} characters of clean text, "
            "preferably ten times as many. Give more text."
        )
    counted = [Counter(to_lines(document).split()) for document in documents]
    together: Counter[str] = Counter()
    for each in counted:
        together.update(each)
    frequent = [word for word, _ in together.most_common() if not word.isdigit()][:TYPES]
    return {word: _spread([log10(each[word] / each.total()) for each in counted if each[word]]) for word in frequent}


def _cost(share: float, mean: float, width: float) -> float:
    return min(LIMIT, max(0.0, (mean - log10(share)) / width))


def _spread(logarithms: Sequence[float]) -> tuple[float, float]:
    return fmean(logarithms), max(pstdev(logarithms), _LEAST_DEVIATION)


@lru_cache(maxsize=1)
def _shipped() -> Mapping[str, Profile]:
    file = resources.files("opilio.model") / "badness.json"
    return _decode("badness.json", file.read_bytes())


def _decode(name: str, data: bytes) -> Mapping[str, Profile]:
    try:
        profiles = msgspec.json.decode(data, type=dict[str, Profile])
    except msgspec.DecodeError as error:
        raise ModelError(
            f"{name} is not a file of profiles ({error}). `opilio judge train badness` makes such files."
        ) from error
    if any(width <= 0 for profile in profiles.values() for _, width in profile.words.values()):
        raise ModelError(f"{name}: a standard deviation is not above 0. Build the profile again.")
    return profiles
