"""What a setting must be and what to write, in a sentence, where a value has the wrong type or lies outside its range.

The sentence is made from the declared type of the setting, so that a new setting needs no words of its own.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import inspect

from .suggestion import did_you_mean

_PLACE: Final = re.compile(r"at `\$\.(\w+)\.(\w+)")
_FLAGS: Final = {"yes": True, "on": True, "no": False, "off": False}
_PATTERNS: Final = {"^[ -~]*$": " of plain ASCII characters"}  # that have a name
_NAMES: Final = {inspect.StrType: "text", inspect.IntType: "whole number", inspect.FloatType: "number"}


def misplaced(error: msgspec.ValidationError) -> str:
    """Returns the setting that the error is about, as table.key; "" if it is not about a single one."""
    place = _PLACE.search(str(error))
    return f"{place[1]}.{place[2]}" if place else ""


def say_what_to_write(setting: str, kind: Any, value: Any, default: Any, *, option: bool = False) -> str:
    """Returns a sentence on a value that the setting cannot have. `kind` is the declared type, and `option` says whether the
    setting was given with --set."""
    told = inspect.type_info(kind)
    choices = told.values if isinstance(told, inspect.LiteralType) else ()
    near = did_you_mean(str(value), map(str, choices))
    must = f"{setting} must be {describe(told)}, not {toml(value)}"
    for meant in _meant(value, kind):
        written = f"--set '{setting}={toml(meant)}'" if option else f"{setting} = {toml(meant)}"
        return f"{must}; write {written}."
    return f"{must}. The default is {toml(default)}.{near}"


def describe(told: inspect.Type) -> str:
    if isinstance(told, inspect.BoolType):
        return "true or false"
    if isinstance(told, inspect.LiteralType):
        return f"one of {', '.join(map(toml, told.values))}"
    if isinstance(told, inspect.VarTupleType):
        return f"a list of {_name(told.item_type)}s{_range(told.item_type)}"
    if isinstance(told, inspect.DictType):
        return f"a table of {_name(told.value_type)}s"
    return f"a {_name(told)}{_range(told)}"


def toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{toml(key)} = {toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, str | bool):
        return msgspec.json.encode(value).decode()
    return str(value)


def _meant(value: Any, kind: Any) -> Iterator[Any]:
    """Yields what the operator may have meant: values of the right kind that are written like this one."""
    each = None if isinstance(value, list) else re.split(r"\s*,\s*", str(value))
    for guess in (value, _FLAGS.get(str(value).lower()), str(value), each, [value]):
        try:
            yield msgspec.convert(guess, kind, strict=isinstance(guess, int | float))
        except msgspec.ValidationError:
            continue


def _name(told: inspect.Type) -> str:
    return _NAMES.get(type(told), "value")


def _range(told: inspect.Type) -> str:
    if isinstance(told, inspect.StrType):
        return _PATTERNS.get(told.pattern, f" of the pattern {told.pattern}") if told.pattern else ""
    low, high = getattr(told, "ge", None), getattr(told, "le", None)
    if low is None:
        return ""
    return f" of at least {low:g}" if high is None else f" from {low:g} to {high:.10g}"
