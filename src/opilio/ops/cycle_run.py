"""The verb `cycle run`: one more crawl of the same definition, which looks for what the corpus lacks.

A cycle is a crawl in a folder of its own. When it has come to its end, its models are made, and last of all what it came to is
written (`folder/cycles.py`). Whatever is interrupted, the next call goes on with: the crawl resumes where it was, and models
are made again from the same texts.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from opilio.core.clock import SystemClock, iso_time
from opilio.core.config import Config, Layer, change_config, read_toml
from opilio.core.durable import replacing
from opilio.core.errors import ConfigError, CrawlDirError, OpilioError
from opilio.core.languages import language_codes
from opilio.core.outcome import Drop
from opilio.engine.build import Blueprint
from opilio.engine.samples import from_folder
from opilio.fetch import Fetcher
from opilio.folder import CrawlFolder, FolderLock, View
from opilio.folder.cycles import Cycle, CyclesFolder, Lesson
from opilio.judge.novelty import NAME as NOVELTY
from opilio.lead.diversity import CLASSES, lessons_of
from opilio.lead.diversity import NAME as DIVERSITY

from .crawl import numbers
from .cycle_models import Built, Texts, build_models, divide, measured, new_types
from .names import Names, absolute, each, paths
from .running import Running
from .sample_pages import sample_pages
from .seeds import choose_seeds, is_file
from .settings import Known, Said, settle
from .watching import Watch

RECIPE: Final = "diversity"
_HOME_SHARE: Final = 0.1  # of the documents so far, from which a language is one of the corpus's own
_CALL_OFF_PREFIX: Final = "stopped by"  # how the reasons begin for which a crawl stops because somebody wants it to
_DECILES: Final = 10
_DEFINITION: Final = (
    "# The definition of the cycles in this folder, as the first `opilio cycle run` was told. Edit it as you like.\n"
)


def cycle_run(
    folder: str | Path,
    *,
    recipe: str | None = None,
    language: str | Iterable[str] = (),
    seeds: Names = (),
    url: str | Iterable[str] = (),
    pages: int | None = None,
    web: Names = (),
    workers: int | None = None,
    settings: Iterable[str] = (),
    watch: Watch | None = None,
) -> Cycle | None:
    """Runs the next cycle, or goes on with one that was interrupted, and returns what it came to; None if somebody stopped it.

    The definition is the folder's crawl.toml. If there is none, what this call says is written there; otherwise it holds for
    this call alone. All other arguments mean the same as on the command line."""
    said = Said(
        recipe,
        (*settings, *numbers(("stop.pages", pages), ("crawl.workers", workers))),
        fallback=RECIPE,
        languages=language_codes(each(language)),
    )
    place = CyclesFolder(Path(folder))
    with FolderLock(CrawlFolder(place.path)):
        _refuse_crawl(place)
        is_new = define(place, said, seeds, url)
        try:
            return run_cycle(place, said, paths(web), watch, seeds=seeds, url=url)
        except OpilioError:
            if is_new and not place.has_begun:  # what could not begin is not the definition of anything
                place.config.unlink()
            raise


def _refuse_crawl(place: CyclesFolder) -> None:
    if CrawlFolder(place.path).database.exists():
        raise CrawlDirError(f"{place.path} holds a crawl of its own. Name another folder for cycles.")


def run_cycle(
    place: CyclesFolder,
    said: Said,
    web: Sequence[Path] | Fetcher = (),
    watch: Watch | None = None,
    *,
    seeds: Names = (),
    url: str | Iterable[str] = (),
) -> Cycle | None:
    """Runs one cycle of a folder that has its definition, and that nobody else writes to."""
    before = place.finished()
    number = len(before)
    config = _settled(place, said, before)
    crawl = place.crawl(number)
    chosen = choose_seeds(config, place.path, seeds, url)
    recorded = web if isinstance(web, Sequence) else ()
    prepare = partial(sample_pages, config, crawl.path, recorded, lasting=True)
    running = Running(Blueprint(config, crawl.path, web=web), chosen.seeds, prepare=prepare, notes=chosen.notes)
    reason = running.to_end(watch)
    if reason.startswith(_CALL_OFF_PREFIX):
        return None
    with View(crawl) as view:
        texts = divide(view)
        built = build_models(place, number, view, texts, before[-1].next if before else {}, config.cycle)
        cycle = _facts(place, view, before, texts, built, reason)
    place.finish(cycle)
    return cycle


def _settled(place: CyclesFolder, said: Said, before: Sequence[Cycle]) -> Config:
    own = Layer(str(place.config), read_toml(place.config))
    config = settle(Known(own), said).config
    if not any(
        (config.stop.pages, config.stop.documents, config.stop.size_bytes, config.stop.tokens, config.stop.seconds)
    ):
        raise ConfigError("a cycle needs an end: say how many pages it may fetch, with --pages or stop.pages.")
    like = absolute(from_folder(place.path, config.corpus.like))
    config = replace(config, corpus=replace(config.corpus, like=like))
    if config.judge.get("name") != NOVELTY or not before:
        return config
    model = os.path.relpath(place.mixture(before[-1].number, "next"), place.crawl(len(before)).path)
    home = [] if config.corpus.only else home_languages(before)
    return change_config(config, [f"judge.model={json.dumps(model)}", f"judge.languages={json.dumps(home)}"])


def home_languages(before: Sequence[Cycle]) -> list[str]:
    """Returns the languages that a tenth of the documents so far are in, each; the most frequent first."""
    counts = sum((Counter(cycle.languages) for cycle in before), Counter[str]())
    least = _HOME_SHARE * counts.total()
    return [code for code, count in counts.most_common() if code and count >= least]


def _facts(place: CyclesFolder, view: View, before: Sequence[Cycle], texts: Texts, built: Built, reason: str) -> Cycle:
    number, tally = len(before), view.meta.tally
    known = _texts_before(place, number)
    fresh = [page for _, page in view.kept() if page.text_key not in known]
    found = sorted(measured(view, NOVELTY))
    sizes = {cycle.number: cycle.tokens for cycle in before} | {number: tally.tokens}
    return Cycle(
        number=number,
        ended=iso_time(SystemClock().now()),
        reason=reason,
        pages=tally.pages,
        documents=tally.kept,
        tokens=tally.tokens,
        types=len(built.own.vocabulary),
        new_documents=len(fresh),
        new_tokens=sum(page.tokens for page in fresh),
        new_types=new_types(place, number, built.own),
        garbage=tally.drops.get(Drop.NOT_RELEVANT, 0),
        languages=view.documents.languages(),
        perplexities=[found[at * (len(found) - 1) // _DECILES] for at in range(_DECILES + 1)] if found else [],
        mean_perplexity=sum(found) / len(found) if found else 0.0,
        development_pages=len(texts.development),
        development_words=texts.development_words,
        current=built.current,
        next=built.next,
        perplexity_alone=built.perplexity_alone,
        perplexity_merged=built.perplexity_merged,
        model_tokens=sum(sizes[at] for at in built.current),
        lessons=_lessons(view),
    )


def _texts_before(place: CyclesFolder, number: int) -> set[int]:
    found: set[int] = set()
    for earlier in range(number):
        with View(place.crawl(earlier)) as view:
            found.update(page.text_key for _, page in view.kept())
    return found


def _lessons(view: View) -> list[Lesson]:
    state = view.meta.lead
    if state is None or view.config.lead.get("name") != DIVERSITY:
        return []
    return [
        Lesson(one.pages, one.accuracy, one.f_high, dict(zip(CLASSES, one.words, strict=True)))
        for one in lessons_of(state)
    ]


def define(place: CyclesFolder, said: Said, seeds: Names = (), url: str | Iterable[str] = ()) -> bool:
    """Writes the definition if there is none, and returns whether it did."""
    if place.config.exists():
        return False
    tables: dict[str, Any] = {"crawl": {"recipe": said.recipe or RECIPE}}
    for name, table in said.layer.tables.items():
        tables[name] = {**tables.get(name, {}), **table}
    files = [name for name in each(seeds) if is_file(name)]
    urls = [*(name for name in each(seeds) if name not in files), *each(url)]
    named = {"urls": urls, "files": list(absolute(files))}
    tables["seeds"] = {**tables.get("seeds", {}), **{key: value for key, value in named.items() if value}}
    with replacing(place.config) as part:
        part.write_text(_DEFINITION + "".join(_lines(tables)), "utf-8")
    return True


def _lines(table: Mapping[str, Any], above: str = "") -> Iterable[str]:
    """Yields a line of TOML for each setting, with dotted keys: JSON values other than objects are TOML values too."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _lines(value, f"{above}{key}.")
        else:
            yield f"{above}{key} = {json.dumps(value, ensure_ascii=False)}\n"
