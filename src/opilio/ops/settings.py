"""How the settings of a run are decided: by one pure function, `settle`, which is called once.

Rules, each layer laid over those before it:

1. The defaults (core/defaults.toml).
2. The recipe, which rule 7 chooses.
3. The operator's own settings: crawl.toml, or the tables that were passed to `opilio.crawl`. If there are neither, and the
   folder holds a crawl, the settings of its last run hold again, except when to stop and what depends on the machine. If there
   is a new recipe, new samples, or labelled pages for a judge that reads none, the old judge, lead and policy are left out.
4. What was changed while the crawl ran (`opilio control set`, `opilio tune`), one after the other. Tables of the last run that
   hold again have these changes in them. Changes to judge, lead and policy hold only for what they were made for: they are left
   out unless recipe, judge, lead and samples are those of the last run.
5. What the operator says now: options and `--set`.
6. A layer that names another judge or lead starts its table anew: options of the old one do not carry over.
7. The recipe is the one that is named now, else that of rule 3. Samples or labelled pages that are given now replace an
   unfocused recipe: by the recipe of the last run, if that had the same ones, else by `learned`. If no recipe is named anywhere,
   it is `learned` if there are samples and no lead is named; without samples the crawl has no focus.
8. Labelled pages bring the judge `classifier` in place of the recipe's own. A judge that somebody has named is never replaced.
9. Samples beside a judge that reads none, such as `comments`, ask for both: a page has to please the judge and read like them.

Bounds for perplexities are not settled here: the engine takes them from the judge after it is built (`engine.build`).
"""

from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from opilio.core.config import (
    BY_SAMPLES,
    DEFAULT_RECIPE,
    Config,
    Layer,
    compose,
    named_recipe,
    recipe_by_samples,
    recipe_tables,
    settings_layer,
)
from opilio.core.errors import ConfigError

_LASTING_TABLES: Final = ("operator", "seeds", "scope", "fetch", "limits", "keep", "corpus")
_FOCUS_TABLES: Final = ("judge", "lead", "policy")
_CLASSIFIER: Final = "classifier"  # the judge that reads labelled pages
_JUDGES_WITHOUT_SAMPLES: Final = ("badness", "comments", "keywords", "language")


class Known(NamedTuple):
    """The settings that a crawl has before the operator says anything now."""

    own: Layer | None = None  # crawl.toml, or the tables that a Python caller has passed
    stored: Config | None = None  # the settings of the last run in this folder
    changed: tuple[str, ...] = ()  # settings that were changed while it ran

    def without_last_run(self) -> "Known":
        """Returns what verbs need whose every call says again what it wants."""
        return self._replace(stored=None)


class Said(NamedTuple):
    """The settings that the operator gives now. Paths are absolute."""

    recipe: str | None = None
    settings: tuple[str, ...] = ()  # table.key=value
    like: tuple[str, ...] = ()
    positive: tuple[str, ...] = ()
    negative: tuple[str, ...] = ()
    fallback: str | None = None  # the recipe if none is named, even if there are samples

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
    warning: str | None = None  # if a crawl would continue with another focus than before


def settle(known: Known, said: Said) -> Settled:
    now = said.layer
    named = said.recipe or named_recipe([now])
    goes_on = known.own is None and known.stored is not None and not _renews(known.stored, named, now)
    below = known.own or _resumed(known.stored, goes_on)
    recipe = named or _unsaid_recipe(known.stored, said, below, now)
    held = (*_LASTING_TABLES, *_FOCUS_TABLES) if goes_on else ()  # these have the changes in them
    config = _lay(recipe, below, _changes(known, held), said)
    if (last := known.stored) and (last.crawl.recipe, _focus(last)) != (recipe, _focus(config)):
        config = _lay(recipe, below, _changes(known, (*held, *_FOCUS_TABLES)), said)
    return Settled(config, _other_focus(known.stored, config) if known.stored else None)


