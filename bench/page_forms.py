"""Made pages of many forms, with the text that is theirs: for fitting the weights of the boilerplate classifier, because the
gold pages are nearly all articles and blogs.

A page is a frame (menu, sidebars, banners, footer) around a body of one form, by `page_writer`. The prose comes from the
sentences of text/sentences.json.gz, the even ones for `TRAINING`, the odd ones for `ASIDE`: other forms, with other names of
classes, which are for measuring alone. Old pages are tables. Everything follows from the seed.
"""

import gzip
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from .page_writer import Writer

_LANGUAGES: Final = ("en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "cs", "ru", "tr", "fi", "ja")


class MadePage(NamedTuple):
    form: str
    html: str
    text: str


def _article(page: Writer) -> str:
    parts = [
        page.heading(1),
        page.random.choice(("", '<div class="byline">By A. B., 3 May 2020</div>')),
        page.paragraphs(2, 5),
    ]
    for _ in range(page.random.randint(0, 4)):
        part = page.random.choice(
            (
                page.heading,
                page.items,
                page.rows,
                page.code,
                lambda: f"<blockquote><p>{page.say(page.prose(1, 2))}</p></blockquote>",
            )
        )
        parts += [part(), page.paragraphs(1, 4)]
        if page.random.random() < 0.3:
            parts.append(page.box())
    body = page.named("".join(parts), page.random.choice(("div", "article", "section")))
    return body + (page.comments() if page.random.random() < 0.3 else "")


def _questions(page: Writer) -> str:
    parts = []
    outer, head = (
        page.random.choice(("div", "section", "details")),
        page.random.choice(("h2", "h3", "h4", "div", "summary")),
    )
    for _ in range(page.random.randint(4, 12)):
        question = f"<{head}>{page.say(page.words(3, 8) + '?')}</{head}>"
        answer = page.say(page.prose(1, 3) if page.random.random() < 0.7 else page.words(1, 4))
        parts.append(f"<{outer}>{question}<div><p>{answer}</p></div></{outer}>")
    return page.named(page.heading(1) + "".join(parts))


def _recipe(page: Writer) -> str:
    intro = page.heading(1) + page.paragraphs(1, 3)
    return page.named(
        intro + page.heading(2) + page.items(5, 12, long=0.0) + page.heading(2) + page.items(3, 8, long=0.7, tag="ol")
    )


def _minutes(page: Writer) -> str:
    parts = [page.heading(1)]
    for _ in range(page.random.randint(3, 8)):
        parts += [page.heading(3), *(page.paragraph(page.words(1, 8) + ".") for _ in range(page.random.randint(1, 4)))]
        parts.append(page.paragraph(page.prose(1, 2)) if page.random.random() < 0.6 else page.items(2, 4, long=0.1))
    return page.named("".join(parts))


def _manual(page: Writer) -> str:
    parts = [page.heading(1), page.paragraphs(1, 2)]
    for _ in range(page.random.randint(2, 6)):
        parts += [
            page.heading(2),
            page.paragraph(page.prose(1, 2)),
            page.random.choice((page.code, page.terms, page.items, page.rows))(),
        ]
        parts.append(page.paragraph(page.words(3, 8) + ".") if page.random.random() < 0.5 else "")
    return page.named("".join(parts), "div", "document")


def _glossary(page: Writer) -> str:
    return page.named(page.heading(1) + page.terms() + page.terms())


def _chapter(page: Writer) -> str:
    """Writes a page of the 1990s: a table for layout, fonts, breaks."""
    page.wrapper = page.random.choice(("br", "p", "div"))
    text = page.heading(3) + page.paragraphs(3, 12)
    menu = "".join(f'<a href="{n}.html">{page.words(1, 2)}</a><br>' for n in range(page.random.randint(2, 9)))
    cells = f'<td width="120">{menu}</td><td><font size="2">{text}</font></td>'
    top = f'<tr><td colspan="2"><a href="/">{page.words(1, 2)}</a> | <a href="/m">{page.words(1, 2)}</a></td></tr>'
    return f'<table width="100%">{page.random.choice(("", top))}<tr>{cells}</tr></table>'


def _home_page(page: Writer) -> str:
    """Writes somebody's page of the 1990s: nearly all of it is content, its links too."""
    parts = [f"<center>{page.heading(1)}</center>", page.paragraph(page.prose(1, 3))]
    for _ in range(page.random.randint(1, 4)):
        links = [page.say(page.words(2, 6)) for _ in range(page.random.randint(2, 6))]
        parts += [page.heading(2), "<ul>", *(f'<li><a href="/{n}">{link}</a>' for n, link in enumerate(links)), "</ul>"]
        parts.append(page.paragraph(page.prose(1, 3)))
    return "".join(parts) + f'<hr><address>{page.words(1, 2)} <a href="mailto:a@b.example">a@b.example</a></address>'


def _forum(page: Writer) -> str:
    post, author = page.random.choice(
        (("post", "author"), ("message", "user"), ("thread-item", "by"), ("topic-post", "name"))
    )
    posts = [
        f'<div class="{post}"><div class="{author}">{page.words(1, 1)}</div>'
        f'<div class="{post}-body"><p>{page.say(page.prose(1, 4))}</p></div>'
        f'<div class="actions"><a href="#">{page.words(1, 1)}</a> <a href="#">{page.words(1, 1)}</a></div></div>'
        for _ in range(page.random.randint(3, 12))
    ]
    return page.named(page.heading(1) + "".join(posts), "div", "thread")


def _product(page: Writer) -> str:
    price = f'<div class="price">{page.random.randint(5, 900)}.00</div><button>Buy</button>'
    description = page.named(page.paragraphs(1, 3) + page.items(3, 7, long=0.2), "div", "description")
    return page.named(
        page.heading(1) + price + description + page.named(page.heading(2) + page.rows(3, 9), "div", "specs"),
        "div",
        "product",
    )


def _listing(page: Writer) -> str:
    cards = [
        f'<div class="{page.random.choice(("card", "item", "teaser", "entry"))}">'
        f'<h2><a href="/{n}">{page.say(page.words(3, 9))}</a></h2>'
        f"<p>{page.say(page.prose(1, 2))}</p></div>"
        for n in range(page.random.randint(4, 12))
    ]
    return page.named(page.heading(1) + "".join(cards), "div", "list")


def _poem(page: Writer) -> str:
    lines = [page.say(page.words(3, 7)) for _ in range(page.random.randint(8, 24))]
    if page.random.random() < 0.5:
        return page.named(page.heading(1) + "<pre>" + "\n".join(lines) + "</pre>")
    return page.named(page.heading(1) + "<p>" + "<br>\n".join(lines) + "</p>")


# The forms that are set aside.


def _question_and_answers(page: Writer) -> str:
    title = page.say(page.words(4, 9))
    question = page.paragraphs(1, 3)
    answers = "".join(
        f'<div class="answer" itemprop="suggestedAnswer"><div class="votes">{page.random.randint(0, 40)}</div>'
        f'<div class="s-prose">{page.paragraphs(1, 3)}{page.code() if page.random.random() < 0.5 else ""}</div></div>'
        for _ in range(page.random.randint(1, 4))
    )
    asked = f'<h1>{title}</h1><div class="question"><div class="s-prose">{question}</div></div>'
    return f'<div id="mainbar">{asked}{answers}</div>'


def _changes(page: Writer) -> str:
    title = page.say(page.words(1, 3))
    releases = "".join(
        f"<h2>{page.say(f'Version {n}.{page.random.randint(0, 9)}')}</h2>{page.items(2, 9, long=0.4)}"
        for n in range(page.random.randint(2, 6))
    )
    return f'<div class="markdown-body"><h1>{title}</h1>{releases}</div>'


def _terms_of_use(page: Writer) -> str:
    title = page.say(page.words(2, 4))
    parts = [
        f"<li><strong>{page.say(page.words(1, 4))}</strong><p>{page.say(page.prose(1, 5))}</p></li>"
        for _ in range(page.random.randint(4, 12))
    ]
    return f'<section class="legal-text"><h1>{title}</h1><ol>{"".join(parts)}</ol></section>'


def _course(page: Writer) -> str:
    weeks = [[page.words(1, 2), page.words(3, 9)] for _ in range(page.random.randint(5, 14))]
    rows = "".join(f"<tr><td>{a}<td>{b}" for a, b in weeks)
    start = f"<h1>{page.say(page.words(2, 6))}</h1><p>{page.say(page.prose(1, 3))}<h2>{page.say(page.words(1, 3))}</h2>"
    page.said += [" ".join(week) for week in weeks]
    return f"{start}<table border=1>{rows}</table><p>{page.say(page.prose(1, 2))}"


def _job(page: Writer) -> str:
    head = f"<h1>{page.say(page.words(2, 5))}</h1><div>{page.words(1, 2)} · {page.words(1, 1)}</div>"
    parts = [f"<div>{page.paragraphs(1, 2)}</div>"]
    parts += [f"<h3>{page.say(page.words(1, 3))}</h3>{page.items(4, 8, long=0.5)}" for _ in range(2)]
    parts.append(f"<div>{page.paragraphs(1, 2)}</div>")
    return f'<div data-test="job">{head}{"".join(parts)}<button>Apply</button></div>'


def _encyclopedia(page: Writer) -> str:
    toc = "".join(f'<li><a href="#{n}">{page.words(1, 3)}</a></li>' for n in range(4))
    parts = [f"<h1>{page.say(page.words(1, 4))}</h1>", page.paragraphs(2, 3), f'<div id="toc"><ul>{toc}</ul></div>']
    for _ in range(page.random.randint(2, 5)):
        text = page.say(page.prose(2, 5))
        cut = len(text) // 3
        parts += [
            f"<h2>{page.say(page.words(1, 4))}</h2>",
            f'<p>{text[:cut]}<a href="/w">{text[cut : cut + 12]}</a>{text[cut + 12 :]}</p>',
        ]
    return f'<div id="bodyContent"><div class="mw-parser-output">{"".join(parts)}</div></div>'


def _mail(page: Writer) -> str:
    lines = [page.say(page.words(4, 9)) for _ in range(page.random.randint(6, 30))]
    return (
        f"<h1>{page.words(3, 7)}</h1><ul><li><b>From</b>: {page.words(1, 2)}</li></ul><hr><pre>"
        + "\n".join(lines)
        + "</pre><hr><a href='n'>Next</a>"
    )


Form = Callable[[Writer], str]
TRAINING: Final[Mapping[str, Form]] = {
    "article": _article, "questions": _questions, "recipe": _recipe, "minutes": _minutes, "manual": _manual,
    "glossary": _glossary, "chapter": _chapter, "home page": _home_page, "forum": _forum, "product": _product,
    "listing": _listing, "poem": _poem,
}  # fmt: skip
ASIDE: Final[Mapping[str, Form]] = {
    "question and answers": _question_and_answers, "changes": _changes, "terms of use": _terms_of_use, "course": _course,
    "job": _job, "encyclopedia": _encyclopedia, "mail": _mail,
}  # fmt: skip
_OLD: Final = ("chapter", "home page", "course", "mail")


def made_pages(forms: Mapping[str, Form], each: int, seed: int) -> Iterator[MadePage]:
    path = Path(os.environ["OPILIO_DATA"]) / "text" / "sentences.json.gz"
    sentences: dict[str, list[str]] = json.loads(gzip.decompress(path.read_bytes()))
    first = 0 if forms is TRAINING else 1
    for name, form in forms.items():
        for number in range(each):
            random = Random(f"{seed} {name} {number}")
            chosen = sentences[random.choice(_LANGUAGES)][first::2]
            page = Writer(random, chosen)
            body = form(page)
            yield MadePage(name, _framed(page, body, old=name in _OLD), "\n".join(page.said))


def _framed(page: Writer, body: str, *, old: bool) -> str:
    title = f"<html><head><title>{page.words(2, 6)}</title></head><body>"
    if old:
        return (
            title
            + (f'<a href="/">{page.words(1, 2)}</a><hr>' if page.random.random() < 0.4 else "")
            + body
            + "</body></html>"
        )
    around = [page.menu(), *(page.box() for _ in range(page.random.randint(0, 2)))]
    sides = [page.sidebar() for _ in range(page.random.randint(0, 2))]
    place = page.random.randint(0, len(sides))
    middle = "".join(sides[:place]) + body + (page.box() if page.random.random() < 0.4 else "") + "".join(sides[place:])
    outer = page.random.choice(
        ("{}", "<main>{}</main>", '<div class="container">{}</div>', '<div><div class="row">{}</div></div>')
    )
    return title + "".join(around) + outer.format(middle) + page.footer() + "</body></html>"
