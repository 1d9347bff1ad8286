"""Opens a PDF and reads what stands on its pages, through PDFium. Nothing else here knows of that library.

Everything is bounded: what its streams hold (`streams`), the number of pages, the characters of all of them, the links, the
time between the first page and the last. A PDF that PDFium cannot open, or that asks for a password, is a named drop. What
PDFium makes of a few bytes nobody can foresee: forms that draw forms that draw forms. So a worker puts it under limits that the
kernel enforces, and that are tighter than those of other pages (`guard_with`).
"""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from itertools import pairwise
from time import process_time
from typing import Any, Final, NamedTuple

import msgspec

from opilio.core.limits import Limits
from opilio.core.outcome import Drop

from .piece import GAP, Piece
from .streams import holds_too_much

_LIBRARY: Final = "pypdfium2"
_PASSWORD_ERRORS: Final = (4, 5)  # a password is needed, or an unknown kind of protection
_LINE_END: Final = frozenset((10, 13))
_HYPHENS: Final = frozenset((0x2, 0xAD, 0xFFFE))  # what PDFium gives for a hyphen at the end of a line
# Fonts of TeX without a table of characters have ligatures at these places, in one of two encodings.
_LIGATURES: Final = {11: "ff", 12: "fi", 14: "ffi", 15: "ffl", 27: "ff", 28: "fi", 29: "fl", 30: "ffi", 31: "ffl"}
_HIDDEN_CODES: Final = frozenset((*range(32), 0xFEFF, 0xFFFF)) - _LINE_END - _HYPHENS - set(_LIGATURES)
_LINE_DISTANCE: Final = 0.5  # in heights: characters whose middles differ by more are on different lines
_WIDE_GAP: Final = 1.0  # in heights: where the next character begins another piece
_SMALL_GAP: Final = 0.04  # in heights
_CLOSING_SIGNS: Final = frozenset(",.;:!?)]}»”’-")  # no space stands before these, however wide the gap
_SPACE: Final = 32
_LEAST_HEIGHT: Final = 0.5  # in points
_MOST_POINTS: Final = 20_000.0  # from the corner of a page, which has 14,400 at most; finding columns costs the width
_MOST_ANGLE: Final = 0.1  # in radians
_TURN: Final = 6.2831  # a little less than a whole turn: an angle just below it is none, too
_MOST_PAGE_CHARS: Final = 100_000
_MOST_CHARS: Final = 300_000  # of a PDF: a character takes 4 µs
_READING_S: Final = 1.2  # of processor time, after which no further page is begun
_URI_BYTES: Final = 4_000
_URI_ACTION: Final = 3
_INFO_CHARS: Final = 1_000
_INFO: Final = ("Title", "Author", "Subject", "CreationDate", "ModDate")


class _Char(NamedTuple):
    text: str
    left: float
    right: float
    bottom: float
    top: float


class Opened(msgspec.Struct, frozen=True):
    pages: list[list[Piece]]
    links: list[str]
    info: dict[str, str]
    truncated: bool


_guards: list[Callable[[], AbstractContextManager[object]]] = [nullcontext]


def guard_with(guard: Callable[[], AbstractContextManager[object]]) -> None:
    """Reads every PDF of this process within this context from now on."""
    _guards.append(guard)


def can_read_pdf() -> bool:
    return find_spec(_LIBRARY) is not None


def open_pdf(body: bytes, limits: Limits) -> Opened | Drop:
    if holds_too_much(body):
        return Drop.LONG_PDF
    with _guards[-1]():
        return _open(body, limits)


def _open(body: bytes, limits: Limits) -> Opened | Drop:
    import pypdfium2  # noqa: PLC0415 - an extra

    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        return Drop.LOCKED_PDF if error.err_code in _PASSWORD_ERRORS else Drop.BROKEN_PDF
    try:
        if len(document) > limits.pdf_pages:
            return Drop.LONG_PDF
        return _read(document, limits) if len(document) else Drop.BROKEN_PDF
    except pypdfium2.PdfiumError:
        return Drop.BROKEN_PDF
    finally:
        document.close()


def _read(document: Any, limits: Limits) -> Opened:
    pages: list[list[Piece]] = []
    links: dict[str, None] = {}
    left, is_cut, until_s = min(limits.text_chars, _MOST_CHARS), False, process_time() + _READING_S
    for number in range(len(document)):
        if left <= 0 or process_time() > until_s:
            is_cut = True
            break
        page = document[number]
        text_page = page.get_textpage()
        most = min(left, _MOST_PAGE_CHARS)
        is_cut |= text_page.count_chars() > most
        pieces = list(_pieces(text_page, most))
        text_page.close()
        for target in _links(document, page, limits.links_per_page - len(links)):
            links[target] = None
        page.close()
        left -= sum(len(piece.text) for piece in pieces)
        pages.append(pieces)
    info = {name: _said(document, name) for name in _INFO}
    return Opened(pages, list(links), info, truncated=is_cut)


