"""Articles of the demo, read from its prose files.

A file is one section. An article begins with `== slug | Title`; the lines up to the next one are its paragraphs, with
blank lines between them. `[[slug|phrase]]` links to an article of the same site, preferably of the same section.
Invariant: every link has a target; a file that breaks the format is a bug and raises.
"""

import html
import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

from .skin import skin

_HEAD: Final = re.compile(r"== ([a-z0-9-]+) \| (.+)")
_LINK: Final = re.compile(r"\[\[([a-z0-9-]+)\|([^\[\]|]+)\]\]")


class Article(NamedTuple):
    section: str
    slug: str
    title: str
    paragraphs: tuple[str, ...]  # with their link marks

    @property
    def path(self) -> str:
        return f"/{self.section}/{self.slug}.html"

    @property
    def text(self) -> str:
        """Returns the paragraphs without link marks, separated by newlines."""
        return "\n".join(_LINK.sub(r"\2", paragraph) for paragraph in self.paragraphs)


@lru_cache(maxsize=4)
def articles(key: str) -> tuple[Article, ...]:
    """Returns all articles of a site, section after section in the order of its skin."""
    folder = files(__package__) / "prose" / key
    return tuple(
        article
        for section in skin(key).sections
        for article in parse(section.slug, (folder / f"{section.slug}.txt").read_text("utf-8"))
    )


def parse(section: str, source: str) -> list[Article]:
    parsed: list[Article] = []
    for line in filter(None, map(str.strip, source.splitlines())):
        if head := _HEAD.fullmatch(line):
            parsed.append(Article(section, head[1], head[2], ()))
        elif line.startswith("==") or "[[" in _LINK.sub("", line) or not parsed:
            raise ValueError(f"prose of section {section}: cannot read the line {line[:60]!r}; see the module's head")
        else:
            parsed[-1] = parsed[-1]._replace(paragraphs=(*parsed[-1].paragraphs, line))
    return parsed


def linked(article: Article, by_slug: Mapping[tuple[str, str], str]) -> str:
    """Returns the paragraphs as markup. `by_slug` maps (section, slug), and ("", slug) for any section, to a path."""

    def anchor(match: re.Match[str]) -> str:
        path = by_slug.get((article.section, match[1])) or by_slug["", match[1]]
        return f'<a href="{path}">{match[2]}</a>'

    return "\n".join(f"<p>{_LINK.sub(anchor, html.escape(text, quote=False))}</p>" for text in article.paragraphs)
