"""What the command line can do, Python can, by the same names: both are walked and compared."""

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import click
import pytest
from typer.main import get_command

import opilio
from opilio.cli.app import _app

SHOWN = {"json", "quiet", "help"}  # how a verb shows what it did
OTHER = {"set": "settings"}  # a builtin of Python has the name
ONLY_THERE: dict[tuple[str, ...], set[str]] = {
    ("init",): {"defaults"},  # `opilio.defaults()`
    ("sample",): {"output"},  # the value that is returned, as a file
    ("cycle", "log"): {"chart"},  # a picture of it
    ("scout", "stats"): {"chart"},  # a picture of it
}


def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if not isinstance(command, click.Group) and not hasattr(command, "list_commands"):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        yield from leaves(command.get_command(context, name), (*path, name))


VERBS = dict(leaves(get_command(_app)))


def function(path: tuple[str, ...]) -> Callable[..., object]:
    if path[0] == "lab":
        found = getattr(opilio.lab, "_".join(path[1:]))
    elif path == ("demo",):
        found = opilio.demo.run
    else:
        found = getattr(opilio, "_".join(path))
    assert callable(found)
    return found  # type: ignore[no-any-return]


def options(command: Any) -> set[str]:
    longest = [max(param.opts, key=len).lstrip("-") for param in command.params if param.param_type_name == "option"]
    return {OTHER.get(name, name).replace("-", "_") for name in longest if name not in SHOWN}


@pytest.mark.parametrize("path", VERBS, ids=" ".join)
def test_a_verb_is_a_function_with_the_same_options(path: tuple[str, ...]) -> None:
    parameters = set(inspect.signature(function(path)).parameters)
    assert options(VERBS[path]) - ONLY_THERE.get(path, set()) <= parameters


@pytest.mark.parametrize("path", VERBS, ids=" ".join)
def test_what_a_command_must_be_told_a_function_takes_by_position(path: tuple[str, ...]) -> None:
    arguments = [param for param in VERBS[path].params if param.param_type_name == "argument"]
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY)
    takes = [each for each in inspect.signature(function(path)).parameters.values() if each.kind in kinds]
    assert len(takes) >= len(arguments)


def test_every_public_function_is_a_verb_or_known_not_to_be() -> None:
    functions = {name for name in opilio.__all__ if inspect.isfunction(getattr(opilio, name))}
    verbs = {"_".join(path) for path in VERBS if path[0] not in ("lab", "demo")}
    assert functions - verbs == {
        "defaults",
        "load_config",
        "read",
    }  # `init --defaults`; and what a shell has no use for
    assert set(opilio.lab.__all__) == {"_".join(path[1:]) for path in VERBS if path[0] == "lab"}
