"""Does a page ask not to be used? Reads the signals that came with it; pure, and the default is to obey.

Signals say what they say when the page is fetched, so each is stored with the record whether or not it was obeyed.
"""

from collections.abc import Iterable
from typing import Final

from opilio.core.items import Signal

_REFUSALS: Final = frozenset({"noindex", "none", "noai", "noml"})


def opt_out(signals: Iterable[Signal]) -> str:
    """The signal that keeps the page out of the corpus, in words; "" if there is none."""
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
