"""What samples mean for a crawl: which recipe follows them where none is named, and what they are beside one that reads none.

Rules: samples and labelled pages choose the recipe `learned`, the latter with the judge `classifier`. A crawl that follows the
same samples already, or labelled pages, goes on as it does. `--recipe comments --like article.txt` finds pages with comments that
read like the article: both are wanted, the kind of page and the topic. Judges that read samples, that are combined already, or
that want everything stay as they are.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from opilio.core.config import Config

UNFOCUSED: Final = "breadth-first"
_READ_NO_SAMPLES: Final = ("badness", "comments", "keywords", "language")


def focused_recipe(like: Sequence[str], stored: Config | None, *, labelled: bool) -> str:
    if stored is None or stored.crawl.recipe == UNFOCUSED:
        return "learned"
    same = stored.judge["name"] == "classifier" if labelled else stored.corpus.like == tuple(like)
    return stored.crawl.recipe if same else "learned"


def with_samples(config: Config, settings: Sequence[str]) -> tuple[Config, list[str]]:
    """The settings for both, and what is left of those that the operator gave one by one: the judge has used its own."""
    if config.judge["name"] not in _READ_NO_SAMPLES:
        return config, list(settings)
    both = {"name": "all-of", "parts": [config.judge, {"name": "perplexity"}]}
    return replace(config, judge=both), [each for each in settings if not each.startswith("judge.")]
