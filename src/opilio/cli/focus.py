"""Samples beside a recipe whose judge does not read them: then both are wanted, the kind of page and the topic.

`--recipe comments --like article.txt` finds pages with comments that read like the article. Judges that read samples, that are
combined already, or that want everything stay as they are.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from opilio.core.config import Config

_READ_NO_SAMPLES: Final = ("badness", "comments", "keywords", "language")


def with_samples(config: Config, settings: Sequence[str]) -> tuple[Config, list[str]]:
    """The settings for both, and what is left of those that the operator gave one by one: the judge has used its own."""
    if config.judge["name"] not in _READ_NO_SAMPLES:
        return config, list(settings)
    both = {"name": "all-of", "parts": [config.judge, {"name": "perplexity"}]}
    return replace(config, judge=both), [each for each in settings if not each.startswith("judge.")]
