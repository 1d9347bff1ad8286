"""XML of strangers: sitemaps and feeds, parsed as their bytes come in.

The parser is expat, from the standard library. A document type is refused where it begins, and with it every entity,
internal or external: no document can make the parser fetch anything or grow. Elements may be nested `_MOST_DEPTH` deep,
and a text has at most `_MOST_TEXT` characters. Prefixes of namespaces are cut off, because real files use prefixes that
they do not declare.
"""

from typing import Final
from xml.parsers import expat

_MOST_DEPTH: Final = 64
_MOST_TEXT: Final = 10_000


class XmlError(Exception):
    """A document that is not well-formed, or that has what is refused. Its text is the reason, in words."""


class EntityFreeReader:
    """Subclasses override `element`, which is called at the end of each."""

    def __init__(self) -> None:
        parser = self._parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = _refuse_doctype
        parser.EntityDeclHandler = _refuse_entity
        self._begun = False
        self._text: list[str] = []
        self._chars = 0
        self.path: list[str] = []  # the names of the open elements, without prefixes
        self.attributes: list[dict[str, str]] = []  # of the open elements

    def feed(self, piece: bytes) -> None:
        if not self._begun:
            piece = piece.lstrip()  # some files begin with an empty line, which XML does not allow
            self._begun = bool(piece)
        self._parse(piece, last=False)

    def close(self) -> None:
        self._parse(b"", last=True)

    def start(self) -> None:
        """Is called at the beginning of an element, which is the last in `path`."""

    def element(self, text: str) -> None:
        """Is called at the end of an element, which is still the last in `path`, with the text since the last tag."""

    def _parse(self, piece: bytes, *, last: bool) -> None:
        try:
            self._parser.Parse(piece, last)
        except (expat.ExpatError, UnicodeError, LookupError, ValueError) as error:
            raise XmlError(f"it is not well-formed XML ({error})") from error

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.path) >= _MOST_DEPTH:
            raise XmlError(f"its elements are nested more than {_MOST_DEPTH} deep")
        self.path.append(name.rpartition(":")[2].lower())
        self.attributes.append(attributes)
        self._text, self._chars = [], 0
        self.start()

    def _end(self, _name: str) -> None:
        self.element("".join(self._text).strip())
        self._text, self._chars = [], 0
        self.path.pop()
        self.attributes.pop()

    def _characters(self, text: str) -> None:
        if self._chars <= _MOST_TEXT:
            self._text.append(text[:_MOST_TEXT])
            self._chars += len(text)


def _refuse_doctype(name: str, *_more: object) -> None:
    raise XmlError("it is a page for people, in HTML" if name.lower() == "html" else "it has a document type (DTD)")


def _refuse_entity(*_declaration: object) -> None:
    raise XmlError("it declares entities")