def _said(document: Any, name: str) -> str:
    """Returns what the file says of itself, or "" if that is not valid Unicode."""
    try:
        said: str = document.get_metadata_value(name)[:_INFO_CHARS]
    except UnicodeDecodeError:
        return ""
    return said


def _pieces(text_page: Any, most_chars: int) -> Iterator[Piece]:
    """Yields the pieces of a page in the order of the file."""
    chars: list[_Char] = []
    for char in _chars(text_page, most_chars):
        if char is None or (chars and _is_apart(chars[-1], char)):
            yield from _piece(chars)
            chars = []
        if char is not None:
            chars.append(char)
    yield from _piece(chars)


def _chars(text_page: Any, most: int) -> Iterator[_Char | None]:
    """Yields the characters that are shown, and None where PDFium sees the end of a line. Spaces that it has added are left out,
    because gaps say more. So is text that does not run from left to right: stamps in the margin, labels of axes."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - an extra

    handle, box = text_page.raw, pdfium.FS_RECTF()
    place = ctypes.byref(box)
    code_of, box_of, is_added = pdfium.FPDFText_GetUnicode, pdfium.FPDFText_GetLooseCharBox, pdfium.FPDFText_IsGenerated
    angle_of = pdfium.FPDFText_GetCharAngle
    for at in range(min(text_page.count_chars(), most)):
        code = code_of(handle, at)
        if code in _LINE_END:
            yield None
        elif code in _HIDDEN_CODES or (code == _SPACE and is_added(handle, at) == 1):
            continue
        elif (
            box_of(handle, at, place)
            and box.top - box.bottom > _LEAST_HEIGHT
            and _is_near(box)
            and angle_of(handle, at) % _TURN < _MOST_ANGLE
        ):
            yield _Char(_shown(code), box.left, box.right, box.bottom, box.top)


def _is_near(box: Any) -> bool:
    """Returns whether a character can be on a page. Broken files have some at places such as 40,000,000, infinite or none."""
    return all(-_MOST_POINTS < place < _MOST_POINTS for place in (box.left, box.right, box.bottom, box.top))


def _shown(code: int) -> str:
    if code in _HYPHENS:
        return "\xad"
    return _LIGATURES.get(code) or (chr(code) if code < 0x110000 else "")


def _is_apart(one: _Char, other: _Char) -> bool:
    """Returns whether two characters that follow each other in the file do not stand beside each other."""
    height = max(one.top - one.bottom, other.top - other.bottom)
    middles = abs((one.top + one.bottom) - (other.top + other.bottom)) / 2
    return middles > _LINE_DISTANCE * height or not -height < other.left - one.right < _WIDE_GAP * height


def _piece(chars: Sequence[_Char]) -> Iterator[Piece]:
    """Yields the piece that these characters are. A space needs a gap: a small one if the file has a space there, too."""
    letters = [char for char in chars if not char.text.isspace()]
    if not letters:
        return
    spaced = {before for before, char in pairwise(chars) if char.text.isspace()}
    parts = [letters[0].text]
    for one, other in pairwise(letters):
        gap = (other.left - one.right) / (other.top - other.bottom)
        is_space = gap > _SMALL_GAP if one in spaced else gap > GAP and other.text not in _CLOSING_SIGNS
        parts.append(f" {other.text}" if is_space else other.text)
    yield Piece(_whole("".join(parts)), letters[0].left, letters[-1].right, letters[0].bottom, letters[0].top)


def _whole(text: str) -> str:
    """Joins the halves as which PDFium gives emoji, mathematical letters and whatever else needs two of them in UTF-16."""
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _links(document: Any, page: Any, most: int) -> Iterator[str]:
    """Yields where the links of a page lead, as they are written."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - an extra

    place, link = ctypes.c_int(0), pdfium.FPDF_LINK()
    room = ctypes.create_string_buffer(_URI_BYTES)
    for _ in range(most):
        if not pdfium.FPDFLink_Enumerate(page.raw, ctypes.byref(place), ctypes.byref(link)):
            return
        action = pdfium.FPDFLink_GetAction(link)
        if action and pdfium.FPDFAction_GetType(action) == _URI_ACTION:
            size = pdfium.FPDFAction_GetURIPath(document.raw, action, room, _URI_BYTES)
            if 1 < size <= _URI_BYTES:
                yield room.raw[: size - 1].decode("utf-8", "replace")
