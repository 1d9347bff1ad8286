"""What settles the settings of a run: one pure function, `settle`, applied once.

Rules, each layer laid over those before it:

1. The defaults (core/defaults.toml).
2. The recipe, which rule 7 chooses.
3. The operator's own settings: crawl.toml, or the tables that were passed to `opilio.crawl`. Where there are neither, and the
   folder holds a crawl, what its last run was told counts again, except when to stop and what belongs to the machine. A new
   recipe, new samples, or labelled pages for a judge that reads none leave out the old judge, lead and policy.
4. What was changed while the crawl ran (`opilio control set`, `opilio tune`), in order.
5. What the operator says now: options and `--set`.
6. A layer that names another judge or lead starts its table anew: options of the old one do not carry over.
7. The recipe is the one that is said now, else that of rule 3. Samples or labelled pages that are said now take the place of an
   unfocused recipe: with the recipe of the last run, if that had the same, else with `learned`. Where nobody names a recipe,
   samples choose `learned` unless a lead is named, and without samples the crawl has no focus.
8. Labelled pages bring the judge `classifier` in place of the recipe's own. A judge that somebody has named is never replaced.
9. Samples beside a judge that reads none, such as `comments`, ask for both: a page has to please the judge and read like them.

What comes after a judge is built from the samples, the bounds of a queue by perplexity, is the engine's (`engine.build`).
"""

from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from opilio.core.config import (
    BY_SAMPLES,
    UNFOCUSED,
    Config,
    Layer,
    compose,
    named_recipe,
    recipe_by_samples,
    recipe_tables,
    settings_layer,
)
from opilio.core.errors import ConfigError

_LASTING: Final = ("operator", "seeds", "scope", "fetch", "limits", "keep", "corpus")
_FOCUS: Final = ("judge", "lead", "policy")
_LABELLED: Final = "classifier"  # the judge that reads labelled pages
_WITHOUT_SAMPLES: Final = ("badness", "comments", "keywords", "language")  # judges that read none


class Known(NamedTuple):
    """What stands before the operator says anything."""

    own: Layer | None = None  # crawl.toml, or the tables that a Python caller has passed
    stored: Config | None = None  # the settings of the last run in this folder
    changed: tuple[str, ...] = ()  # settings that were changed while it ran


class Said(NamedTuple):
    """What the operator says now. Paths are absolute."""

    recipe: str | None = None
    settings: tuple[str, ...] = ()  # table.key=value
    like: tuple[str, ...] = ()
    positive: tuple[str, ...] = ()
    negative: tuple[str, ...] = ()
    fallback: str | None = None  # the recipe where nobody names one; samples do not choose then

    @property
    def labelled(self) -> bool:
        return bool(self.positive or self.negative)

    @property
    def layer(self) -> Layer:
        files = (("corpus.like", self.like), ("judge.positive", self.positive), ("judge.negative", self.negative))
        named = [f"{key}={msgspec.json.encode(paths).decode()}" for key, paths in files if paths]
        return settings_layer([*self.settings, *named])


class Settled(NamedTuple):
    config: Config
    warning: str | None = None  # where a crawl goes on as another one than it began


def settle(known: Known, said: Said) -> Settled:
    now = said.layer
    below = known.own or _resumed(known.stored, said.recipe or named_recipe([now]), now)
    recipe = said.recipe or named_recipe([now]) or _unsaid_recipe(known.stored, said, below, now)
    config = compose(recipe, (below, settings_layer(known.changed, "the changed settings"), now))
    if said.labelled:
        config = _with_classifier(config)
    if said.like and config.judge["name"] in _WITHOUT_SAMPLES:
        config = replace(config, judge={"name": "all-of", "parts": [config.judge, {"name": "perplexity"}]})
    return Settled(config, _other_focus(known.stored, config) if known.stored else None)


def _resumed(stored: Config | None, recipe: str | None, now: Layer) -> Layer:
    """Returns what the last run was told, as far as it counts again (rule 3)."""
    if stored is None:
        return Layer("the settings", {})
    like = now.tables.get("corpus", {}).get("like") if isinstance(now.tables.get("corpus"), dict) else None
    new_samples = like is not None and like not in ([], [*stored.corpus.like])
    other_judge = _names_labelled(now) and stored.judge["name"] != _LABELLED
    tables: dict[str, Any] = msgspec.to_builtins(stored)
    if recipe or new_samples or other_judge:
        return Layer("the settings", {name: tables[name] for name in _LASTING})
    kept = {name: tables[name] for name in (*_LASTING, *_FOCUS)}
    return Layer("the settings", {**kept, "crawl": {"recipe": stored.crawl.recipe, "seed": stored.crawl.seed}})


def _names_labelled(now: Layer) -> bool:
    judge = now.tables.get("judge", {})
    return isinstance(judge, dict) and bool({"positive", "negative"} & judge.keys())


def _unsaid_recipe(stored: Config | None, said: Said, below: Layer, now: Layer) -> str:
    """Returns the recipe of an operator who does not name one now (rule 7)."""
    named = named_recipe([below])
    if not (said.like or said.labelled):
        return named or said.fallback or recipe_by_samples([below, now])
    if named not in (None, UNFOCUSED):
        return str(named)
    if stored is None:
        return BY_SAMPLES
    same = stored.judge["name"] == _LABELLED if said.labelled else stored.corpus.like == said.like
    return stored.crawl.recipe if same else BY_SAMPLES


def _with_classifier(config: Config) -> Config:
    if config.judge["name"] == _LABELLED:
        return config
    recipe = recipe_tables(config.crawl.recipe).get("judge", {})
    if config.crawl.recipe != BY_SAMPLES or any(config.judge.get(key) != value for key, value in recipe.items()):
        raise ConfigError(
            f'labelled pages are for the judge "{_LABELLED}", and crawl.toml, the recipe or --set names the judge '
            f'"{config.judge["name"]}". Leave out --positive and --negative, or add --set judge.name={_LABELLED}.'
        )
    own = {key: value for key, value in config.judge.items() if key not in recipe}
    return replace(config, judge={"name": _LABELLED, **own})


def _other_focus(stored: Config, config: Config) -> str | None:
    before, now = ((each.judge["name"], each.lead["name"], each.corpus.like) for each in (stored, config))
    if before == now:
        return None
    return (
        f'so far this crawl had the recipe "{stored.crawl.recipe}" ({_focus(stored)}), and now goes on with '
        f'"{config.crawl.recipe}" ({_focus(config)}). If that is not what you want, stop it, and repeat the options of the first '
        "run or write them into crawl.toml."
    )


def _focus(config: Config) -> str:
    return f"judge {config.judge['name']}, lead {config.lead['name']}, {len(config.corpus.like)} samples"
