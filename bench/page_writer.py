"""Writes the parts of made pages: paragraphs, lists and tables that are content, and the menus, banners and boxes around them.

Names of classes are telling, meaningless or missing; paragraphs are `p`, `div`, `span` or lines between breaks.
"""

from random import Random
from typing import Final

_TELLING: Final = ("content", "main-content", "article", "post", "entry", "page", "story", "text", "body", "inner")
_MEANINGLESS: Final = (
    "wrap", "col-8", "row", "box", "x1", "c-12", "sc-1f3a", "css-8bd2", "block", "grid", "w-full px-4", "left",
)  # fmt: skip


class Writer:
    """Writes a page and notes what of it is content. `said` are the lines of its text."""

    def __init__(self, random: Random, sentences: list[str]) -> None:
        self.random = random
        self._sentences = sentences
        self.said: list[str] = []
        self.wrapper = random.choice(("p", "p", "p", "p", "div", "div", "span", "br"))
        self._style = random.choice(("telling", "telling", "meaningless", "none"))

    def prose(self, least: int = 2, most: int = 5) -> str:
        return " ".join(self.random.choice(self._sentences) for _ in range(self.random.randint(least, most)))

    def words(self, least: int = 1, most: int = 6) -> str:
        words = self.random.choice(self._sentences).split()
        return " ".join(words[: self.random.randint(least, most)]).strip(".,;:!?")

    def say(self, text: str) -> str:
        self.said.append(text)
        return text

    def named(self, inner: str, tag: str = "div", telling: str = "") -> str:
        """Puts content into an element whose name may say what it is."""
        if self._style == "none":
            return f"<{tag}>{inner}</{tag}>"
        name = telling or self.random.choice(_TELLING)
        return (
            f'<{tag} class="{name if self._style == "telling" else self.random.choice(_MEANINGLESS)}">{inner}</{tag}>'
        )

    def paragraph(self, text: str) -> str:
        self.say(text)
        if self.wrapper == "br":
            return f"{text}<br><br>\n"
        if self.wrapper == "span":
            return f"<div><span>{text}</span></div>\n"
        return f"<{self.wrapper}>{text}</{self.wrapper}>\n"

    def paragraphs(self, least: int, most: int) -> str:
        """Writes paragraphs, some of them of a few words."""
        count = self.random.randint(least, most)
        return "".join(
            self.paragraph(self.words(2, 7) + "." if self.random.random() < 0.25 else self.prose())
            for _ in range(count)
        )

    def heading(self, level: int = 2) -> str:
        return f"<h{level}>{self.say(self.words(2, 7))}</h{level}>\n"

    def items(self, least: int = 3, most: int = 9, *, long: float = 0.3, tag: str = "ul") -> str:
        count = self.random.randint(least, most)
        texts = [self.prose(1, 2) if self.random.random() < long else self.words(1, 5) for _ in range(count)]
        inner = self.random.choice(("{}", "{}", "<p>{}</p>", "<span>{}</span>", "<div>{}</div>"))
        return f"<{tag}>" + "".join(f"<li>{inner.format(self.say(text))}</li>" for text in texts) + f"</{tag}>\n"

    def rows(self, least: int = 2, most: int = 7, columns: int = 2) -> str:
        lines = [[self.words(1, 4) for _ in range(columns)] for _ in range(self.random.randint(least, most))]
        for line in lines:
            self.say(" ".join(line))
        return (
            "<table>"
            + "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in line)}</tr>" for line in lines)
            + "</table>\n"
        )

    def terms(self) -> str:
        return (
            "<dl>"
            + "".join(
                f"<dt>{self.say(self.words(1, 3))}</dt>"
                f"<dd>{self.say(self.prose(1, 2) if self.random.random() < 0.6 else self.words())}</dd>"
                for _ in range(self.random.randint(3, 9))
            )
            + "</dl>\n"
        )

    def code(self) -> str:
        lines = [f"{self.words(1, 3)} = {self.random.randint(1, 99)}" for _ in range(self.random.randint(1, 6))]
        self.said += lines
        return "<pre>" + "\n".join(lines) + "</pre>\n"

    # What is not content.

    def links(self, least: int = 3, most: int = 9, *, longest: int = 3) -> str:
        return "".join(
            f'<li><a href="/{n}">{self.words(1, longest)}</a></li>' for n in range(self.random.randint(least, most))
        )

    def menu(self) -> str:
        tag = self.random.choice(
            ("nav", 'div class="menu"', 'div id="nav"', 'div class="navbar"', "header", "div", 'div class="x9"')
        )
        return f"<{tag}><ul>{self.links()}</ul></{tag.split()[0]}>\n"

    def sidebar(self) -> str:
        tag = self.random.choice(
            ('div class="sidebar"', "aside", 'div class="widget"', 'div id="right"', 'div class="col-4"', "div")
        )
        teasers = "".join(
            f'<div><h4><a href="/s{n}">{self.words(3, 9)}</a></h4>{self.random.choice(("", f"<p>{self.prose(1, 1)}</p>"))}</div>'
            for n in range(self.random.randint(1, 4))
        )
        return f"<{tag}><h3>{self.words(1, 3)}</h3><ul>{self.links(3, 8, longest=9)}</ul>{teasers}</{tag.split()[0]}>\n"

    def footer(self) -> str:
        tag = self.random.choice(("footer", 'div id="footer"', 'div class="foot"', "div"))
        line = self.random.choice(
            (f"<p>© 20{self.random.randint(10, 25)} {self.words(1, 3)}</p>", f"<p>{self.prose(1, 2)} ©</p>")
        )
        return f"<{tag}><ul>{self.links()}</ul>{line}</{tag.split()[0]}>\n"

    def box(self) -> str:
        """Writes something that stands in the way: a banner, a call to subscribe, buttons to share, related links."""
        kind = self.random.choice(("cookie", "newsletter", "share", "related", "promo", "tags"))
        if kind == "share":
            name = self.random.choice(("share", "social-buttons", "tools"))
            return f'<div class="{name}"><a href="#">Facebook</a> <a href="#">Twitter</a></div>'
        if kind == "related":
            name = self.random.choice(("related", "read-more", "more-stories", "recommended"))
            return f'<div class="{name}"><h3>{self.words(1, 3)}</h3><ul>{self.links(2, 5, longest=9)}</ul></div>'
        if kind == "tags":
            return (
                f'<div class="tags">{self.words(1, 1)}: '
                + ", ".join(f'<a href="/t{n}">{self.words(1, 2)}</a>' for n in range(3))
                + "</div>"
            )
        name = {"cookie": "cookie-banner", "newsletter": "newsletter-signup", "promo": "promo-box"}[kind]
        return f'<div class="{name}"><p>{self.prose(1, 2)}</p><a href="/x">{self.words(1, 2)}</a></div>'

    def comments(self, least: int = 2, most: int = 8) -> str:
        name = self.random.choice(("comments", "comment-list", "responses", "discussion"))
        each = "".join(
            f'<li class="comment"><cite>{self.words(1, 2)}</cite> <span class="date">12 May</span>'
            f'<p>{self.prose(1, 4)}</p><a href="#">Reply</a></li>'
            for _ in range(self.random.randint(least, most))
        )
        return f'<div class="{name}" id="comments"><h3>{self.words(1, 3)}</h3><ol>{each}</ol></div>'
