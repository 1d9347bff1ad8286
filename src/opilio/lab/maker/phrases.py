"""The phrases of engines by language, from phrases.toml."""

from functools import cache
from importlib.resources import files

import msgspec


class Phrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    home: str
    about: str
    privacy: str
    archive: str
    related: str
    elsewhere: str
    partners: str
    comments: str
    write: str
    says: str
    more: str
    next: str
    notice: tuple[str, ...]


def phrases(language: str) -> Phrases:
    return _read().get(language) or _read()["en"]


def has_phrases(language: str) -> bool:
    return language in _read()


@cache
def _read() -> dict[str, Phrases]:
    source = (files(__package__) / "phrases.toml").read_bytes()
    return msgspec.toml.decode(source, type=dict[str, Phrases])
