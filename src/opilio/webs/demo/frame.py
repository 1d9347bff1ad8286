"""Puts a page into the skin of its site: header, navigation, breadcrumb, aside and footer around the main part."""

import html
from dataclasses import dataclass
from typing import NamedTuple

from .skin import skin, template


class Part(NamedTuple):
    """The parts that differ from page to page. Texts are markup, except the title."""

    path: str
    title: str
    main: str
    section: str = ""  # title of the section, for the breadcrumb
    stamp: str = ""
    aside: str = ""
    pager: str = ""
    elsewhere: str = ""
    head: str = ""


def anchor(path: str, text: str, rel: str = "") -> str:
    return f'<a href="{html.escape(path)}"{rel}>{html.escape(text, quote=False)}</a>'


def items(*anchors: str) -> str:
    return "".join(f"<li>{each}</li>" for each in anchors)


@dataclass(frozen=True)
class Frame:
    key: str
    origin: str  # "http://…" without a slash at the end

    def render(self, part: Part) -> str:
        words = skin(self.key)
        return template(self.key).substitute(
            part._asdict(),
            title=html.escape(part.title, quote=False),
            lang=words.lang,
            site=words.name,
            tagline=words.tagline,
            related=words.related,
            legal=words.legal,
            canonical=self.origin + part.path,
            nav=self._nav(),
            crumbs=" › ".join(filter(None, (anchor("/", words.home), part.section))),
            footer=f"{anchor('/about.html', words.about)} · {anchor('/private/drafts.html', words.drafts)}",
            stamp=self._block("p", words.stamp_class, part.stamp),
            elsewhere=self._block("div", words.elsewhere_class, part.elsewhere),
        )

    def _nav(self) -> str:
        words = skin(self.key)
        sections = (anchor(f"/{section.slug}/", section.title) for section in words.sections)
        return items(*sections, anchor("/calendar/2026/11/", words.calendar), anchor("/about.html", words.about))

    @staticmethod
    def _block(tag: str, css_class: str, content: str) -> str:
        return f'<{tag} class="{css_class}">{content}</{tag}>\n' if content else ""
