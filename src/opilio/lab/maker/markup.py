"""Writes a page as HTML: its text with links, comments, and around them what its host's engine puts on every page.

A link in the text belongs to one sentence; its anchor is the target's title or a few words of the sentence. All other
links are in lists.
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from html import escape
from typing import Final, NamedTuple

from . import prose
from .address import Addresses, site_name
from .draw import Draw
from .engine import Engine, engine
from .kind import COMMENTED_KINDS, PageKind
from .links import Links, Outlinks
from .phrases import phrases
from .plan import TODAY, Page, Plan

_COMMENTS: Final = (1, 8)
_PLAIN_ANCHOR: Final = "read more"
_NAMES: Final = (
    "Alex",
    "Anna",
    "Bea",
    "Carlos",
    "Dana",
    "Emil",
    "Franz",
    "Ines",
    "Ivan",
    "Lena",
    "Nils",
    "Olga",
    "Rosa",
    "Vera",
)


class Shown(NamedTuple):
    """A page's markup, and the links in it."""

    html: str
    links: Outlinks
    from_comments: list[int]


class Markup:
    def __init__(self, plan: Plan, addresses: Addresses, links: Links) -> None:
        self._plan, self._addresses, self._links = plan, addresses, links
        self._silent = plan.parameters.anchors == "same"

    def show(self, page: Page) -> Shown:
        """Makes a page. An exact copy is its original under another URL."""
        if page.kind is PageKind.EXACT:
            page = self._plan.page(page.original)
        draw = Draw("markup", self._plan.parameters.seed, page.number)
        links = self._links.of(page)
        look = engine("stub" if page.kind is PageKind.STUB else page.host.engine)
        comments, from_comments = self._comments(page, look, draw)
        blogroll = [link.target for link in links.across if not link.in_text]
        words = phrases(page.host.language)
        slots = {
            "lang": page.language,
            "title": escape(self._addresses.title(page)),
            "site": site_name(page),
            "home": words.home,
            "date": page.written.isoformat(),
            "menu": look.items(self._menu(page, links)),
            "main": self._main(page, links, look, draw),
            "comments": comments,
            "related_title": words.related,
            "related": look.items(self._anchors(page, links.aside)),
            "elsewhere_title": words.elsewhere,
            "elsewhere": look.items(self._anchors(page, blogroll[::2])),
            "partners_title": words.partners,
            "partners": look.items(self._anchors(page, blogroll[1::2])),
        }
        return Shown(look.fill("page", slots), links, from_comments)

    def _menu(self, page: Page, links: Outlinks) -> list[str]:
        words = phrases(page.host.language)
        names = {PageKind.HOME: words.home}
        targets = [self._plan.page(number) for number in links.menu]
        sections = [
            names.get(each.kind) or (self._addresses.section(each) if each.kind is PageKind.ARCHIVE else "")
            for each in targets
        ]
        return [self._anchor(page, each, name) for each, name in zip(targets, sections, strict=True)]

    def _main(self, page: Page, links: Outlinks, look: Engine, draw: Draw) -> str:
        if links.listed:
            return self._listing(page, links.listed, look)
        inside = [*links.text, *(link.target for link in links.across if link.in_text)]
        if page.kind is PageKind.FARM:
            return self._farmed(page, inside, draw)
        if page.kind is PageKind.LIST:
            rows = [escape(entry) for entry in prose.entries(self._plan.library, page, draw)]
            return f"<ul>\n{look.items([*rows, *self._anchors(page, inside)])}\n</ul>"
        texts = prose.paragraphs(self._plan.library, page, self._plan.parameters.changed, draw)
        return self._text(page, texts, inside, draw)

    def _text(self, page: Page, texts: Sequence[Sequence[str]], inside: Sequence[int], draw: Draw) -> str:
        places = draw.shuffled((row, at) for row, text in enumerate(texts) for at in range(len(text)))
        linked = dict(zip(places, inside, strict=False))
        rows = []
        for row, text in enumerate(texts):
            parts = [self._sentence(page, sentence, linked.get((row, at)), draw) for at, sentence in enumerate(text)]
            rows.append(" ".join(parts))
        for target in inside[len(places) :]:
            anchor = self._anchor(page, self._plan.page(target))
            rows[-1] += f"</p>\n<p>{anchor}" if self._silent else f" ({anchor})"
        return "\n".join(f"<p>{row}</p>" for row in rows)

    def _sentence(self, page: Page, sentence: str, target: int | None, draw: Draw) -> str:
        if target is None:
            return escape(sentence, quote=False)
        there, words = self._plan.page(target), sentence.split(" ")
        if self._silent:  # in a paragraph of its own, so that the sentence is not its context
            return f"{escape(sentence, quote=False)}</p>\n<p>{self._anchor(page, there)}</p>\n<p>"
        if draw.chance(self._plan.parameters.told) or len(words) < 6:
            return f"{escape(sentence, quote=False)} ({self._anchor(page, there)})"
        start = draw.below(len(words) - 4)
        before, inner, after = words[:start], words[start : start + 3], words[start + 3 :]
        parts = (
            escape(" ".join(before), quote=False),
            self._anchor(page, there, " ".join(inner)),
            escape(" ".join(after), quote=False),
        )
        return " ".join(filter(None, parts))

    def _farmed(self, page: Page, inside: Sequence[int], draw: Draw) -> str:
        library = self._plan.library
        rows = [
            f"<div>{anchor}</div><div>{escape(prose.nonsense(library, page.language, draw)[0])}</div>"
            if self._silent
            else f"<div>{anchor} {escape(prose.nonsense(library, page.language, draw)[0])}</div>"
            for anchor in self._anchors(page, inside)
        ]
        return "\n".join(rows)

    def _listing(self, page: Page, listed: Iterable[int], look: Engine) -> str:
        targets = [self._plan.page(number) for number in listed]
        rows = [
            look.fill(
                "teaser",
                {"link": self._anchor(page, each), "text": self._teaser(each)},
            )
            for each in targets
            if each.kind is not PageKind.ARCHIVE
        ]
        archives = [self._anchor(page, each) for each in targets if each.kind is PageKind.ARCHIVE]
        return "\n".join([*rows, f'<ul class="pager">{look.items(archives)}</ul>'])

    def _teaser(self, page: Page) -> str:
        return "" if self._silent else escape(prose.teaser(self._plan.library, page), quote=False)

    def _comments(self, page: Page, look: Engine, draw: Draw) -> tuple[str, list[int]]:
        """Some posts have an open form without comments, which does not make them pages with comments."""
        has, open_form = page.kind in COMMENTED_KINDS, draw.chance(self._plan.parameters.open_form)
        if not look.takes_comments or not (has or (open_form and page.kind is PageKind.ARTICLE)):
            return "", []
        words, rows, targets = phrases(page.host.language), list[str](), list[int]()
        for _ in range(draw.between(*_COMMENTS) if has else 0):
            author, target = draw.pick(_NAMES), self._links.comment(page, draw)
            if target is not None:
                author = self._anchor(page, self._plan.page(target), author)
                targets.append(target)
            day = min(page.written + timedelta(days=draw.below(30)), TODAY)
            text = escape(prose.remark(self._plan.library, page.language, draw), quote=False)
            rows.append(
                look.fill("comment", {"author": author, "says": words.says, "date": day.isoformat(), "text": text})
            )
        heading = f"{words.comments} ({len(rows)})"
        return look.fill("comments", {"heading": heading, "write": words.write, "comments": "\n".join(rows)}), targets

    def _anchors(self, page: Page, targets: Iterable[int]) -> list[str]:
        return [self._anchor(page, self._plan.page(target)) for target in targets]

    def _anchor(self, page: Page, target: Page, text: str = "") -> str:
        address = self._addresses.path(target) if target.host is page.host else self._addresses.url(target)
        words = _PLAIN_ANCHOR if self._silent else text or self._addresses.title(target)
        return f'<a href="{escape(address)}">{escape(words, quote=False)}</a>'
