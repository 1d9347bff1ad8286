"""Examples for `comment_training`, from pages whose comments are known: all class names of a page, and the candidates
for keywords near its comments.

Candidates come from the class names of the elements around the text of a comment: the names are split at dashes,
underscores and digits, and one to three parts in a row are a candidate.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from opilio.core.errors import ConfigError
from opilio.core.unpacked import UNPACKING_ERRORS, unpacked

_ANCESTORS: Final = 6  # elements around a comment whose names are used
_LEAST_CHARS: Final = 4  # letters and dashes in a candidate
_MOST_PARTS: Final = 3
_SHINGLE_SIZE: Final = 4
_WORD: Final = re.compile(r"\w+")
_PART: Final = re.compile(r"[^\W\d_]+")


class CommentPage(msgspec.Struct):
    """A page of the training data. Other fields are ignored."""

    html: str
    has_comments: bool
    comments: str = ""
    text: str = ""  # main text: a text that is in both is not a comment


class Example(NamedTuple):
    names: str  # all class names, one per line
    near: frozenset[str]  # candidates near a comment
    has_comments: bool


def read_examples(path: Path) -> list[Example]:
    """Reads a file with a JSON object per line, with the fields of `CommentPage`; plain or gzip."""
    return [_example(page) for page in _pages(path)]


def _pages(path: Path) -> Iterator[CommentPage]:
    decode = msgspec.json.Decoder(CommentPage).decode
    read = 0
    try:
        with path.open("rb") as file:
            for line in filter(bytes.strip, unpacked(file)):
                read += 1
                yield decode(line)
    except UNPACKING_ERRORS as error:
        raise ConfigError(f"cannot read the training pages {path}: {error}.") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{path}, page {read}: {error}. A line must be a JSON object with html, has_comments and perhaps comments."
        ) from error


def _example(page: CommentPage) -> Example:
    """Makes an example. The page is parsed as in a crawl, where the content of `noscript` is not elements."""
    root: Any = LexborHTMLParser(page.html, options=LexborDocumentOptions.WO_EVENTS, scripting=True).root
    names = dict.fromkeys(name for element in root.css("[class]") for name in _classes(element))
    comments = _shingles(page.comments) - _shingles(page.text) if page.has_comments else frozenset()
    near = {name for element in _around(root, comments) for name in _classes(element)} if comments else set()
    candidates = frozenset(candidate for name in near for candidate in _candidates(name))
    return Example("\n".join(names), candidates, page.has_comments)


def _around(root: Any, comments: frozenset[str]) -> Iterator[Any]:
    """Yields the elements around text of which at least half is a comment."""
    for node in root.traverse(include_text=True):
        shingles = _shingles(node.text_content or "") if node.is_text_node else frozenset()
        if shingles and 2 * len(shingles & comments) >= len(shingles):
            element = node.parent
            for _ in range(_ANCESTORS):
                if element is None:
                    break
                yield element
                element = element.parent


def _classes(element: Any) -> list[str]:
    return str(element.attributes.get("class") or "").lower().split()


def _candidates(name: str) -> Iterator[str]:
    spans = [found.span() for found in _PART.finditer(name)]
    for first, (start, _) in enumerate(spans):
        for _, end in spans[first : first + _MOST_PARTS]:
            if end - start >= _LEAST_CHARS:
                yield name[start:end]


def _shingles(text: str) -> frozenset[str]:
    words = _WORD.findall(text.lower())
    return frozenset(" ".join(words[place : place + _SHINGLE_SIZE]) for place in range(len(words) - _SHINGLE_SIZE + 1))
