"""One frozen tree of settings per crawl, merged from defaults.toml, the recipe, crawl.toml and the command line.

Every default of a crawl stands in defaults.toml. An unknown key is an error that names the nearest known one.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from math import isfinite
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from .errors import ConfigError
from .languages import known_codes, language_codes
from .limits import Limits
from .mistyped import misplaced, say_what_to_write
from .recipes import recipe_names, recipe_tables
from .renamed import with_new_names
from .suggestion import did_you_mean
from .tables import (
    Corpus,
    CrawlSettings,
    CycleSettings,
    FetchSettings,
    Keep,
    Operator,
    PolicySettings,
    Scope,
    Scout,
    Seeds,
    Stop,
    Table,
)
from .version import __version__

NO_CUT: Final = -1e308  # the lowest score: nothing is cut off
DEFAULT_RECIPE: Final = "breadth-first"  # the recipe where nobody names one
# The recipe of a crawl with samples or a language, where nobody has named a recipe or a lead.
BY_FOCUS: Final = "learned"
BY_LANGUAGE: Final = "language"  # the judge of that recipe if there are no samples
_LEAST_STEP: Final = 0.01  # powers of ten
_FREE_TABLES = frozenset({"judge", "lead", "fetch.hosts", "sources"})  # their keys belong to the plug-in or the user


class Config(Table, frozen=True):
    operator: Operator
    corpus: Corpus
    seeds: Seeds
    scope: Scope
    fetch: FetchSettings
    limits: Limits
    judge: dict[str, Any]
    lead: dict[str, Any]
    policy: PolicySettings
    keep: Keep
    crawl: CrawlSettings
    stop: Stop
    cycle: CycleSettings
    scout: Scout
    sources: dict[str, Any]

    @property
    def user_agent(self) -> str:
        contact = f" (+{self.operator.contact})" if self.operator.contact else ""
        return f"{self.operator.name}/{__version__}{contact}"


class Layer(NamedTuple):
    """Some settings, and where they were said: the name stands in messages."""

    where: str
    tables: Mapping[str, Any]


def load_config(
    path: Path | None = None,
    *,
    recipe: str | None = None,
    settings: Iterable[str] = (),
    tables: Mapping[str, Any] | None = None,
) -> Config:
    """Returns the tree for a crawl.toml (or none), with ready-made tables and `key=value` settings laid over it."""
    own = Layer(str(path), read_toml(path)) if path else Layer("the settings", {})
    layers = (own, Layer("the settings", tables or {}), settings_layer(settings))
    return compose(recipe or named_recipe(layers) or recipe_by_focus(layers), layers)


def compose(recipe: str, layers: Sequence[Layer]) -> Config:
    """Lays the recipe over the defaults, and each layer over what came before it. A recipe that a layer names counts for
    nothing here: `named_recipe` finds it."""
    tree = _defaults()
    layers = [layer._replace(tables=with_new_names(layer.tables)) for layer in layers]
    for layer in layers:
        _check_keys(layer.tables, tree, layer.where)
    for tables in (recipe_for(recipe, layers), *(layer.tables for layer in layers), {"crawl": {"recipe": recipe}}):
        _lay_over(tree, tables)
    return _convert(tree, layers or [Layer("the settings", {})])


def settings_layer(settings: Iterable[str], where: str = "--set") -> Layer:
    """Turns `table.key=value` settings into a layer; of two for one key the last counts."""
    tables: dict[str, Any] = {}
    for setting in settings:
        _merge(tables, parse_setting(setting))
    return Layer(where, tables)


def named_recipe(layers: Iterable[Layer]) -> str | None:
    """Returns the recipe that the topmost layer names which names any."""
    named = [layer.tables["crawl"].get("recipe") for layer in layers if isinstance(layer.tables.get("crawl"), Mapping)]
    return next((name for name in reversed(named) if name), None)


def recipe_by_focus(layers: Iterable[Layer]) -> str:
    """Returns the recipe where nobody names one: samples and languages choose theirs, unless a lead is named. The bounds of that
    recipe would mean nothing to the scores of another lead."""
    layers = tuple(layers)
    return BY_FOCUS if any(_focus(layers)) and not told(layers, "lead").get("name") else DEFAULT_RECIPE


def _focus(layers: Iterable[Layer]) -> tuple[bool, bool]:
    """Returns whether layers name samples, and whether they name languages that a page must have."""
    corpus = told(layers, "corpus")
    return bool(corpus.get("like")), bool(corpus.get("languages") and not corpus.get("other_languages"))


def told(layers: Iterable[Layer], name: str) -> Mapping[str, Any]:
    """Returns what layers say in one table, whether it makes sense or not."""
    tree: dict[str, Any] = {}
    for _, tables in layers:
        _merge(tree, {name: tables[name]} if name in tables else {})
    said = tree.get(name)
    return said if isinstance(said, Mapping) else {}


def parse_setting(setting: str) -> dict[str, Any]:
    """Turns `fetch.delay_s=2` into a tree. The value is read as TOML, and as a string if it is not valid TOML."""
    key, equals, value = setting.partition("=")
    if not equals or "." not in key:
        raise ConfigError(f'"{setting}" is not a setting. Write table.key=value, such as fetch.delay_s=2.')
    try:
        parsed: Any = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value
    for part in reversed(key.strip().split(".")):
        parsed = {part: parsed}
    tree: dict[str, Any] = parsed
    return tree


def change_config(config: Config, settings: Iterable[str]) -> Config:
    """Returns the same tree with some settings changed, checked like any other."""
    tree = msgspec.to_builtins(config)
    defaults = _defaults()
    for setting in settings:
        change = with_new_names(parse_setting(setting))
        _check_keys(change, defaults, f'"{setting}"')
        _lay_over(tree, change)
    return _convert(tree, [Layer("the changed settings", {})])


def value_of(config: Config, name: str) -> Any:
    """Returns the value of a setting that is named as table.key."""
    table, _, key = name.partition(".")
    return getattr(getattr(config, table), key)


def restore_config(saved: bytes) -> Config:
    """Returns the tree that a crawl has saved; settings that were added since then get their defaults. Languages are an
    exception: before there was `other_languages`, a crawl asked for them and kept pages in any, and names were not checked."""
    tree = _defaults()
    tables = with_new_names(msgspec.json.decode(saved, type=dict[str, Any]))
    _lay_over(tree, tables)
    if "other_languages" not in tables["corpus"]:
        named = known_codes(tables["corpus"]["languages"])
        tree["corpus"] |= {"languages": named, "other_languages": bool(named)}
    return _convert(tree, [Layer("the settings that the crawl has saved", {})])


def follows_recipe(config: Config) -> bool:
    """Returns whether judge and lead are those of the recipe. Otherwise the recipe was only what the settings began with.
    `learned` takes any judge: labelled pages and languages bring theirs, and older folders have the one that it had then."""
    name = config.crawl.recipe
    if name not in recipe_names():
        return False
    recipe = compose(name, ())
    same_judge = name == BY_FOCUS or config.judge.get("name") == recipe.judge["name"]
    return bool(same_judge and config.lead.get("name") == recipe.lead["name"])


def recipe_for(name: str, layers: Iterable[Layer]) -> dict[str, Any]:
    """Returns the tables of a recipe for a crawl with these settings. `learned` compares pages with samples; if there are
    languages alone, the language identifier is its judge."""
    tables = recipe_tables(name)
    return (
        {**tables, "judge": {"name": BY_LANGUAGE}} if name == BY_FOCUS and _focus(layers) == (False, True) else tables
    )


def _defaults() -> dict[str, Any]:
    return tomllib.loads(resources.files("opilio").joinpath("core", "defaults.toml").read_text("utf-8"))


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(f"{path} does not exist. `opilio init {path.parent}` writes one.") from error
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}.") from error


def _check_keys(tree: Mapping[str, Any], known: Mapping[str, Any], where: str, above: str = "") -> None:
    for key, value in tree.items():
        name = f"{above}{key}"
        if key not in known:
            raise ConfigError(f'unknown setting "{name}" in {where}.{did_you_mean(key, known, above)}')
        if isinstance(known[key], Mapping) and name not in _FREE_TABLES:
            if not isinstance(value, Mapping):
                raise ConfigError(f'"{name}" in {where} must be a table with settings, such as [{name}].')
            _check_keys(value, known[key], where, f"{name}.")


def _lay_over(tree: dict[str, Any], layer: Mapping[str, Any]) -> None:
    """Merges a layer into the tree. If it names another judge or lead, the options of the old one are discarded."""
    for kind in ("judge", "lead"):
        named = layer[kind].get("name") if isinstance(layer.get(kind), Mapping) else None
        if named is not None and named != tree.get(kind, {}).get("name"):
            tree[kind] = {}
    _merge(tree, layer)


def _merge(tree: dict[str, Any], layer: Mapping[str, Any]) -> None:
    for key, value in layer.items():
        if isinstance(value, Mapping):
            if not isinstance(tree.get(key), dict):
                tree[key] = {}
            _merge(tree[key], value)
        else:
            tree[key] = value


def _convert(tree: dict[str, Any], layers: Sequence[Layer]) -> Config:
    where = layers[0].where
    _name_languages(tree["corpus"], layers)
    try:
        config = msgspec.convert(tree, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(_wrong_value(error, tree, layers)) from error
    for pattern in (*config.scope.include, *config.scope.exclude):
        try:
            re.compile(pattern)
        except re.error as error:
            raise ConfigError(f'the pattern "{pattern}" in {where} is not a regular expression: {error}.') from error
    if not all(map(isfinite, (*config.policy.bounds, config.policy.cut))):
        raise ConfigError(f"policy.bounds and policy.cut in {where} must be finite numbers.")
    if list(config.policy.bounds) != sorted(config.policy.bounds, reverse=True):
        raise ConfigError(f"policy.bounds in {where} must fall from the highest score to the lowest.")
    if 0 < config.policy.step < _LEAST_STEP:
        raise ConfigError(
            f"policy.step in {where} must be 0, which means no steps, or at least {_LEAST_STEP:g}: smaller steps would only make "
            "the queue slow."
        )
    longest_s = (config.limits.redirects + 2) * config.limits.total_s
    if config.crawl.lease_s < longest_s:
        raise ConfigError(
            f"crawl.lease_s in {where} must be at least {longest_s:g}: a lease has to outlast its requests (limits.total_s each)."
        )
    return config


def _wrong_value(error: msgspec.ValidationError, tree: Mapping[str, Any], layers: Sequence[Layer]) -> str:
    """Says what is wrong with a value, where it was said and what to write instead."""
    setting = misplaced(error)
    table, _, key = setting.partition(".")
    kinds = {one.name: one.type for one in msgspec.structs.fields(Config)}
    if not issubclass(kinds.get(table, dict), Table | Limits):
        return f"a setting in {layers[0].where} cannot have that value: {error}."
    kind = next(one.type for one in msgspec.structs.fields(kinds[table]) if one.name == key)
    default = _defaults()[table][key]
    where = _where(layers, table, key)
    sentence = say_what_to_write(setting, kind, tree[table][key], default, option=where == "--set")
    return sentence if where == "--set" else f"in {where}: {sentence}"


def _where(layers: Sequence[Layer], table: str, key: str) -> str:
    """Returns where a setting was said last."""
    said = [layer.where for layer in layers if key in layer.tables.get(table, ())]
    return said[-1] if said else layers[0].where


def _name_languages(corpus: dict[str, Any], layers: Sequence[Layer]) -> None:
    """Replaces the names of languages by their codes. What is not a list of names is refused like any other value."""
    names = corpus["languages"]
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        return
    try:
        corpus["languages"] = list(language_codes(names))
    except ConfigError as error:
        raise ConfigError(f"corpus.languages in {_where(layers, 'corpus', 'languages')}: {error}") from error
