"""Judges and leads by name: ours and those of installed packages, found through entry points.

A plug-in is a class. It is called with its options from the settings. If it also needs to know the crawl, it has a
class method `build(context, **options)`, which is called instead. Only installed packages can add names, never data.
"""

import inspect
import sys
from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, NamedTuple, Self

from .config import Config
from .errors import ConfigError
from .suggestion import did_you_mean


class Sample(NamedTuple):
    """A text of the kind that the corpus should contain."""

    name: str
    text: str


class Context(NamedTuple):
    """The crawl that a plug-in is built for.

    `folder` is None if the crawl is not on disk. `state` is what an earlier instance of a judge has saved; if it is
    given, `samples` may be empty. `read` reads other files that the options name, in the same way as those of
    corpus.like, and `saved_lead` what the lead of another crawl has saved, by the name of its folder relative to `folder`;
    both are None in worker processes.
    """

    config: Config
    folder: Path | None
    samples: tuple[Sample, ...] = ()
    state: bytes | None = None
    read: Callable[[Sequence[str]], tuple[Sample, ...]] | None = None
    saved_lead: Callable[[str], bytes] | None = None


class Hooks(ABC):  # noqa: B024  (the classes that derive from it have abstract methods)
    """A base class for plug-ins, most of whose methods do nothing: a plug-in overrides those that it needs."""

    @classmethod
    def adopt(cls, other: Any) -> Self:
        """Takes an object that does not derive from this class for one that does: its own methods and values, as they are now,
        stand before what is inherited here. Something of a hook's name that is not a method is not taken for the hook."""
        if isinstance(other, cls):
            return other
        hooks = {name: getattr(cls, name) for name in dir(cls) if not name.startswith("_")}
        own = {name: getattr(other, name) for name in hooks if hasattr(other, name)}
        own = {name: value for name, value in own.items() if callable(value) or not callable(hooks[name])}
        if missing := cls.__abstractmethods__.difference(own):
            name, kind = type(other).__name__, cls.__name__
            raise ConfigError(f"{name} has no method {', '.join(sorted(missing))}. Derive it from opilio.{kind}.")
        kept: Self = type(type(other).__name__, (cls,), dict.fromkeys(cls.__abstractmethods__))()
        vars(kept).update(own)  # on the instance, where functions are not bound once more
        return kept


def build_plugin(kind: str, settings: dict[str, Any], context: Context) -> Any:
    """Builds the plug-in that a settings table names; `kind` is "judge", "lead" or "source"."""
    options = dict(settings)
    name = str(options.pop("name", ""))
    factory = find_plugin(kind, name)
    _check_options(kind, name, factory, options)
    try:
        return factory.build(context, **options) if hasattr(factory, "build") else factory(**options)
    except TypeError as error:
        raise ConfigError(f'the {kind} "{name}" cannot be built with these options: {error}.') from error


def find_plugin(kind: str, name: str) -> Any:
    found = _installed(kind, tuple(sys.path))
    if name not in found:
        hint = did_you_mean(name, found)
        raise ConfigError(f'there is no {kind} "{name}".{hint} Known: {", ".join(sorted(found))}.')
    return found[name].load()


@lru_cache(maxsize=16)
def _installed(kind: str, path: tuple[str, ...]) -> Mapping[str, EntryPoint]:  # noqa: ARG001  part of the cache's key
    """Maps names to entry points. It is cached: a look takes milliseconds, and judges are rebuilt whenever they have
    learned."""
    return {entry.name: entry for entry in entry_points(group=f"opilio.{kind}s")}


def _check_options(kind: str, name: str, factory: Any, options: Mapping[str, Any]) -> None:
    """Refuses unknown options, a string in place of a list, which would be read as a list of letters, and one in place of a
    number, which would fail only at the first page."""
    taken = inspect.signature(getattr(factory, "build", factory)).parameters
    unknown = [key for key in options if key not in taken]
    if unknown and all(each.kind is not each.VAR_KEYWORD for each in taken.values()):
        hint = did_you_mean(unknown[0], taken)
        raise ConfigError(f'the {kind} "{name}" cannot be built with these options: it has no "{unknown[0]}".{hint}')
    parameters = {**inspect.signature(factory).parameters, **taken}
    for key in (key for key, value in options.items() if isinstance(value, str) and key in parameters):
        default, value = parameters[key].default, options[key]
        if isinstance(default, tuple):
            raise ConfigError(f'{kind}.{key} is a list, not a string: write ["{value}"].')
        if isinstance(default, int | float):
            meant = "true or false" if isinstance(default, bool) else f"a number, such as {default}"
            raise ConfigError(f'{kind}.{key} must be {meant}, not "{value}".')
