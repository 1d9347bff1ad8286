"""A list of pages for the terminal: two lines each, the first as a row of a table, the second with the whole URL."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from opilio.core.listed_page import ListedPage

from .tables import printable

_VERDICT: Final = 12  # columns
_INDENT: Final = " " * 7
_LEAST: Final = 20  # columns of a title, and of a reason
_LEAST_LINES: Final = 5  # of a page's text
_LINES_AROUND: Final = 9


def page_lines(pages: Sequence[ListedPage], width: int) -> Iterator[Text]:
    longest = max((cell_len(one_line(page.why)) for page in pages), default=0)
    reason = max(_LEAST, min(longest, (width - len(_INDENT) - _VERDICT) // 2))
    title = max(_LEAST, width - len(_INDENT) - _VERDICT - reason - 4)
    yield _row(Text("score  ", "bold"), ("verdict", _VERDICT), ("title", title), ("why", reason), style="bold")
    for page in pages:
        score = Text(f"{page.score:.3f}  ")
        verdict = "kept" if page.drop is None else page.drop.words
        yield _row(score, (verdict, _VERDICT), (page.title or "no title", title), (page.why, reason))
        yield Text(_INDENT + printable(page.url), "dim")


def question_lines(number: int, page: ListedPage, text: str, width: int, height: int) -> Iterator[Text]:
    """Yields what whoever decides about a page sees: what it is, what was decided, and as much of its text as there is room
    for."""
    yield Text("─" * width, "dim")
    yield Text(f"{number}. {one_line(page.title) or 'no title'}", "bold")
    yield Text(printable(page.url), "dim")
    decided = "in the corpus" if page.kept else "not in the corpus"
    yield Text(f"{decided}, score {page.score:.3f}, {page.tokens:,} tokens, language {page.language or 'unknown'}")
    yield Text()
    room = max(_LEAST_LINES, height - _LINES_AROUND)
    # by columns, because some characters have two
    lines = Text(one_line(text[: width * room])).wrap(Console(width=width), width)
    yield from lines[:room]
    yield Text()


def _row(line: Text, *cells: tuple[str, int], style: str = "") -> Text:
    for text, width in cells:
        cell = Text(one_line(text), style)
        cell.truncate(width, overflow="ellipsis", pad=True)
        line.append_text(cell).append("  ")
    line.rstrip()
    return line


def one_line(text: str) -> str:
    return printable(" ".join(text.split()))
