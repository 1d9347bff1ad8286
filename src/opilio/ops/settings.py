"""How the settings of a run are decided: by one pure function, `settle`, which is called once.

Rules, each layer laid over those before it:

1. The defaults (core/defaults.toml).
2. The recipe, which rule 7 chooses.
3. The operator's own settings: crawl.toml, or the tables that were passed to `opilio.crawl`. If there are neither, and the
   folder holds a crawl, the settings of its last run hold again, except when to stop and what depends on the machine. If there
   is a new recipe, new samples, labelled pages for a judge that reads none, or a language for a crawl that kept everything, the
   old judge, lead and policy are left out.
4. What was changed while the crawl ran (`opilio control set`, `opilio tune`), one after the other. Tables of the last run that
   hold again have these changes in them. Changes to judge, lead and policy hold only for what they were made for: they are left
   out unless recipe, judge, lead and samples are those of the last run.
5. What the operator says now: options and `--set`.
6. A layer that names another judge or lead starts its table anew: options of the old one do not carry over.
7. The recipe is the one that is named now, else that of rule 3. Samples, labelled pages or languages that are given now replace
   an unfocused recipe: by the recipe of the last run, if that had the same ones, else by `learned`. If no recipe is named
   anywhere, it is `learned` if there are samples or languages and no lead is named; without them the crawl has no focus.
8. Labelled pages bring the judge `classifier` in place of the recipe's own. Languages without samples bring the judge `language`
   in place of that of `learned` (`recipe_for`). A judge that somebody has named is never replaced.
9. Samples beside a judge that reads none, such as `comments`, ask for both: a page has to please the judge and read like them.
10. Languages are a filter in front of any judge (`judge.in_language`), unless `corpus.other_languages` is true. A folder in which
   that is true keeps it until somebody says otherwise, even beside a crawl.toml: in folders that are older than the filter,
   languages were only asked for. `--language` says otherwise.

Bounds for perplexities are not settled here: the engine takes them from the judge after it is built (`engine.build`).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from opilio.core.config import (
    BY_FOCUS,
    DEFAULT_RECIPE,
    Config,
    Layer,
    compose,
    named_recipe,
    recipe_by_focus,
    recipe_for,
    settings_layer,
    told,
)
from opilio.core.errors import ConfigError
from opilio.core.languages import known_codes, list_languages
from opilio.judge.in_language import asks_for_language

_LASTING_TABLES: Final = ("operator", "seeds", "scope", "fetch", "limits", "keep", "corpus")
_FOCUS_TABLES: Final = ("judge", "lead", "policy")
_CLASSIFIER: Final = "classifier"  # the judge that reads labelled pages
_EVERYTHING: Final = "everything"  # the judge of a crawl without a focus
_JUDGES_WITHOUT_SAMPLES: Final = ("badness", "comments", "keywords", "language")


class Known(NamedTuple):
    """The settings that a crawl has before the operator says anything now."""

    own: Layer | None = None  # crawl.toml, or the tables that a Python caller has passed
    stored: Config | None = None  # the settings of the last run in this folder
    changed: tuple[str, ...] = ()  # settings that were changed while it ran
    folder: str = "DIR"  # as messages name it

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
    languages: tuple[str, ...] = ()  # codes

    @property
    def labelled(self) -> bool:
        return bool(self.positive or self.negative)

    @property
    def layer(self) -> Layer:
        lists = (
            ("corpus.like", self.like), ("judge.positive", self.positive), ("judge.negative", self.negative),
            ("corpus.languages", self.languages),
        )  # fmt: skip
        named = [f"{key}={msgspec.json.encode(values).decode()}" for key, values in lists if values]
        only = ["corpus.other_languages=false"] if self.languages else []
        return settings_layer([*only, *self.settings, *named])


class Settled(NamedTuple):
    config: Config
    # If a crawl goes on with another focus than before, or with an older meaning of a setting.
    warnings: tuple[str, ...] = ()


def settle(known: Known, said: Said) -> Settled:
    now = said.layer
    named = said.recipe or named_recipe([now])
    goes_on = known.own is None and known.stored is not None and not _renews(known.stored, named, now)
    below = _with_old_meaning(known.own, known.stored) if known.own else _resumed(known.stored, goes_on)
    recipe = named or _unsaid_recipe(known.stored, said, below, now)
    held = (*_LASTING_TABLES, *_FOCUS_TABLES) if goes_on else ()  # these have the changes in them
    config = _lay(recipe, below, _changes(known, held), said)
    if (last := known.stored) and (last.crawl.recipe, _focus(last)) != (recipe, _focus(config)):
        config = _lay(recipe, below, _changes(known, (*held, *_FOCUS_TABLES)), said)
    return Settled(
        config, tuple(_warnings(known.stored, config, (known.own, now), known.folder)) if known.stored else ()
    )


def _lay(recipe: str, below: Layer, changes: list[Layer], said: Said) -> Config:
    layers = (below, *changes, said.layer)
    config = compose(recipe, layers)
    if said.labelled:
        config = _with_classifier(config, recipe_for(recipe, layers).get("judge", {}))
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
    like = told([now], "corpus").get("like")
    new_samples = like is not None and like not in ([], [*stored.corpus.like])
    new_labels = {"positive", "negative"} & told([now], "judge").keys() and stored.judge["name"] != _CLASSIFIER
    return bool(recipe) or new_samples or new_labels or _filters_anew(stored, told([now], "corpus"))


def _filters_anew(stored: Config, corpus: Mapping[str, Any]) -> bool:
    """Returns whether a crawl that kept pages in any language gets a filter now."""
    languages = corpus.get("languages") or ()
    if corpus.get("other_languages", stored.corpus.other_languages) or stored.judge["name"] != _EVERYTHING:
        return False
    return bool(languages) and stored.corpus.only != known_codes(map(str, languages))


def _resumed(stored: Config | None, goes_on: bool) -> Layer:
    """Returns what the last run was told, as far as it counts again (rule 3)."""
    if stored is None:
        return Layer("the settings", {})
    tables: dict[str, Any] = msgspec.to_builtins(stored)
    kept = {name: tables[name] for name in (*_LASTING_TABLES, *(_FOCUS_TABLES if goes_on else ()))}
    crawl = {"crawl": {"recipe": stored.crawl.recipe, "seed": stored.crawl.seed}} if goes_on else {}
    return Layer("the settings", {**kept, **crawl})


def _unsaid_recipe(stored: Config | None, said: Said, below: Layer, now: Layer) -> str:
    """Returns the recipe of an operator who does not name one now (rule 7)."""
    named = named_recipe([below])
    if said.fallback or not (said.like or said.labelled or said.languages):
        return named or said.fallback or recipe_by_focus([below, now])
    if named not in (None, DEFAULT_RECIPE):
        return str(named)
    if stored is None:
        return BY_FOCUS
    if said.labelled:
        same = stored.judge["name"] == _CLASSIFIER
    elif said.like:
        same = stored.corpus.like == said.like
    else:
        same = stored.judge["name"] != _EVERYTHING or stored.corpus.only == said.languages
    return stored.crawl.recipe if same else BY_FOCUS


def _with_classifier(config: Config, recipe: Mapping[str, Any]) -> Config:
    """`recipe` is the judge's table in the recipe."""
    if config.judge["name"] == _CLASSIFIER:
        return config
    if config.crawl.recipe != BY_FOCUS or any(config.judge.get(key) != value for key, value in recipe.items()):
        raise ConfigError(
            f'labelled pages are for the judge "{_CLASSIFIER}", and crawl.toml, the recipe or --set names the judge '
            f'"{config.judge["name"]}". Leave out --positive and --negative, or add --set judge.name={_CLASSIFIER}.'
        )
    own = {key: value for key, value in config.judge.items() if key not in recipe}
    return replace(config, judge={"name": _CLASSIFIER, **own})


