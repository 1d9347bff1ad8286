"""Does a page ask not to be used? A pure function of the signals that came with it; by default such a page is not kept.

Signals may change later, so all are stored with the record as they were at the fetch, whether or not they were obeyed.
"""

from collections.abc import Iterable
from typing import Final

from opilio.core.items import Signal

_REFUSALS: Final = frozenset({"noindex", "none", "noai", "noml"})


def opt_out(signals: Iterable[Signal]) -> str:
    """Returns the signal that keeps the page out of the corpus, in words, or ""."""
    for signal in signals:
        if _refuses(signal.name.lower(), signal.value.lower()):
            return (
                f"{signal.source}: {signal.name}={signal.value}" if signal.value else f"{signal.source}: {signal.name}"
            )
    return ""


def _refuses(name: str, value: str) -> bool:
    words = {word.strip() for word in value.split(",")}
    if name in ("robots", "x-robots-tag", "opilio"):
        return bool(words & _REFUSALS)
    if name == "tdm-reservation":
        return value.strip() == "1"
    if name == "content-usage":
        return "train-ai=n" in value.replace(" ", "")
    if name == "content-signal":
        return "ai-train=no" in value.replace(" ", "")
    return name in _REFUSALS
