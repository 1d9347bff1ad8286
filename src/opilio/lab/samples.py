"""The forms in which people have texts: the same words in other files.

Rules: a form changes no word and no order of words, only files, lines and markup. `sentences` removes the full stops at the
ends of sentences, because files with a sentence per line are often made that way.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from textwrap import fill
from typing import Final

PLAIN: Final = "files"  # each text in a file of its own, as it is
_COLUMNS: Final = 72
_PARAGRAPH: Final = re.compile(r"\n\s*\n")
_SENTENCE: Final = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"”’)]))\s+(?=[\"“‘(]?[^\W_a-z])")


def write_samples(texts: Sequence[str], form: str, folder: Path) -> list[str]:
    """Writes the texts in this form and returns the names of the files."""
    suffix, parts = _SUFFIXES.get(form, ".txt"), FORMS[form](texts)
    files = [folder / f"sample-{number}{suffix}" for number in range(len(parts))]
    for file, part in zip(files, parts, strict=True):
        file.write_text(f"{part}\n", "utf-8")
    return [str(file) for file in files]


def cut_words(text: str, words: int) -> str:
    """Returns the first words of a text, with the line breaks between them."""
    found = list(re.finditer(r"\S+", text))
    return text[: found[words - 1].end()] if 0 < words < len(found) else text


def _paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) for part in _PARAGRAPH.split(text) if part.strip()]


def _sentences(text: str) -> str:
    lines = (line for part in _paragraphs(text) for line in _SENTENCE.split(part))
    return "\n".join(line.rstrip(".") for line in lines)


def _wrapped(text: str) -> str:
    return "\n\n".join(fill(part, _COLUMNS) for part in _paragraphs(text))


def _markdown(text: str) -> str:
    """Makes the first sentence a heading, and the other paragraphs the items of a list that begin in bold."""
    first, *others = _paragraphs(text)
    heading, *rest = _SENTENCE.split(first, maxsplit=1)
    items = (f"- **{head}** {tail}" for head, _, tail in (part.partition(" ") for part in others))
    return "\n\n".join([f"# {heading}", *rest, *items])


def _html(text: str) -> str:
    body = "\n".join(f"<p>{escape(part)}</p>" for part in _paragraphs(text))
    return f'<!doctype html>\n<html><head><meta charset="utf-8"></head><body>\n<article>\n{body}\n</article>\n</body></html>'


def _each(change: Callable[[str], str]) -> Callable[[Sequence[str]], list[str]]:
    return lambda texts: [change(text) for text in texts]


FORMS: Final[Mapping[str, Callable[[Sequence[str]], list[str]]]] = {
    PLAIN: list,
    "one-file": lambda texts: ["\n\n".join(texts)],
    "sentences": _each(_sentences),
    "wrapped": _each(_wrapped),
    "paragraphs": _each(lambda text: "\n".join(_paragraphs(text))),
    "markdown": _each(_markdown),
    "html": _each(_html),
}
_SUFFIXES: Final = {"markdown": ".md", "html": ".html"}
