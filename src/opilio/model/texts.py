"""Reads texts from files: plain text, JSON lines with a "text" field (what `opilio export` writes), either of them
compressed with gzip or zstd, and standard input.

Rules: compression and encoding are recognised by the first bytes of a file, JSON lines by its name. Text is UTF-8, or
what its byte order mark says. Pieces end at line breaks and have about a megabyte, so that files may be larger than
memory; a line that is longer than 16 MB is cut at a space.
"""

import codecs
import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from opilio.core.errors import ConfigError
from opilio.core.unpacked import UNPACKING_ERRORS, unpacked

Progress = Callable[[int], None]  # bytes of the file that were read

STANDARD_INPUT: Final = Path("-")
_PIECE_BYTES: Final = 1 << 20
_LONGEST_LINE_CHARS: Final = 1 << 24
_PACKED_SUFFIXES: Final = (".gz", ".zst")
_JSON_LINES_SUFFIXES: Final = (".jsonl", ".ndjson")
_BYTE_ORDER_MARKS: Final = (  # longer ones first, because UTF-32's begins with UTF-16's
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class _Document(msgspec.Struct):
    text: str


def read_texts(path: Path, progress: Progress = lambda _bytes: None) -> Iterator[str]:
    """Yields the file's text in pieces; a JSON line is a piece of its own."""
    try:
        with path.open("rb") if path != STANDARD_INPUT else open(0, "rb", closefd=False) as file:
            for piece in _pieces(file, path):
                yield piece
                progress(0 if path == STANDARD_INPUT else file.tell())
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"the text {path} is not {error.encoding.upper()}: {error.reason}. Convert it first, for instance with iconv."
        ) from error
    except UNPACKING_ERRORS as error:
        cause = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise ConfigError(f"the text {path} cannot be read: {cause}.") from error


def _pieces(file: io.BufferedReader, path: Path) -> Iterator[str]:
    opened = unpacked(file)
    suffixes = [each for each in path.suffixes if each not in _PACKED_SUFFIXES]
    return _json_lines(opened, path) if suffixes and suffixes[-1] in _JSON_LINES_SUFFIXES else _plain(opened)


def _encoding(file: io.BufferedReader) -> str:
    head = file.peek(4)
    return next((name for mark, name in _BYTE_ORDER_MARKS if head.startswith(mark)), "utf-8")


def _plain(file: io.BufferedReader) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(_encoding(file))()
    rest = ""
    while piece := file.read(_PIECE_BYTES):
        rest += decoder.decode(piece)
        cut = rest.rfind("\n") + 1 or (rest.rfind(" ") + 1 if len(rest) > _LONGEST_LINE_CHARS else 0)
        if cut:
            yield rest[:cut]
            rest = rest[cut:]
    rest += decoder.decode(b"", final=True)
    if rest:
        yield rest


def _json_lines(file: io.BufferedReader, path: Path) -> Iterator[str]:
    decoder = msgspec.json.Decoder(_Document)
    lines: Iterable[bytes | str] = file
    if _encoding(file) != "utf-8":  # there is a byte order mark, which the JSON decoder would reject
        lines = (line for piece in _plain(file) for line in io.StringIO(piece, newline="\n"))
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield decoder.decode(line).text
            except msgspec.DecodeError as error:
                raise ConfigError(f'line {number} of {path} is not a JSON object with a "text": {error}.') from error