def _lay(recipe: str, below: Layer, changes: list[Layer], said: Said) -> Config:
    config = compose(recipe, (below, *changes, said.layer))
    if said.labelled:
        config = _with_classifier(config)
    if said.like and config.judge["name"] in _JUDGES_WITHOUT_SAMPLES:
        config = replace(config, judge={"name": "all-of", "parts": [config.judge, {"name": "perplexity"}]})
    return config


def _changes(known: Known, left_out: tuple[str, ...]) -> list[Layer]:
    """Returns what was changed while the crawl ran, but for some tables."""
    changes = (change for change in known.changed if change.partition(".")[0] not in left_out)
    return [settings_layer([change], "the changed settings") for change in changes]


def _focus(config: Config) -> tuple[str, str, tuple[str, ...]]:
    return config.judge["name"], config.lead["name"], config.corpus.like


def _renews(stored: Config, recipe: str | None, now: Layer) -> bool:
    """Returns whether what is said now leaves out the judge, lead and policy of the last run (rule 3)."""
    corpus = now.tables.get("corpus")
    like = corpus.get("like") if isinstance(corpus, dict) else None
    new_samples = like is not None and like not in ([], [*stored.corpus.like])
    return bool(recipe) or new_samples or (_names_labelled(now) and stored.judge["name"] != _CLASSIFIER)


def _resumed(stored: Config | None, goes_on: bool) -> Layer:
    """Returns what the last run was told, as far as it counts again (rule 3)."""
    if stored is None:
        return Layer("the settings", {})
    tables: dict[str, Any] = msgspec.to_builtins(stored)
    kept = {name: tables[name] for name in (*_LASTING_TABLES, *(_FOCUS_TABLES if goes_on else ()))}
    crawl = {"crawl": {"recipe": stored.crawl.recipe, "seed": stored.crawl.seed}} if goes_on else {}
    return Layer("the settings", {**kept, **crawl})


def _names_labelled(now: Layer) -> bool:
    judge = now.tables.get("judge", {})
    return isinstance(judge, dict) and bool({"positive", "negative"} & judge.keys())


def _unsaid_recipe(stored: Config | None, said: Said, below: Layer, now: Layer) -> str:
    """Returns the recipe of an operator who does not name one now (rule 7)."""
    named = named_recipe([below])
    if said.fallback or not (said.like or said.labelled):
        return named or said.fallback or recipe_by_samples([below, now])
    if named not in (None, DEFAULT_RECIPE):
        return str(named)
    if stored is None:
        return BY_SAMPLES
    same = stored.judge["name"] == _CLASSIFIER if said.labelled else stored.corpus.like == said.like
    return stored.crawl.recipe if same else BY_SAMPLES


def _with_classifier(config: Config) -> Config:
    if config.judge["name"] == _CLASSIFIER:
        return config
    recipe = recipe_tables(config.crawl.recipe).get("judge", {})
    if config.crawl.recipe != BY_SAMPLES or any(config.judge.get(key) != value for key, value in recipe.items()):
        raise ConfigError(
            f'labelled pages are for the judge "{_CLASSIFIER}", and crawl.toml, the recipe or --set names the judge '
            f'"{config.judge["name"]}". Leave out --positive and --negative, or add --set judge.name={_CLASSIFIER}.'
        )
    own = {key: value for key, value in config.judge.items() if key not in recipe}
    return replace(config, judge={"name": _CLASSIFIER, **own})


def _other_focus(stored: Config, config: Config) -> str | None:
    if _focus(stored) == _focus(config):
        return None
    return (
        f'so far this crawl had the recipe "{stored.crawl.recipe}" ({_described(stored)}), and now goes on with '
        f'"{config.crawl.recipe}" ({_described(config)}). If that is not what you want, stop it, and repeat the options of the '
        "first run or write them into crawl.toml."
    )


def _described(config: Config) -> str:
    judge, lead, samples = _focus(config)
    return f"judge {judge}, lead {lead}, {len(samples)} samples"
