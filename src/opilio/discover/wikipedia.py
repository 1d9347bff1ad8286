"""External links of a whole encyclopedia, from a dump of Wikipedia or of any other wiki that runs on MediaWiki.

Two kinds of dumps are read: `pages-articles` (XML), whose links come with the title of their article, and the table
`externallinks` (SQL), which also has the links that templates make, and only the number of the article. Either may be
packed (.bz2, .gz).

XML is not parsed: pages are cut at their end tags, and links are found in the bytes, so that neither a document type
nor an entity is ever looked at, and unpacking is what takes the time.
"""

import re
from collections.abc import Iterable
from pathlib import PurePath
from typing import ClassVar, Final

from opilio.core.languages import find_code

from . import wiki_text
from .file_source import FileSource
from .find import Find
from .link_rows import LinkColumns
from .source import SourceError

_LANGUAGE: Final = re.compile(rb"""<mediawiki\b[^>]*\bxml:lang=["']([\w-]+)["']""")
_WIKI: Final = re.compile(
    r"([a-z_]+?)wiki(?=[-.])"
)  # in the name of a file, such as dewiki-20260101-externallinks.sql.gz
_CALLED: Final = {"simple": "en", "zh_yue": "yue", "zh_min_nan": "nan"}
_CHOOSE: Final = "Take a file whose name ends in pages-articles.xml.bz2 or externallinks.sql.gz."


class Wikipedia(FileSource):
    name: ClassVar[str] = "wikipedia"

    def __init__(self, where: str = "", namespaces: tuple[int, ...] = (0,)) -> None:
        super().__init__(where)
        self._namespaces = frozenset(namespaces)
        self._is_sql = ".sql" in PurePath(where).name
        self.delimiter, self.record = (b";\n", "statement") if self._is_sql else (b"</page>", "page")
        named = _WIKI.match(PurePath(where).name)
        self._wiki = named[1] if named else ""
        self._language = _code(self._wiki)
        self._columns: LinkColumns | None = None
        self._begun = False

    def learn(self, record: bytes) -> None:
        """Finds out the language of the dump, or the columns of the table."""
        if self._is_sql:
            self._columns = self._columns or LinkColumns.of(record)
        elif not self._begun:
            if b"<mediawiki" not in record:
                raise SourceError(f"{self.name}: {self.where} is not a dump of MediaWiki. {_CHOOSE}")
            named = _LANGUAGE.search(record)
            self._language = _code(named[1].decode()) if named else self._language
        self._begun = True

    def read(self, record: bytes) -> Iterable[Find]:
        if self._is_sql:
            return self._read_statement(record) if b"INSERT " in record[:100] else ()
        if wiki_text.namespace(record) not in self._namespaces or not (urls := wiki_text.links(record)):
            return ()
        title = wiki_text.title(record)
        return [Find(url, title, self._language) for url in urls]

    def _read_statement(self, statement: bytes) -> Iterable[Find]:
        if self._columns is None:
            raise SourceError(f"{self.name}: {self.where} is not a table of external links that is known. {_CHOOSE}")
        site = f"https://{self._wiki.replace('_', '-')}.wikipedia.org/?curid=" if self._wiki else "page "
        return [Find(row.url, f"{site}{row.page}", self._language) for row in self._columns.rows(statement)]


def _code(wiki: str) -> str:
    """Returns the code of a wiki's language as the language identifier calls it, or as the wiki does if that does not know it."""
    return find_code(_CALLED.get(wiki, wiki).replace("_", "-")) or wiki
