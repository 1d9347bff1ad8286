"""The texts of made webs: shelves by language and topic.

There are two libraries: real texts from the folder that OPILIO_DATA names (encyclopedia articles by subject in English,
a campaign's pages in some languages, single sentences in 75), or the demo's prose (two topics in two languages) if
there is no such folder.

Invariant: the same files give the same texts in the same order on every machine. Sources are read when they are needed,
in 4 ms each, and stay in memory: at most about 150 MB, whatever the size of the web.
"""

import gzip
import os
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple, Self

import msgspec

from opilio.webs.demo import HOSTS, Article, articles

from .draw import Draw, falling
from .passage import Shelf, Source, split_sentences
from .recorded import recorded_sources

_LARGEST_LANGUAGES: Final = (
    "de",
    "fr",
    "es",
    "it",
    "nl",
    "pt",
    "pl",
    "ru",
    "el",
    "sv",
    "cs",
    "tr",
)  # the other languages follow, sorted by code
_CAMPAIGN: Final = "Free_software"
_CAMPAIGN_PAGES: Final = 200  # languages with fewer pages have only sentences
_CAMPAIGN_SHARE: Final = 0.3  # of the hosts in languages other than English
_FEWEST_CHARS: Final = 40  # shorter "sentences" are headings and scraps
_VOCABULARY: Final = 4_000
_LONG_LETTERS: Final = 4  # shorter words are mostly function words, of which nonsense should have few
_NAME: Final = re.compile(r"[^\W\d_]+")


class Topic(NamedTuple):
    """A narrow topic, and the weight that decides its share of the hosts of its language."""

    name: str  # dotted; "" for texts without a particular topic
    weight: float