def _with_old_meaning(own: Layer, stored: Config | None) -> Layer:
    """Lays the operator's own settings over `other_languages` as the folder has it (rule 10)."""
    if stored is None or not stored.corpus.other_languages or not told([own], "corpus"):
        return own
    return own._replace(tables={**own.tables, "corpus": {"other_languages": True, **told([own], "corpus")}})


def _warnings(stored: Config, config: Config, said: Sequence[Layer | None], folder: str) -> Iterator[str]:
    if (_focus(stored), stored.corpus.only) != (_focus(config), config.corpus.only):
        yield _other_focus(stored, config)
    corpus = config.corpus
    is_said = any(layer and "other_languages" in told([layer], "corpus") for layer in said)
    if (
        corpus.languages
        and corpus.other_languages
        and not (is_said or asks_for_language(config.judge, corpus.languages))
    ):
        names, codes = list_languages(corpus.languages), ",".join(corpus.languages)
        yield (
            f"pages in other languages than {names} are kept too, as this crawl has done so far (corpus.other_languages is true, "
            f"as it is for crawls that began before languages were a filter). To keep only pages in {names}, add --language "
            f"{codes}; `opilio judge again {folder} --language {codes}` does it for the pages that are there."
        )


def _other_focus(stored: Config, config: Config) -> str:
    return (
        f'so far this crawl had the recipe "{stored.crawl.recipe}" ({_described(stored)}), and now goes on with '
        f'"{config.crawl.recipe}" ({_described(config)}). If that is not what you want, stop it, and repeat the options of the '
        "first run or write them into crawl.toml."
    )


def _described(config: Config) -> str:
    judge, lead, samples = _focus(config)
    only = f", only {list_languages(config.corpus.only)}" if config.corpus.only else ""
    return f"judge {judge}, lead {lead}, {len(samples)} samples{only}"
