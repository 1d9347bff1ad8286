"""The look of a site: the words around its articles (TOML) and its page template (HTML), both package data."""

from functools import lru_cache
from importlib.resources import files
from string import Template

import msgspec


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    slug: str
    title: str
    intro: str


class Skin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    lang: str
    stamp_class: str
    elsewhere_class: str
    name: str
    tagline: str
    home: str
    about: str
    calendar: str
    related: str
    previous: str
    next: str
    updated: str
    drafts: str
    service: str
    language_hint: str  # $link stands for the anchor
    topic_hint: str
    network: str
    lost_title: str
    lost: str
    month: str
    about_text: tuple[str, ...]
    legal: str
    sections: tuple[Section, ...]


@lru_cache(maxsize=4)
def skin(key: str) -> Skin:
    return msgspec.toml.decode((files(__package__) / "skin" / f"{key}.toml").read_bytes(), type=Skin)


@lru_cache(maxsize=4)
def template(key: str) -> Template:
    return Template((files(__package__) / "skin" / f"{key}.html").read_text("utf-8"))