class Library:
    def __init__(
        self, name: str, shelves: Mapping[tuple[str, str], Shelf], topics: Mapping[str, Sequence[Topic]],
        sentences: Mapping[str, Sequence[str]],
    ) -> None:  # fmt: skip
        self.name = name
        self._shelves = shelves
        self._topics = topics
        self._sentences = sentences
        order = [code for code in _LARGEST_LANGUAGES if code in topics]
        self.languages = ["en", *order, *sorted(set(topics) - {"en", *order})]
        self.words = cache(self._words)

    @classmethod
    def find(cls, campaign: float = _CAMPAIGN_SHARE, without: Collection[str] = ()) -> Self:
        """Finds the texts of OPILIO_DATA, or those of the demo. `campaign` is the share of the hosts in its languages that have
        its texts; no host has those of the pages in `without`."""
        folder = Path(os.environ.get("OPILIO_DATA") or "nowhere")
        names = "webs/schools", "webs/fsfe-plain"
        needed = [folder / f"{name}{ending}" for name in names for ending in (".warc.gz", ".labels.tsv")]
        needed.append(folder / "text/sentences.json.gz")
        return cls.of_folder(folder, campaign, without) if all(path.is_file() for path in needed) else cls.of_demo()

    @classmethod
    def of_folder(cls, folder: Path, campaign: float = _CAMPAIGN_SHARE, without: Collection[str] = ()) -> Self:
        read: dict[str, list[str]] = msgspec.json.decode(
            gzip.decompress((folder / "text/sentences.json.gz").read_bytes())
        )
        sentences = {
            code: [each for each in lines if len(each) >= _FEWEST_CHARS] or lines for code, lines in read.items()
        }
        shelves = {(code, ""): Shelf(code, "", iter(()), lines) for code, lines in sentences.items() if code != "en"}
        topics = {code: [Topic("", 1 - campaign)] for code in sentences if code != "en"}
        subjects = _by_label(folder / "webs/schools.labels.tsv")
        for subject, pages in subjects.items():
            sources = recorded_sources(folder / "webs/schools.warc.gz", _shuffled(pages))
            shelves["en", subject] = Shelf("en", subject, sources)
        topics["en"] = _ranked({subject: len(pages) for subject, pages in subjects.items()})
        for code, pages in _by_label(folder / "webs/fsfe-plain.labels.tsv").items():
            if code in topics and code != "en" and len(pages) >= _CAMPAIGN_PAGES:
                about = {url: (_CAMPAIGN,) for url in pages if url not in without}
                sources = recorded_sources(folder / "webs/fsfe-plain.warc.gz", _shuffled(about))
                shelves[code, _CAMPAIGN] = Shelf(code, _CAMPAIGN, sources)
                topics[code].append(Topic(_CAMPAIGN, campaign))
        return cls("OPILIO_DATA", shelves, topics, sentences)

    @classmethod
    def of_demo(cls) -> Self:
        found: dict[tuple[str, str], list[Source]] = defaultdict(list)
        for key in HOSTS.values():
            subject, code = key.split(".")
            for section, group in groupby(articles(key), lambda article: article.section):
                found[code, f"{subject}.{section}"] = _pairs(f"{subject}.{section}", list(group))
        counts: dict[str, dict[str, int]] = defaultdict(dict)
        sentences: dict[str, list[str]] = defaultdict(list)
        for (code, topic), sources in found.items():
            counts[code][topic] = len(sources)
            sentences[code] += [
                each for source in sources for _, text in source.paragraphs for each in split_sentences(text)
            ]
        shelves = {place: Shelf(*place, iter(sources)) for place, sources in found.items()}
        return cls("demo", shelves, {code: _ranked(counts[code]) for code in counts}, sentences)

    def shelf(self, language: str, topic: str) -> Shelf:
        return self._shelves[language, topic]

    def topics(self, language: str) -> Sequence[Topic]:
        return self._topics[language]

    def sentences(self, language: str) -> Sequence[str]:
        """Returns single sentences, for comments and teasers."""
        return self._sentences[language]

    def _words(self, language: str) -> Sequence[str]:
        """Returns long words without repetition; for languages without spaces, pairs of characters."""
        runs = [word for line in self._sentences[language] for word in _NAME.findall(line)]
        if sum(map(len, runs)) > 12 * len(runs):
            runs = [run[at : at + 2] for run in runs for at in range(0, len(run) - 1, 2)]
            return list(dict.fromkeys(runs))[:_VOCABULARY]
        return list(dict.fromkeys(word.lower() for word in runs if len(word) >= _LONG_LETTERS))[:_VOCABULARY]


def _pairs(topic: str, group: Sequence[Article]) -> list[Source]:
    """Joins articles in pairs, because two articles of the demo are as long as a page here."""
    pairs = [group[at : at + 2] for at in range(0, len(group), 2)]
    return [
        Source(pair[0].title, (topic,), [("", text) for each in pair for text in each.text.splitlines()])
        for pair in pairs
    ]


def _by_label(path: Path) -> dict[str, dict[str, tuple[str, ...]]]:
    """Maps the first label of a page to the page's URL and that to all its labels."""
    labels: dict[str, list[str]] = defaultdict(list)
    for line in path.read_text("utf-8").splitlines()[1:]:
        url, _, label = line.partition("\t")
        if label:
            labels[url].append(label)
    found: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for url, names in labels.items():
        found[names[0]][url] = tuple(names)
    return found


def _shuffled(pages: Mapping[str, tuple[str, ...]]) -> list[tuple[str, tuple[str, ...]]]:
    return Draw("sources").shuffled(pages.items())


def _ranked(counts: Mapping[str, int]) -> list[Topic]:
    """First-level topics get weights with a heavy tail, the largest first; their narrow topics divide it by size."""
    branches = Counter[str]()
    for topic, count in counts.items():
        branches[topic.partition(".")[0]] += count
    order = [branch for branch, _ in sorted(branches.items(), key=lambda each: (-each[1], each[0]))]
    share = dict(zip(order, falling(len(order), 1.0), strict=True))
    return [
        Topic(topic, share[branch := topic.partition(".")[0]] * count / branches[branch])
        for topic, count in sorted(counts.items())
    ]
