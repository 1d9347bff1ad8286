"""The Open Directory: content.rdf.u8 of DMOZ or of Curlie, its successor, with the category and the language of each site.

Languages other than English have a place of their own in the directory: Top/World/Deutsch/… Where the corpus has
languages, only sites under these are found; `under` takes a part of the directory, such as "Top/Science".

The file is not well-formed XML, and never was, so it is not parsed as such: sites are cut at their end tags and read by
their lines. No document type or entity is looked at.
"""

import re
from collections.abc import Iterable
from html import unescape
from typing import ClassVar, Final

from opilio.core.languages import find_code
from opilio.core.plugin import Context

from .file_source import FileSource
from .find import Find
from .source import SourceError

_SITE: Final = re.compile(rb"""<ExternalPage\s+about=(?:"([^"]*)"|'([^']*)')""")
_TOPIC: Final = re.compile(rb"<topic>([^<]*)</topic>")
_WORLD: Final = "Top/World/"


class Dmoz(FileSource):
    name: ClassVar[str] = "dmoz"

    def __init__(self, where: str = "", under: str = "", languages: tuple[str, ...] = ()) -> None:
        super().__init__(where)
        self.delimiter, self.record = b"</ExternalPage>", "site"
        self._under = under.strip("/")
        self._languages = frozenset(languages)
        self._begun = False

    @classmethod
    def build(cls, context: Context, where: str = "", under: str = "") -> "Dmoz":
        return cls(where, under, context.config.corpus.only)

    def learn(self, record: bytes) -> None:
        if not self._begun and not _SITE.search(record):
            raise SourceError(
                f"{self.name}: {self.where} has no <ExternalPage>. Take the directory's content.rdf.u8 or .gz."
            )
        self._begun = True

    def read(self, record: bytes) -> Iterable[Find]:
        site, named = _SITE.search(record), _TOPIC.search(record)
        if site is None:
            return ()
        topic = _text(named[1]) if named else ""
        language = _language(topic)
        if self._languages and language not in self._languages:
            return ()
        if self._under and topic != self._under and not topic.startswith(f"{self._under}/"):
            return ()
        return [Find(_text(site[1] or site[2]), topic, language, topic)]


def _language(topic: str) -> str:
    """Returns the code of the language of a category, or "" if its name is not known. What is not under World is English."""
    if not topic.startswith(_WORLD):
        return "en" if topic.startswith("Top/") else ""
    name = topic.removeprefix(_WORLD).partition("/")[0].replace("_", " ")
    return find_code(name) or find_code(name.partition(" ")[0]) or ""


def _text(raw: bytes) -> str:
    return unescape(raw.decode("utf-8", "replace")).strip()
