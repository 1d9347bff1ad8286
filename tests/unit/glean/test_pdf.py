"""PDFs of many producers give their text in the order in which people read it; what cannot be read is a named drop.

The files in `fixtures/pdf` are named after the programs that made them, all from the text in ferry.txt: chromium, fpdf2, gropdf,
groff with ghostscript, libreoffice, pango with cairo, pdflatex with outline and with bitmap fonts, qpdf, reportlab, typst and
weasyprint. Half of them have two columns, most have words that are hyphenated at line ends, and lines that every page repeats.
"""

import importlib.util
from pathlib import Path
from typing import Any, Final

import pytest

from opilio.core.items import Page
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.url import Url, parse
from opilio.glean import glean
from opilio.glean.pdf import is_pdf, readable_endings
from opilio.glean.pdf.joining import body_lines, paragraphs_of
from opilio.glean.pdf.order import reading_order
from opilio.glean.pdf.piece import Line, Piece

pytest.importorskip("pypdfium2", reason="the extra `pdf` is not installed")

FOLDER: Final = Path(__file__).parents[2] / "fixtures" / "pdf"
TITLE: Final = "The Ferry of Saint Brannoc"
PARAGRAPHS: Final = tuple((FOLDER / "ferry.txt").read_text("utf-8").splitlines())
PRODUCERS: Final = (
    "cairo", "chromium", "fpdf2", "groff-ghostscript", "gropdf", "latex-type3", "libreoffice", "pdflatex", "qpdf", "reportlab",
    "typst", "weasyprint",
)  # fmt: skip


def read(body: bytes, kind: str = "application/pdf", pages: int = 500) -> Page | Drop:
    url = parse("http://island.test/ferry.pdf")
    assert isinstance(url, Url)
    return glean(url, 0, (("Content-Type", kind),), body, Limits(pdf_pages=pages))


def fixture(name: str) -> bytes:
    return (FOLDER / f"{name}.pdf").read_bytes()


@pytest.mark.parametrize("producer", PRODUCERS)
def test_every_paragraph_is_whole_and_in_order(producer: str) -> None:
    page = read(fixture(producer))
    assert isinstance(page, Page)
    lines = page.text.split("\n")
    found = [paragraph for paragraph in lines if paragraph in PARAGRAPHS]
    assert tuple(found[:6]) == PARAGRAPHS
    assert page.language == "en"
    assert page.words > 300
    assert "Island Papers\n" not in page.text or producer in ("typst", "reportlab")  # which have one page


@pytest.mark.parametrize("producer", ["fpdf2", "libreoffice", "pdflatex", "qpdf", "reportlab", "typst", "weasyprint"])
def test_title_and_author_are_those_of_the_file(producer: str) -> None:
    page = read(fixture(producer))
    assert isinstance(page, Page)
    assert (page.title, page.metadata.author) == (TITLE, "Ada Quill")


@pytest.mark.parametrize("producer", ["gropdf", "groff-ghostscript"])
def test_without_a_title_in_the_file_the_heading_is_one(producer: str) -> None:
    page = read(fixture(producer))
    assert isinstance(page, Page)
    assert page.title == TITLE


def test_a_file_that_asks_for_a_password_is_a_drop() -> None:
    assert read(fixture("locked")) is Drop.LOCKED_PDF
    assert isinstance(read(fixture("owner-only")), Page)  # only changing it needs one


@pytest.mark.parametrize(
    "body", [b"%PDF-1.7\n", b"%PDF-1.4\nnonsense" * 100, fixture("typst")[:900], b"not a PDF at all", b""]
)
def test_a_broken_file_is_a_drop(body: bytes) -> None:
    assert read(body) is Drop.BROKEN_PDF


def test_a_file_with_too_many_pages_is_a_drop() -> None:
    assert read(fixture("weasyprint"), pages=1) is Drop.LONG_PDF
    assert isinstance(read(fixture("weasyprint"), pages=2), Page)


def test_pdfs_are_read_only_if_settings_and_packages_allow_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert readable_endings(Limits(pdf_pages=1)) == ("pdf",)
    assert read(fixture("fpdf2"), pages=0) is Drop.CONTENT_TYPE
    assert readable_endings(Limits()) == ()
    find: Any = importlib.util.find_spec
    monkeypatch.setattr("opilio.glean.pdf.reading.find_spec", lambda name: None if name == "pypdfium2" else find(name))
    assert readable_endings(Limits(pdf_pages=1)) == ()
    assert read(fixture("fpdf2")) is Drop.CONTENT_TYPE


def test_a_pdf_is_known_by_its_type_or_by_its_first_bytes() -> None:
    assert is_pdf("application/pdf", b"")
    assert is_pdf("application/octet-stream", b"\n%PDF-1.4")
    assert not is_pdf("text/html", b"%PDF-1.4")
    assert isinstance(read(fixture("fpdf2"), "application/octet-stream"), Page)


