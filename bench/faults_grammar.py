"""Hostile markup from a small grammar: each class of fault has beginnings and units, and a case is one beginning followed by a
unit again and again. In both, "#" becomes a running number, so that names and values differ.
"""

from itertools import count
from typing import Final, NamedTuple


class Shape(NamedTuple):
    """What a page repeats: the pieces of its beginning, each a number of times, and those of its unit until it is full."""

    start: tuple[tuple[str, int], ...]
    unit: tuple[str, ...]

    def html(self, size_bytes: int) -> str:
        start = "".join(_repeated(piece, times) for piece, times in self.start)[: size_bytes // 2]
        unit = "".join(self.unit)
        if not unit:
            return start
        return (start + _repeated(unit, max(1, (size_bytes - len(start)) // len(unit))))[:size_bytes]


def _repeated(piece: str, times: int) -> str:
    if "#" not in piece:
        return piece * times
    parts, numbers = piece.split("#"), count()
    return "".join(
        "".join(f"{part}{next(numbers) if place else ''}" for place, part in enumerate(parts, 1 - len(parts)))
        for _ in range(times)
    )


_STARTS: Final = {
    "lengths": (
        "", '<base href="http://a.example/', '<a href="/', '<p class="', '<p id="', '<meta name=robots content="', "<title>",
        '<html lang="', '<link rel="', '<p style="', "<",
    ),
    "nesting": ("", "<p>", "<table><tr><td>", "<x><y><z>", "<article><main>"),
    "attributes": ("<p ", "</p ", "<a ", '<p a=">" ', '<!-- <b x=" --><p ', '<x a=\xa0"><p '),
    "closings": ("", "<div>" , "<x>", "<b>", "<table>", "<svg>"),
    "formatting": (f'<b class="{"y" * 900}">', "<i a b c d e f g h j k l m n o p>", "<font a#>",
        "<b><p>", "<p><a class=x#>", "<nobr>", "<table><b>"),
    "entities": ("", '<p class="', "<title>", "<textarea>", '<a href="'),
    "tables": ("", "<table>", "<table><tr>", "<table><tr><td>", "<table><caption>"),
    "select": ("", "<select>", "<select><optgroup>", "<table><select>"),
    "forms": ("", "<form>", "<form><table>", "<button>"),
    "templates": ("", "<template>", "<table><template>", "<template><tr>"),
    "svg and mathml": (
        "", "<svg>", "<math>", "<svg><foreignObject>", "<svg><style>",
        "<math><annotation-xml encoding=text/html>",
    ),
    "metadata": ("", "<article><h1>A title</h1>", "<script type=application/ld+json>", "<footer><p class=byline>"),
    "comments": ("", "<div id=comments>", "<ol class=commentlist><li class=comment>", "<p class=comment-body>"),
}  # fmt: skip
_UNITS: Final = {
    "lengths": ("x", "x/", ">", ",", "a,", " ", "../", "%41"),
    "nesting": ("<div>", "<x#>", "<x><div></x></div>", "<ul><li>", "<dl><dd>", "<object>", "<h1>", "<ruby><rt>"),
    "attributes": ("a# ", "a#=x ", 'a#=">"', "/a#", "a#='<b>'\n"),
    "closings": ("</p>", "</x>", "<x></y>", "</br>", "<i></b>", "<p></div>"),
    "formatting": ("<p>x", "</p><p>x", "<b><p></b>", "<i>x</b>", "<a href=#><div>"),
    "entities": ("&amp;", "&CounterClockwiseContourIntegra", "&#x1F600;", "&", "&nbsp;", "&notit;"),
    "tables": ("<table>", "<tr><td>", "x<b>", "<td>x", "<table><tr><td>", "<col>", "<a>x"),
    "select": ("<option>", "<optgroup><option>", "<select>", "<b>x", "<input>"),
    "forms": ("<form>", "<form><div></form>", "<input>", "<button><p>", "<textarea></textarea>", "<label>x"),
    "templates": ("<template>", "<template><td>", "<p>x", "</template>", "<template><b></template>"),
    "svg and mathml": ("<g>", "<title>", "<tr></x>", "<p>", "<mi>x", "<path a=#/>", "<![CDATA[ > <b x=\"]]>"),
    "metadata": (
        "<time datetime=2020-01-#>1 May 20#</time>", '<b itemprop="author date#">A B</b>',
        '<p class="byline date-#">By A, 1.2.20#', '{"@id":"#","author":[', ", ",
        '<meta property=article:author content="A #">', "<a rel=license href=/by/#>cc by-sa #</a>",
    ),
    "comments": (
        '<div class="comment c#">one two three</div>', "<li id=comment-#>x y z", '<div class="comment-body-# reply">',
        "<p class=comment-author>A #</p>", "<cite>A #<time>1 May", "<blockquote class=reply>x",
    ),
}  # fmt: skip
PIECES: Final = tuple(
    dict.fromkeys(piece for pieces in (*_STARTS.values(), *_UNITS.values()) for piece in pieces if piece)
)
_CASES: Final = 12  # of a class
_TIMES: Final = {"closings": 2_000, "formatting": 50}


def cases() -> dict[str, list[Shape]]:
    """The shapes of each class: of all beginnings with all units, some that lie evenly among them."""
    found = {}
    for name, starts in _STARTS.items():
        shapes = [Shape(((start, _TIMES.get(name, 1)),), (unit,)) for start in starts for unit in _UNITS[name]]
        found[name] = [shapes[len(shapes) * place // _CASES] for place in range(_CASES)]
    return found
