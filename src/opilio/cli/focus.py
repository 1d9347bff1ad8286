"""What samples mean for a crawl: which recipe follows them where none is named, and what they are beside one that reads none.

Rules: samples and labelled pages choose the recipe `learned`, the latter with the judge `classifier`. A crawl that has the same
samples already, or labelled pages, goes on as it does. A recipe named in the command wins, and so does a judge that somebody has
named: labelled pages for one that reads none are refused. `--recipe comments --like article.txt` finds pages with comments that
read like the article: both are wanted, the kind of page and the topic. Judges that read samples, that are combined already, or
that want everything stay as they are.
"""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from opilio.core.config import BY_SAMPLES, Config, recipe_tables
from opilio.core.errors import ConfigError

LABELLED: Final = "classifier"
_UNFOCUSED: Final = "breadth-first"
_READ_NO_SAMPLES: Final = ("badness", "comments", "keywords", "language")


def focused_config(load: Callable[..., Config], stored: Config | None, *, labelled: bool) -> Config:
    """For new samples or labelled pages, where the command names no recipe. That of crawl.toml counts, unless it has no focus."""
    config = load()
    if load(unnamed=_UNFOCUSED).crawl.recipe != _UNFOCUSED:
        return config
    if stored is None:
        return load(recipe=BY_SAMPLES)
    same = stored.judge["name"] == LABELLED if labelled else stored.corpus.like == config.corpus.like
    return load(recipe=stored.crawl.recipe if same else BY_SAMPLES)


def with_labelled(config: Config) -> Config:
    """With the judge that reads them in place of the recipe's own."""
    if config.judge["name"] == LABELLED:
        return config
    recipe = recipe_tables(config.crawl.recipe).get("judge", {})
    if config.crawl.recipe != BY_SAMPLES or any(config.judge.get(key) != value for key, value in recipe.items()):
        raise ConfigError(
            f'labelled pages are for the judge "{LABELLED}", and crawl.toml, the recipe or --set names the judge '
            f'"{config.judge["name"]}". Leave out --positive and --negative, or add --set judge.name={LABELLED}.'
        )
    own = {key: value for key, value in config.judge.items() if key not in recipe}
    return replace(config, judge={"name": LABELLED, **own})


def with_samples(config: Config, settings: Sequence[str]) -> tuple[Config, list[str]]:
    """The settings for both, and what is left of those that the operator gave one by one: the judge has used its own."""
    if config.judge["name"] not in _READ_NO_SAMPLES:
        return config, list(settings)
    both = {"name": "all-of", "parts": [config.judge, {"name": "perplexity"}]}
    return replace(config, judge=both), [each for each in settings if not each.startswith("judge.")]
