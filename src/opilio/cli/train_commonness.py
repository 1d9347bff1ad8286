"""`opilio judge train commonness`: how common words are on pages, from sentences and an encyclopedia."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer


def commonness(
    sentences: Annotated[
        Path, typer.Argument(metavar="FILE", help='.json(.gz) with lists of sentences by language: {"de": ["…"]}.')
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Where the shares of pages go.")],
    wiki: Annotated[
        Path | None,
        typer.Option(metavar="DUMP", help="Pages of one language as MediaWiki exports them: .xml or .xml.bz2."),
    ] = None,
) -> None:
    """Learn which share of ordinary pages has a word, for the judge `likeness` and the lead `learned`.

    Example: opilio judge train commonness sentences.json.gz --wiki enwiki-sample.xml.bz2 -o commonness.msgpack.zst
    """
    from opilio.model.commonness import of_pages, of_sentences, write_commonness

    from .train_badness import read_lists
    from .writing import writing

    languages = {code: of_sentences(texts) for code, texts in read_lists(sentences).items()}
    if wiki is not None:
        code, pages = _dump(wiki)
        languages[code] = {**languages.get(code, {}), **of_pages(pages)}
    with writing(output):
        write_commonness(languages, output)
    typer.echo(f"Written: {output}, {len(languages)} languages.", err=True)


def _dump(path: Path) -> tuple[str, Iterator[str]]:
    """The language of an export, and its pages without their markup."""
    import bz2
    import html
    import re

    from opilio.core.errors import ConfigError

    try:
        data = path.read_bytes()
        export = (bz2.decompress(data) if path.suffix == ".bz2" else data).decode("utf-8")
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read the pages of {path}: {error}. It must be a MediaWiki export.") from error
    language = re.search(r'<mediawiki[^>]* xml:lang="([\w-]+)"', export)
    if language is None:
        raise ConfigError(f"{path} is no MediaWiki export: it does not begin with <mediawiki … xml:lang=…>.")
    markup = re.compile(r"\{\{[^{}]*\}\}|<[^>]+>|\[\[[^\]|]*\||https?://\S+")
    found = re.finditer(r"<text[^>]*>(.*?)</text>", export, re.DOTALL)
    return language[1], (markup.sub(" ", html.unescape(match[1])) for match in found)
