"""PDFs that are made to take for ever end within the budget of a page, with a reason, and the next page is read."""

import asyncio
import zlib
from collections.abc import Callable
from typing import Final

import pytest

from opilio.core.config import load_config
from opilio.core.items import Fetched, Gleaned
from opilio.core.outcome import Drop, Outcome
from opilio.engine.pool import ProcessPool, Setup
from opilio.engine.work import Task

pytest.importorskip("pypdfium2", reason="the extra `pdf` is not installed")

_LINE: Final = b"(every word of a line is text) Tj T* "
_MOST_S: Final = 3.0  # of processor time: 2 s for PDFium, and what comes before and after it


def _stream(content: bytes, head: bytes = b"") -> bytes:
    packed = zlib.compress(content, 9)
    return b"<<%b/Length %d/Filter/FlateDecode>>stream\n%b\nendstream" % (head, len(packed), packed)


def _pdf(content: bytes, resources: bytes = b"", more: dict[int, bytes] | None = None, pages: int = 1) -> bytes:
    page = (
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>%b>>>>" % resources
    )
    parts = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[%b]/Count %d>>" % (b"3 0 R " * pages, pages),
        3: page,
        4: content if content.startswith(b"<<") else _stream(content),
        5: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        **(more or {}),
    }
    body, places = b"%PDF-1.7\n", {}
    for number, part in parts.items():
        places[number] = len(body)
        body += b"%d 0 obj\n%b\nendobj\n" % (number, part)
    table = b"".join(b"%d 1\n%010d 00000 n \n" % place for place in places.items())
    return body + b"xref\n%btrailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (table, max(parts) + 1, len(body))


def _text(lines: int) -> bytes:
    return b"BT /F 10 Tf 12 TL 50 780 Td " + _LINE * lines + b"ET"


def _forms(depth: int, width: int) -> bytes:
    """Forms that each draw the next one twice or more."""
    head = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F 5 0 R>>/XObject<</X %d 0 R>>>>"
    forms = {10 + step: _stream(b"/X Do " * width, head % (11 + step)) for step in range(depth - 1)}
    forms[9 + depth] = _stream(b"BT /F 10 Tf (abc) Tj ET", head % 10)
    return _pdf(b"/X Do " * width, b"/XObject<</X 10 0 R>>", forms)


def _as_image() -> bytes:
    return _pdf(_stream(b" " * 400_000_000, b"/Type/XObject/Subtype/Image"))


def _twice() -> bytes:
    packed = zlib.compress(zlib.compress(bytes(400_000_000), 9), 9)
    return _pdf(b"<</Length %d/Filter[/FlateDecode/FlateDecode]>>stream\n%b\nendstream" % (len(packed), packed))


_REFUSED: Final[dict[str, Callable[[], bytes]]] = {
    "zeros": lambda: _pdf(bytes(400_000_000)),
    "operators": lambda: _pdf(b"q " * 50_000_000),
    "a stream on many pages": lambda: _pdf(b" " * 100_000_000, pages=90),
    "packed twice": _twice,
    "pages": lambda: _pdf(_text(1), pages=20_000),
}
_LOST: Final[dict[str, Callable[[], bytes]]] = {
    "forms of forms": lambda: _forms(9, 10),
    "pairs of forms": lambda: _forms(30, 2),
    "as an image": _as_image,
    "marks": lambda: _pdf(b"/P BMC " * 2_000_000),
    "text objects": lambda: _pdf(b"BT /F 10 Tf " + b"(a) Tj " * 1_000_000 + b"ET"),
    "text": lambda: _pdf(_text(250_000)),
    "a stream many times": lambda: _pdf(_text(60_000)).replace(
        b"/Contents 4 0 R", b"/Contents[" + b"4 0 R " * 500 + b"]"
    ),
}
_CUT: Final[dict[str, Callable[[], bytes]]] = {
    "a book": lambda: _pdf(_text(500), pages=90),
    "pages that draw nothing": lambda: _pdf(b"BT ET " * 1_000_000, pages=90),
    "a long page": lambda: _pdf(_text(5_000)),
}


def _read(bodies: dict[str, bytes]) -> dict[str, Gleaned]:
    """Reads PDFs by one worker, one after the other."""

    def task(name: str, body: bytes) -> Task:
        headers = (("Content-Type", "application/pdf"),)
        return Task(Fetched(f"http://a.test/{name.replace(' ', '-')}.pdf", Outcome.OK, 200, headers, body), 0, "")

    async def run() -> dict[str, Gleaned]:
        pool = ProcessPool(1, Setup(load_config(settings=["limits.pdf_pages=100"]), None, context=False))
        try:
            return {name: await pool.run(task(name, body)) for name, body in bodies.items()}
        finally:
            await pool.close()

    return asyncio.run(run())


@pytest.mark.parametrize("name", _REFUSED)
def test_what_is_far_too_large_is_refused_before_it_is_opened(name: str) -> None:
    found = _read({name: _REFUSED[name]()})[name]
    assert found.drop is Drop.LONG_PDF
    assert found.cpu_s < 1.0


@pytest.mark.parametrize("name", _LOST)
def test_what_nobody_can_foresee_costs_its_worker_and_no_other_page(name: str) -> None:
    found = _read({"before": _pdf(_text(50)), name: _LOST[name](), "after": _pdf(_text(50))})
    assert [found[each].drop for each in ("before", name, "after")] == [None, Drop.GLEAN_FAILED, None]
    assert "too much" in found[name].detail
    assert found[name].cpu_s > 0.25  # so that its host rests


@pytest.mark.parametrize("name", _CUT)
def test_what_takes_long_is_read_to_its_bound(name: str) -> None:
    found = _read({name: _CUT[name]()})[name]
    assert found.page is not None
    assert found.page.truncated
    assert len(found.page.text) <= 300_000
    assert found.cpu_s < _MOST_S