def _made(title: bytes, letters: bytes = b"<66> <0066> <54> <0054>", more: bytes = b"") -> bytes:
    """Returns a file with a title and a mapping of letters, both in UTF-16 as hexadecimal digits, and more operators."""
    shown = b"BT /F 12 Tf 72 700 Td (" + b"The ferry leaves at noon, and never on a Sunday. " * 2 + b") Tj %s ET" % more
    mapping = (
        b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 2 beginbfchar %s endbfchar endcmap" % letters
    )
    parts = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 900 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(shown), shown),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(mapping), mapping),
        b"<</Title<FEFF%s>>>" % title,
    )
    objects = b"".join(b"%d 0 obj\n%s\nendobj\n" % numbered for numbered in enumerate(parts, 1))
    return b"%PDF-1.4\n" + objects + b"trailer<</Size 8/Root 1 0 R/Info 7 0 R>>\n%%EOF"


def test_letters_that_need_two_halves_are_whole_and_a_single_half_is_lost() -> None:
    page = read(_made(b"0041D83DDE00", b"<66> <D83DDE00> <54> <D800>"))  # f and T
    assert isinstance(page, Page)
    assert page.title == "A\U0001f600"
    assert page.text.startswith("\ufffdhe \U0001f600erry leaves at noon")


@pytest.mark.parametrize("place", [b"2000000000 600", b"100 -90000000"])
def test_letters_that_are_far_from_the_page_cost_nothing(place: bytes) -> None:
    far = b"".join(b" 1 0 0 1 %s Tm (This line is far away from the page, or so it says.) Tj" % place for _ in range(4))
    page = read(_made(b"0041", more=far))
    assert isinstance(page, Page)
    assert page.text.startswith("The ferry leaves")
    assert "far away" not in page.text


def test_a_title_in_broken_letters_is_none() -> None:
    page = read(_made(b"0041D800"))
    assert isinstance(page, Page)
    assert (page.title, page.text[:9]) == ("", "The ferry")


def _pieces(*rows: tuple[float, float, str]) -> list[Piece]:
    return [Piece(text, left, left + 5 * len(text), bottom, bottom + 10) for left, bottom, text in rows]


def test_columns_are_read_one_after_the_other_and_tables_row_by_row() -> None:
    left = [(50.0, 700.0 - 12 * n, f"left column, line number {n}") for n in range(8)]
    right = [(300.0, 700.0 - 12 * n, f"right column, line number {n}") for n in range(8)]
    title = (50.0, 730.0, "A title that stands above both of the columns and crosses the gutter")
    mixed = [one for pair in zip(left, right, strict=True) for one in pair]
    texts = [line.text for line in reading_order(_pieces(*mixed, title))]
    assert texts == [title[2], *(text for *_, text in left), *(text for *_, text in right)]
    cells = [(x, 700.0 - 12 * n, f"{x:.0f}/{n}") for n in range(8) for x in (50.0, 200.0, 350.0)]
    assert reading_order(_pieces(*cells))[0].text == "50/0 200/0 350/0"


def test_what_stands_beside_a_line_that_crosses_the_columns_is_not_lost() -> None:
    columns = _pieces(*((x, 20.0 * n, f"a whole line of text, {n}") for n in range(10) for x in (50.0, 320.0)))
    heading = [Piece("A heading over both columns", 150, 400, 300, 312), Piece("17", 560, 570, 300, 312)]
    lines = [line.text for line in reading_order([*columns, *heading])]
    assert lines[0] == "A heading over both columns 17"
    assert len(lines) == 21


def test_lines_that_pages_repeat_and_page_numbers_go() -> None:
    pages = [
        [
            Line("Island Papers", 50, 150, 780, 790, page),
            *(
                Line(f"Sentence {word * (page + 1)}", 50, 300, 700 - 12 * n, 710 - 12 * n, page)
                for n, word in enumerate("abcde")
            ),
            Line(f"Page {page + 1} of 3", 150, 200, 20, 30, page),
        ]
        for page in range(3)
    ]
    texts = [line.text for line in body_lines(pages)]
    assert len(texts) == 15
    assert all(text.startswith("Sentence") for text in texts)


def test_hyphens_at_line_ends_go_unless_the_word_has_one() -> None:
    texts = [
        "a well-known word, and a hy-",
        "phen that goes; this well-",
        "known one stays, as does the Anglo-",
        "Saxon one",
    ]
    lines = [Line(text, 50, 50 + 5 * len(text), 700 - 12 * n, 710 - 12 * n, 0) for n, text in enumerate(texts)]
    assert paragraphs_of(lines) == [
        "a well-known word, and a hyphen that goes; this well-known one stays, as does the Anglo-Saxon one"
    ]
