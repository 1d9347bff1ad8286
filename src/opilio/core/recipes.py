"""The recipes that come with Opilio: each a TOML file with some tables of settings."""

import tomllib
from importlib import resources
from typing import Any

from .errors import ConfigError
from .suggestion import did_you_mean


def recipe_names() -> list[str]:
    files = resources.files("opilio").joinpath("recipes").iterdir()
    return sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml"))


def recipe_tables(name: str) -> dict[str, Any]:
    if name not in recipe_names():
        raise ConfigError(
            f'there is no recipe "{name}".{did_you_mean(name, recipe_names())} Recipes: {", ".join(recipe_names())}.'
        )
    return tomllib.loads(resources.files("opilio").joinpath("recipes", f"{name}.toml").read_text("utf-8"))
