"""How well short messages are told by their language; floors only go up, and ceilings only down.

The messages are real sentences in 75 languages, cut to 5 to 20 consecutive words. The table of docs/microblogs.md has the
same figures: `python -m tests.quality.test_message_filter` prints it.
"""

import gzip
import os
import time
from functools import cache
from pathlib import Path
from random import Random

import msgspec
import pytest

from opilio.discover.microblog import Message, MessageFilter

SEED = 15
WORDS = (5, 20)
LEAST_EXCLUDED = {"dictionary": 0.99, "identify": 0.985}
MOST_LOST = {"dictionary": 0.008, "identify": 0.016}


@cache
def messages() -> list[tuple[str, Message]]:
    path = Path(os.environ.get("OPILIO_DATA") or "nowhere") / "text" / "sentences.json.gz"
    if not path.exists():
        pytest.skip("OPILIO_DATA names no folder with text/sentences.json.gz")
    sentences = msgspec.json.decode(gzip.decompress(path.read_bytes()), type=dict[str, list[str]])
    chance = Random(SEED)
    cut = [(language, cut_out(line.split(), chance)) for language, lines in sentences.items() for line in lines]
    return [(language, Message("", "", text)) for language, text in cut if text]


def cut_out(words: list[str], chance: Random) -> str:
    """Some words of a sentence; nothing of one that is too short, or that is written without spaces."""
    length = chance.randint(*WORDS)
    start = chance.randint(0, max(0, len(words) - length))
    return " ".join(words[start : start + length]) if len(words) >= WORDS[0] else ""


def measure(way: str, threshold: float) -> tuple[float, float, float]:
    """Returns the share of English that fails, the share of the others that fails, and the seconds per message."""
    judge = MessageFilter(exclude=["en"], way=way, threshold=threshold).judge
    judge(messages()[0][1])  # loads what it needs
    started_s = time.perf_counter()
    failed = [(language, not judge(message).passes) for language, message in messages()]
    seconds = (time.perf_counter() - started_s) / len(failed)
    english = [fails for language, fails in failed if language == "en"]
    others = [fails for language, fails in failed if language != "en"]
    return sum(english) / len(english), sum(others) / len(others), seconds


@pytest.mark.parametrize("way", LEAST_EXCLUDED)
def test_english_is_excluded_and_little_else(way: str) -> None:
    excluded, lost, _ = measure(way, MessageFilter.THRESHOLD)
    assert excluded >= LEAST_EXCLUDED[way]
    assert lost <= MOST_LOST[way]


if __name__ == "__main__":
    print(f"{len(messages())} messages, {sum(language == 'en' for language, _ in messages())} of them English")  # noqa: T201
    for way, threshold in (
        ("dictionary", 0.2),
        ("dictionary", 0.33),
        ("dictionary", 0.5),
        ("dictionary", 0.9),
        ("identify", 0),
    ):
        excluded, lost, seconds = measure(way, threshold)
        print(f"{way:<12} {threshold:<5} {excluded:.1%} {lost:.1%} {seconds * 1e6:.0f} µs")  # noqa: T201
