"""Which webs and topics an experiment is about, and what of them cannot be used.

Rule: whatever cannot be used (labels or topics without a page, broken records) is counted and noted, and the rest runs.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from opilio.core.errors import ConfigError
from opilio.core.recipes import recipe_names

from .labels import Labels, read_labels, sample_topics
from .protocol import ORACLE
from .runner import labels_beside, name_of
from .shelf import Shelf
from .texts import Texts, read_texts

EVERY_TOPIC: Final = "all"


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """The options that all experiments have, as they were given on the command line."""

    webs: tuple[Path, ...]
    labels: tuple[Path, ...] = ()  # one for each web; empty: WEB.labels.tsv beside it
    recipes: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()  # empty: those of the texts if there are any, else all
    topic_pages: tuple[int, int] = (1, 2**31)  # least and most pages of a topic, for "all" topics
    most_topics: int = 0  # how many of "all" topics are drawn; 0: all of them
    texts: Path | None = None  # samples of one's own, by topic
    repeat: int = 1
    settings: tuple[str, ...] = ()


class Selected(NamedTuple):
    """A web of the experiment, and the topics that are tried on it."""

    web: Path
    labels: Path
    shelf: Shelf
    topics: list[str]
    known: tuple[str, ...]  # all topics of the web


def select(scope: Scope, notes: list[str]) -> Iterator[Selected]:
    """Yields the webs one after the other. `notes` gets what the operator should know."""
    check_names("--web", [str(web) for web in scope.webs])
    for web, path in zip(scope.webs, _labels_files(scope), strict=True):
        shelf = Shelf(web)
        labels = read_labels(path, shelf)
        notes += _notes(name_of(str(web)), shelf, path, labels)
        topics = _topics(scope, labels, name_of(str(web)), notes)
        notes += _out_of_reach(path, shelf, labels, topics)
        yield Selected(web, path, shelf, topics, tuple(labels.topics))


def own_texts(scope: Scope) -> Texts:
    return read_texts(scope.texts) if scope.texts else {}


def check_names(option: str, given: Sequence[str]) -> None:
    """Refuses equal names, because results are told apart by name."""
    of_names = {name_of(each): each for each in given}
    for each in given:
        if of_names[name_of(each)] != each:
            raise ConfigError(
                f'{option} {each} and {option} {of_names[name_of(each)]} would both be called "{name_of(each)}" in the result: '
                "rename one of them."
            )


def find_recipe(name: str) -> str:
    """Returns a recipe's name, or the absolute path of a crawl.toml."""
    if name.endswith(".toml"):
        if not Path(name).is_file():
            raise ConfigError(f"there is no file {name}. --recipe takes a recipe's name or the path of a crawl.toml.")
        return str(Path(name).absolute())
    if name not in (*recipe_names(), ORACLE):
        raise ConfigError(f'there is no recipe "{name}". Recipes: {", ".join((*recipe_names(), ORACLE))}.')
    return name


def _labels_files(scope: Scope) -> Sequence[Path]:
    if scope.labels and len(scope.labels) != len(scope.webs):
        raise ConfigError(
            f"{len(scope.webs)} webs and {len(scope.labels)} files of labels: give one --labels for each --web, in "
            "the same order."
        )
    return scope.labels or [labels_beside(web) for web in scope.webs]


def _notes(web: str, shelf: Shelf, path: Path, labels: Labels) -> list[str]:
    counts = (
        (shelf.broken, f"{web}: {shelf.broken:,} broken records were skipped."),
        (labels.missing, f"{path.name}: {labels.missing:,} URLs are not in the web; their labels do not count."),
        (labels.malformed, f"{path.name}: {labels.malformed:,} lines are not of the form url, TAB, label."),
    )
    return [note for count, note in counts if count]


def _out_of_reach(path: Path, shelf: Shelf, labels: Labels, topics: Sequence[str]) -> list[str]:
    """Notes relevant pages that cannot be fetched. It reads the record of each one once, in about 0.5 ms."""
    relevant = frozenset[str]().union(*(labels.topics[topic] for topic in topics))
    count = sum(not shelf.has_page(url) for url in relevant)
    note = f"{path.name}: {count:,} URLs of these topics are redirects or errors. They count in R, but are not pages."
    return [note] if count else []


def _topics(scope: Scope, labels: Labels, web: str, notes: list[str]) -> list[str]:
    texts = own_texts(scope)
    asked = scope.topics or tuple(texts) or (EVERY_TOPIC,)
    named = [topic for topic in asked if topic != EVERY_TOPIC]
    empty = [topic for topic in named if topic not in labels.topics]
    notes += [f'{web}: no page has the topic "{topic}"; it is left out.' for topic in empty]
    chosen = [topic for topic in named if topic in labels.topics]
    if EVERY_TOPIC in asked:
        fewest, most = scope.topic_pages
        fitting = [topic for topic, pages in labels.topics.items() if fewest <= len(pages) <= most]
        chosen += sample_topics(fitting, scope.most_topics)
    return _with_texts(list(dict.fromkeys(chosen)), scope, texts, notes)


def _with_texts(topics: list[str], scope: Scope, texts: Texts, notes: list[str]) -> list[str]:
    """Leaves out the topics without a text, if samples are to come from a file."""
    if scope.texts is None:
        return topics
    without = [topic for topic in topics if topic not in texts]
    notes += [f'{scope.texts.name}: there is no text for the topic "{topic}"; it is left out.' for topic in without]
    return [topic for topic in topics if topic in texts]
