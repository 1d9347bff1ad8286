"""The verb `why`: the whole story of a URL, read from the folder. It says where the URL was found, what it is worth, when it
was fetched, how it was judged and whether it was kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from opilio.core.clock import iso_time
from opilio.core.config import Config
from opilio.core.errors import ConfigError, CrawlDirError
from opilio.core.items import Target
from opilio.core.outcome import Drop, Outcome
from opilio.core.plugin import Context, Sample, build_plugin
from opilio.core.url import Url, parse
from opilio.engine.build import build_admission
from opilio.engine.samples import sample_reader
from opilio.enqueue import Ending, State, StoredLink
from opilio.enqueue.reader import MetLink
from opilio.folder import CrawlFolder, View
from opilio.lead import Lead

_STATES: Final = {
    State.QUEUED: "queued: not fetched yet",
    State.WAITING: "waiting for the next layer or batch",
    State.LEASED: "being fetched",
}
Step = tuple[str, str]


def why(folder: str | Path, url: str) -> list[Step]:
    """Returns the whole story of a URL in steps, each a heading and words. Looking the URL up takes a second for every few
    million URLs that the crawl has met."""
    return list(_story(CrawlFolder(Path(folder)), url))


def _story(folder: CrawlFolder, raw: str) -> Iterator[Step]:
    url = parse(raw)
    if isinstance(url, Drop):
        yield "verdict", f"never queued: {raw!r} is not a URL that can be fetched ({url})"
        return
    if url.href != raw:
        yield "URL", f"{url.href} (the canonical form of what you asked for)"
    with View(folder) as view:
        found = view.links.find(url.href)
        yield from _unknown(url, view.config) if found is None else _known(view, found)


def _unknown(url: Url, config: Config) -> Iterator[Step]:
    yield "verdict", "unknown: no page, seed or redirect of this crawl has named it"
    refused = build_admission(config).refuse(url, 0)
    yield "if it were met", f"it would be refused: {_words(refused)}" if refused else "it would be queued"


def _known(view: View, found: MetLink) -> Iterator[Step]:
    link, ending = found
    is_done = link.state is State.DONE
    ancestors = list(view.links.ancestors(link))
    yield "found", _found(link, ancestors)
    yield from _way(link, ancestors)
    if link.drop is None or ending.outcome or not is_done:
        yield "score", f"{link.score:g}, bucket {link.bucket}: " + "; ".join(_reasons(view, link))
    if is_done:
        yield from _visit(ending)
    if (mark := view.marks.find(link.id)) is not None:
        yield "marked", f"{'yes' if mark.belongs else 'no'}, by the operator, {iso_time(mark.marked_s)}"
    if is_done:
        yield from _ending(view, found)
    else:
        yield "state", _STATES[link.state] + (f", tried {link.tries} times" if link.tries else "")
        yield "its host", _host(view, link.host)


def _visit(ending: Ending) -> Iterator[Step]:
    if ending.outcome:
        status = f", HTTP {ending.status}" if ending.status else ""
        yield "fetched", f"{iso_time(ending.fetched_s)}: {_words(ending.outcome)}{status}"
    if ending.judge_score is not None:
        yield "judged", f"{'belongs' if ending.belongs else 'does not belong'}, score {ending.judge_score:.3f}"


def _ending(view: View, found: MetLink) -> Iterator[Step]:
    link, ending = found
    if link.drop is not None:
        detail = f" ({ending.detail})" if ending.detail else ""
        yield "verdict", f"not kept: {_words(link.drop)}{detail}"
        return
    record = view.documents.get(link.id)
    if record is None:
        yield "verdict", "kept, but its record is missing: the folder is damaged"
        return
    for opinion in record.opinions:
        yield f"judge {opinion.judge}", f"{opinion.score:.3f}: {opinion.reason}"
    for signal in record.signals:
        yield "rights signal", f"{signal.source}: {signal.name} {signal.value}".strip()
    yield "verdict", f"kept: “{record.title}”, {record.tokens:,} tokens, language {record.language or 'unknown'}"
    yield "record", f"{record.warc_record}, text {record.text_digest[:23]}…"


def _found(link: StoredLink, ancestors: list[StoredLink]) -> str:
    when = iso_time(link.found_s)
    if not ancestors:
        return f"{when}, as a {link.anchor or 'seed'}"
    if link.hops:
        return f"{when}, by a redirect from {ancestors[0].url}"
    return f"{when}, on {ancestors[0].url}, link text “{link.anchor}”"


def _way(link: StoredLink, ancestors: list[StoredLink]) -> Iterator[Step]:
    """Says how far the link is from a seed, and on which way it was found."""
    way = [ancestor.url for ancestor in ancestors]
    if way:
        shown = way[::-1] if len(way) <= 6 else [*way[:-4:-1], "…", *way[1::-1]]
        yield "way", f"depth {link.depth}: " + " → ".join(shown)


def _reasons(view: View, link: StoredLink) -> list[str]:
    """Returns why the lead gave the link its score."""
    if view.meta.lead_object:
        return [f"given by {view.meta.lead_object}, an object of the caller's that cannot be asked from here"]
    config, folder = view.config, view.folder.path
    samples, missing = _samples(view)
    lead = Lead.adopt(build_plugin("lead", config.lead, Context(config, folder, samples)))
    if (saved := view.meta.lead) is not None:
        try:
            lead.load(saved)
        except CrawlDirError as error:  # such as a state of another version: the rest of the story is still true
            return [f"the lead cannot be asked: {error}"]
    host, [sightings] = view.links.host(link.host).name, view.links.sightings([link.id])
    target = Target(link.id, link.url, host, link.depth, link.hops, sightings, link.score)
    return [*lead.explain(target), *missing]


def _samples(view: View) -> tuple[tuple[Sample, ...], list[str]]:
    """Returns the samples that the lead was built with. If files are missing, the second value says so instead of an error."""
    try:
        return sample_reader(view.folder.path)(view.config.corpus.like), []
    except ConfigError as error:
        return (), [f"this is without the samples: {error}"]


def _host(view: View, number: int) -> str:
    host = view.links.host(number)
    failing = f", {host.failures} failures in a row" if host.failures else ""
    return (
        f"{host.name}: {view.links.count_queued(number):,} links queued, {host.fetched:,} requests so far{failing}, "
        f"next one not before {iso_time(host.ready_s)}"
    )


def _words(value: Drop | Outcome) -> str:
    return value.value.replace("_", " ")
