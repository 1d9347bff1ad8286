"""The verbs of `judge train`: train what judges know from your own pages and texts."""

import bz2
import html
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from opilio.core.errors import ConfigError
from opilio.core.unpacked import UNPACKING_ERRORS, unpacked
from opilio.engine.samples import read_samples
from opilio.judge.comment_examples import read_examples
from opilio.judge.comment_training import Quality, cross_validate, learn_keywords
from opilio.judge.comments import CommentKeywords
from opilio.model.badness import Profile, read_profile_file, train_profile, write_profiles
from opilio.model.commonness import of_pages, of_sentences, write_commonness

from .names import Names, paths
from .writing import output_path, writing

DIVISIONS: Final = 5  # of the pages, in repeated cross-validations: a single one is off by a point or two
_BOOK_CHARS: Final = 20_000  # a longer text is not one document: it is split at its line breaks
_LISTS: Final = (".json", ".json.gz")
_WIKI_MARKUP: Final = re.compile(r"\{\{[^{}]*\}\}|<[^>]+>|\[\[[^\]|]*\||https?://\S+")


class TrainedKeywords(NamedTuple):
    keywords: CommentKeywords
    rounds: list[Quality]  # one for each division, where a cross-validation was asked for


class TrainedProfiles(NamedTuple):
    trained: Mapping[str, Profile]  # by language
    languages: int  # in the file, including those that were there before


def judge_train_comments(pages: str | Path, output: str | Path, folds: int = 0) -> TrainedKeywords:
    """Learns which CSS class names mark pages with comments, for the judge `comments`, and writes them to `output`."""
    place = output_path(output)
    examples = read_examples(Path(pages))
    learned = learn_keywords(examples, Path(pages).name)
    rounds = [cross_validate(examples, folds, seed) for seed in range(DIVISIONS)] if folds else []
    with writing(place) as path:
        path.write_bytes(learned.encode())
    return TrainedKeywords(learned, rounds)


def judge_train_badness(texts: Names, output: str | Path, language: str = "") -> TrainedProfiles:
    """Learns the most frequent words of a language and how frequent they are, for the judge `badness`. Profiles that are in
    the output file already stay there."""
    place = output_path(output)
    known = dict(read_profile_file(place)) if place.exists() else {}
    trained = {code: train_profile(documents) for code, documents in _documents(paths(texts), language).items()}
    with writing(place) as path:
        write_profiles({**known, **trained}, path)
    return TrainedProfiles(trained, len({**known, **trained}))


def judge_train_commonness(sentences: str | Path, output: str | Path, wiki: str | Path | None = None) -> int:
    """Learns which share of ordinary pages has a word, for the judge `topic` and the lead `learned`, and returns the
    number of languages."""
    place = output_path(output)
    languages = {code: of_sentences(texts) for code, texts in _lists(Path(sentences)).items()}
    if wiki is not None:
        code, pages = _dump(Path(wiki))
        known, found = languages.get(code, {}), of_pages(pages)
        # A word is common if it is so in either: an encyclopedia never says "you".
        languages[code] = {term: max(known.get(term, 0.0), found.get(term, 0.0)) for term in {**found, **known}}
    with writing(place) as path:
        write_commonness(languages, path)
    return len(languages)


def _documents(files: list[Path], language: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    plain = [path for path in files if not path.name.endswith(_LISTS)]
    for path in files:
        if path not in plain:
            for code, texts in _lists(path).items():
                found.setdefault(code, []).extend(texts)
    if plain:
        if not language:
            raise ConfigError("which language are these texts in? Say it with --language, such as --language de.")
        for sample in read_samples(plain):
            pieces = sample.text.splitlines() if len(sample.text) > _BOOK_CHARS else [sample.text]
            found.setdefault(language, []).extend(pieces)
    return found


def _lists(path: Path) -> dict[str, list[str]]:
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(unpacked(file).read(), type=dict[str, list[str]])
    except (*UNPACKING_ERRORS, msgspec.DecodeError) as error:
        raise ConfigError(
            f'cannot use {path}: {error}. It must hold lists of texts by language: {{"de": ["…"]}}.'
        ) from error


def _dump(path: Path) -> tuple[str, Iterator[str]]:
    """Returns the language of a MediaWiki export, and its pages without their markup."""
    try:
        data = path.read_bytes()
        export = (bz2.decompress(data) if path.suffix == ".bz2" else data).decode("utf-8")
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read the pages of {path}: {error}. It must be a MediaWiki export.") from error
    language = re.search(r'<mediawiki[^>]* xml:lang="([\w-]+)"', export)
    if language is None:
        raise ConfigError(f"{path} is not a MediaWiki export: it does not begin with <mediawiki … xml:lang=…>.")
    found = re.finditer(r"<text[^>]*>(.*?)</text>", export, re.DOTALL)
    return language[1], (_WIKI_MARKUP.sub(" ", html.unescape(match[1])) for match in found)
