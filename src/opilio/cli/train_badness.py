"""`opilio judge train badness`: profiles of languages, from clean texts of one's own."""

from pathlib import Path
from typing import Annotated, Final

import typer

_BOOK_CHARS: Final = 20_000  # a longer text is no document: it is taken apart at its line breaks
_LISTS: Final = (".json", ".json.gz")


def badness(
    texts: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE…",
            help='Text, HTML, WARC, .jsonl or folders; or .json(.gz) with lists of texts: {"de": ["…"]}.',
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Where the profiles go.")],
    language: Annotated[str, typer.Option(help="The code of the texts' language; .json has its own.")] = "",
) -> None:
    """Learn the most frequent words of a language and how frequent they are, for the judge `badness`.

    Profiles that are in the output file already stay there. A crawl uses them with --set judge.profiles=profiles.json.

    Example: opilio judge train badness my-clean-texts --language gd -o profiles.json
    """
    from opilio.model.badness import read_profile_file, train_profile, write_profiles

    from .writing import writing

    known = dict(read_profile_file(output)) if output.exists() else {}
    for code, documents in _documents(texts, language).items():
        known[code] = train_profile(documents)
        words = ", ".join(known[code].words)
        typer.echo(f"{code}: {words}; up to {known[code].threshold:g} is running text")
    with writing(output):
        write_profiles(known, output)
    typer.echo(f"Written: {output}, {len(known)} languages.", err=True)


def _documents(paths: list[Path], language: str) -> dict[str, list[str]]:
    from opilio.core.errors import ConfigError
    from opilio.engine.samples import read_samples

    found: dict[str, list[str]] = {}
    plain = [path for path in paths if not path.name.endswith(_LISTS)]
    for path in paths:
        if path not in plain:
            for code, texts in read_lists(path).items():
                found.setdefault(code, []).extend(texts)
    if plain:
        if not language:
            raise ConfigError("which language are these texts in? Say it with --language, such as --language de.")
        for sample in read_samples(plain):
            pieces = sample.text.splitlines() if len(sample.text) > _BOOK_CHARS else [sample.text]
            found.setdefault(language, []).extend(pieces)
    return found


def read_lists(path: Path) -> dict[str, list[str]]:
    import gzip
    import zlib

    import msgspec

    from opilio.core.errors import ConfigError

    try:
        data = path.read_bytes()
        return msgspec.json.decode(gzip.decompress(data) if path.suffix == ".gz" else data, type=dict[str, list[str]])
    except (OSError, EOFError, zlib.error, msgspec.DecodeError) as error:
        raise ConfigError(
            f'cannot use {path}: {error}. It must hold lists of texts by language: {{"de": ["…"]}}.'
        ) from error
