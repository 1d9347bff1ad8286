"""Crawls with variants of the learned lead in a process of its own, and prints a JSON object for each crawl when it
ends:

python -m bench.ablation_child TOPICS ROUNDS SEED PART PARTS

Webs, samples, seeds and budget are those of the lab. A subject is a topic with samples of its own; this
process takes one subject in PARTS, with all variants.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from opilio.core.config import load_config
from opilio.core.plugin import Context
from opilio.engine.samples import sample_reader
from opilio.lab.labels import Labels, read_labels, sample_topics
from opilio.lab.layers import SETTINGS
from opilio.lab.protocol import Job, judged_by_language
from opilio.lab.runner import crawl, draw, save_samples
from opilio.lab.shelf import Shelf
from opilio.lead.learned import Learned

from .ablation_learner import Exchanged
from .ablation_variant import Variant, variants
from .schools import SIZES, find_web, is_for_development

SCHOOLS: Final = "schools"
LANGUAGES: Final = "fsfe-plain"
_SPOKEN_LANGUAGES: Final = ("el", "es", "fr", "sq")  # the smallest of the seven languages with at least 200 pages


class Subject(msgspec.Struct, frozen=True):
    web: str
    topic: str
    repetition: int


class Harvest(msgspec.Struct, frozen=True):
    subject: Subject
    variant: str
    harvest: float  # at R


class Web:
    def __init__(self, path: Path, labels: Path) -> None:
        self.path = path
        self.shelf = Shelf(path)
        self.labels: Labels = read_labels(labels, self.shelf)

    @classmethod
    def named(cls, name: str) -> "Web":
        return cls(*find_web(name))


def subjects(web: Web, name: str, topics: int, rounds: int, seed: int) -> list[Subject]:
    """Sorts the largest first, so that processes end together."""
    sizes = {topic: len(pages) for topic, pages in web.labels.topics.items()}
    middling = [topic for topic, size in sizes.items() if size in SIZES and is_for_development(topic)]
    chosen = sample_topics(middling, topics) if name == SCHOOLS else _SPOKEN_LANGUAGES
    ordered = sorted(chosen, key=lambda topic: -sizes.get(topic, 0))
    return [Subject(name, topic, seed + number) for number in range(rounds) for topic in ordered]


def explore(web: Web, subject: Subject, variant: Variant) -> Harvest:
    relevant = web.labels.relevant(subject.topic)
    job = Job(str(web.path), "", subject.topic, "learned", subject.repetition)
    drawn = draw(job, web.labels.topics.get(subject.topic, ()), web.shelf)
    settings = [*SETTINGS, f"crawl.seed={subject.repetition}", f"stop.pages={len(relevant)}"]
    settings += judged_by_language(subject.topic, web.labels.topics)
    with tempfile.TemporaryDirectory(prefix="opilio-ablation-") as name:
        folder = Path(name)
        tables = {"corpus": {"like": save_samples(drawn.samples, web.shelf, folder)}}
        config = load_config(recipe="learned", tables=tables, settings=[*settings, *variant.settings])
        context = Context(config, folder, sample_reader(folder)(config.corpus.like))
        trace = crawl(config, folder, web.shelf, drawn.seeds, None, _lead(variant, context))
    found = sum(one.url in relevant for one in trace.downloads[: len(relevant)])
    return Harvest(subject, variant.name, found / len(relevant))


def _lead(variant: Variant, context: Context) -> Learned | None:
    """Returns None where the settings alone describe the lead."""
    if variant.exchange is None and not variant.hard:
        return None
    options = {name: value for name, value in context.config.lead.items() if name != "name"}
    keep = variant.exchange or (lambda own: own)
    return Exchanged.build(context, exchange=keep, hard=variant.hard, **options)


def harvests(topics: int, rounds: int, seed: int, part: int, parts: int) -> Iterator[Harvest]:
    for name in (SCHOOLS, LANGUAGES):
        web = Web.named(name)
        for subject in subjects(web, name, topics, rounds, seed)[part::parts]:
            for variant in variants():
                yield explore(web, subject, variant)


if __name__ == "__main__":
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # whatever a peer prints must not land among the answers
        for harvest in harvests(*map(int, sys.argv[1:])):
            answers.write(msgspec.json.encode(harvest) + b"\n")
            answers.flush()
