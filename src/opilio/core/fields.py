"""The fields of a type of rows by their names, for whoever names them in words, such as an expression of the operator's.

A dot leads into a field that has fields of its own: `signals.name`. Where that field is a list, there is a value for each of
its elements.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints


class Field(NamedTuple):
    """How a field is read from a row: the names on the way to it, and what kind of value is found there."""

    names: tuple[str, ...]
    kind: type[str] | type[float] | type[bool]
    choices: tuple[str, ...] = ()  # all values there are, as members of their enum, if they have one

    def values(self, row: Any) -> Sequence[Any]:
        """Returns the value, or those of all elements where the way leads through a list. Missing values are left out."""
        found = [row]
        for name in self.names:
            found = [value for one in found for value in _each(getattr(one, name))]
        return found


@cache
def fields(rows: type) -> Mapping[str, Field]:
    """Returns the fields and properties of the type whose values are texts, numbers or flags, in their order."""
    return dict(_fields(rows, (), ()))


def _fields(rows: type, before: tuple[str, ...], around: tuple[type, ...]) -> Iterator[tuple[str, Field]]:
    computed = {
        name: get_type_hints(own.fget)["return"] for name, own in vars(rows).items() if isinstance(own, property)
    }
    for name, hint in {**get_type_hints(rows), **computed}.items():
        names = (*before, name)
        kind = _kind(hint)
        if kind in (int, float):
            yield ".".join(names), Field(names, float)
        elif isinstance(kind, type) and issubclass(kind, bool | str):
            choices = tuple(kind) if issubclass(kind, StrEnum) else ()
            yield ".".join(names), Field(names, bool if kind is bool else str, choices)
        elif isinstance(kind, type) and kind not in (rows, *around):  # a type inside itself would have no end
            yield from _fields(kind, names, (*around, rows))


def _kind(hint: Any) -> Any:
    """Looks into unions with None and into lists, for what their values are."""
    if get_origin(hint) in (Union, UnionType):
        inner = [one for one in get_args(hint) if one is not NoneType]
        return _kind(inner[0]) if len(inner) == 1 else None
    if get_origin(hint) in (tuple, list):
        return _kind(get_args(hint)[0])
    return hint


def _each(value: Any) -> Iterable[Any]:
    if value is None:
        return ()
    return value if isinstance(value, tuple | list) else (value,)
