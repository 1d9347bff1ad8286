"""What the pages of a recorded web are about: `url TAB label`, a line for each label of a page.

Rules: labels are dotted, and a page belongs to a topic if one of its labels is the topic or is below it, so that
`Science.Biology` includes `Science.Biology.Mammals`. Empty labels are ignored. Lines of another form and URLs that the
web does not have are counted and left out. A URL that the web answers with a redirect or an error stays, although no
crawl can fetch it as a page: only reading the web could tell (`experiment` does, and reports it).
"""

from collections.abc import Container, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from opilio.core.errors import ConfigError
from opilio.core.outcome import Drop
from opilio.core.url import parse

_HEADING: Final = "url\tlabel"


class Labels(NamedTuple):
    topics: dict[str, tuple[str, ...]]  # topic → its pages, sorted by URL
    labelled: frozenset[str]  # all pages with a label
    missing: int = 0  # URLs with a label that are not in the web
    malformed: int = 0  # lines of another form

    def relevant(self, topic: str) -> frozenset[str]:
        return frozenset(self.topics.get(topic, ()))


def read_labels(path: Path, web: Container[str]) -> Labels:
    """Returns the labels of the pages that `web` has."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        cause = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigError(f"cannot read the labels {path}: {cause}. They are lines of url, TAB, label.") from error
    topics: dict[str, set[str]] = {}
    missing: set[str] = set()
    malformed = 0
    for line in lines:
        raw, tab, label = line.partition("\t")
        url = parse(raw)
        if not line.strip() or line == _HEADING:
            continue
        if not tab or isinstance(url, Drop):
            malformed += 1
        elif label.strip() and url.href not in web:
            missing.add(url.href)
        else:
            for topic in _topics(label.strip()):
                topics.setdefault(topic, set()).add(url.href)
    ordered = {topic: tuple(sorted(topics[topic])) for topic in sorted(topics)}
    return Labels(ordered, frozenset().union(*topics.values()), len(missing), malformed)


def sample_topics(topics: Sequence[str], count: int) -> list[str]:
    """Draws this many topics, always the same ones; 0: all."""
    return sorted(Random(0).sample(sorted(topics), count)) if 0 < count < len(topics) else sorted(topics)


def _topics(label: str) -> list[str]:
    """Returns the label and all labels above it; an empty list for an empty label."""
    parts = label.split(".")
    return [".".join(parts[: end + 1]) for end in range(len(parts))] if label else []
