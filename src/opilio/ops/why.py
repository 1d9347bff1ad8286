"""The verb `why`: the whole story of a URL, read from the folder. The verdict comes first, then how the page was judged, where
its URL was found, what its link is worth, when it was fetched, and at the end what to do next."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from opilio.core.clock import iso_time
from opilio.core.errors import ConfigError, CrawlDirError
from opilio.core.items import Record, Target
from opilio.core.outcome import Drop
from opilio.core.plugin import Context, Sample, build_plugin
from opilio.core.tables import PolicySettings
from opilio.core.url import Url, parse
from opilio.engine.build import build_admission
from opilio.engine.listing import marked
from opilio.engine.samples import sample_reader
from opilio.enqueue import Ending, State, StoredLink, bucket_of
from opilio.enqueue.reader import MetLink
from opilio.folder import CrawlFolder, View
from opilio.folder.thresholds import BUCKETS
from opilio.lead import Lead

from .bare_seed import complete
from .causes import language_remedy, tell, tell_refusal
from .next_steps import after_ending, fetch_as_seed, while_open

_STATES: Final = {
    State.QUEUED: "queued: not fetched yet",
    State.WAITING: "waiting for the next layer or batch: not fetched yet",
    State.LEASED: "being fetched",
}
_UNFOLLOWED: Final = {
    Drop.NOFOLLOW: "met only on pages that ask crawlers not to follow their links",
    Drop.TOO_DEEP: "no links were followed when its page was read",
    Drop.URL_TOO_LONG: "only a fingerprint of it was stored",
}
# the verdict and the judges' opinions say all that there is to say
_TOLD: Final = (Drop.NOT_RELEVANT, Drop.MARKED_NO, Drop.DUPLICATE, Drop.REDIRECTED)
Step = tuple[str, str]


def why(folder: str | Path, url: str) -> list[Step]:
    """Returns the whole story of a URL in steps, each a heading and words; words may have several lines. Looking the URL up
    takes a second for every few million URLs that the crawl has met."""
    return list(_story(CrawlFolder(Path(folder)), url))


def _story(folder: CrawlFolder, raw: str) -> Iterator[Step]:
    asked = parse(raw)
    url = complete(raw) or asked if isinstance(asked, Drop) else asked
    if isinstance(url, Drop):
        yield "verdict", f"never queued: {raw!r} is not a URL that can be fetched ({url.words})"
        return
    with View(folder) as view:
        found = _find(view, url)
        verdict, *rest = _unknown(view, url) if found is None else _known(view, found)
    yield verdict
    if isinstance(asked, Drop):
        yield "URL", f"{raw} (taken for {url.href})"
    elif url.href != raw:
        yield "URL", f"{url.href} (the canonical form of what you asked for)"
    yield from rest


def _find(view: View, url: Url) -> MetLink | None:
    """Returns what is known of a URL. A sitemap or feed that was read as such says more than a link to it."""
    hrefs = (marked(url, "sitemap"), marked(url, "feed"), url.href)
    return next((found for href in hrefs if (found := view.links.find(href))), None)


def _unknown(view: View, url: Url) -> Iterator[Step]:
    """Tells of a URL without a row."""
    config = view.config
    if pages := list(view.links.unfollowed(url.href)):
        page, drop = pages[0]
        yield "verdict", f"never queued: {drop.words} ({_UNFOLLOWED[drop]})"
        more = f", and on {len(pages) - 1:,} more pages" if len(pages) > 1 else ""
        yield "found", f"on {page.url}{more}"
        if remedy := tell_refusal(view, url, drop, page.depth + 1).remedy:
            yield "to change it", f"{remedy}, in a new folder"  # in this one, such links do not come back
    elif (source := view.links.redirecting_to(url.href)) is not None and source.link.drop is not None:
        yield "verdict", f"never queued: {source.link.drop.words}"
        yield "found", f"by a redirect from {source.link.url}"
        if remedy := tell_refusal(view, url, source.link.drop, source.link.depth).remedy:
            yield "to change it", remedy
    else:
        yield "verdict", "unknown: this crawl has not met it"
    refused = build_admission(config).refuse(url, 0)
    if refused:
        yield "if it were met", f"it would be refused: {tell_refusal(view, url, refused)}"
    else:
        yield "if it were met", "it would be queued"
    if not refused and not view.meta.recorded:  # which files the web was in is not known, and the network is not meant
        yield from _next(fetch_as_seed(view.folder.path, url.href))


def _known(view: View, found: MetLink) -> Iterator[Step]:
    link, ending = found
    is_done = link.is_fetched
    record = view.documents.get(link.id) if is_done else None
    due = "; it is to be visited again" if is_done and link.state is not State.DONE else ""
    yield "verdict", _ended(found, record) + due if is_done else _open(link)
    yield from _cause(view, found, record)
    if (mark := view.marks.find(link.id)) is not None:
        yield "marked", f"{'yes' if mark.belongs else 'no'}, by the operator, {iso_time(mark.marked_s)}"
    if link.drop is None or not link.drop.is_unreadable:
        yield from _judged(ending, record)
    ancestors = list(view.links.ancestors(link))
    yield "found", _found(link, ancestors)
    yield from _way(link, ancestors)
    if link.drop is None or ending.outcome or not is_done:
        yield "score", f"{link.score:.4g}, {_bucket(link, view.config.policy)}: " + "\n".join(_reasons(view, link))
    if is_done:
        yield from _visit(ending, record)
        yield from _next(after_ending(view.folder.path, found, str(view.config.judge.get("name"))))
    else:
        yield "its host", _host(view, link.host)
        yield from _next(while_open(view.folder.path, link.url))


def _open(link: StoredLink) -> str:
    return _STATES[link.state] + (f", tried {link.tries} times" if link.tries else "")


def _ended(found: MetLink, record: Record | None) -> str:
    link, ending = found
    if link.drop is None:
        if record is None:
            return "kept, but its record is missing: the folder is damaged"
        return f"kept: “{record.title}”, {record.tokens:,} tokens, language {record.language or 'unknown'}"
    told = link.drop is Drop.NOT_RELEVANT and record is not None  # by the opinions, line by line
    detail = f" ({ending.detail})" if ending.detail and not told else ""
    return f"not kept: {link.drop.words}{detail}"


def _cause(view: View, found: MetLink, record: Record | None) -> Iterator[Step]:
    told = None if found.link.drop in _TOLD else tell(view, found)
    remedy = told.remedy if told else ""
    if told is not None:
        yield "cause", told.cause
    elif found.link.drop is Drop.NOT_RELEVANT and record is not None:
        remedy = language_remedy(view, record)
    if remedy:
        yield "to change it", remedy


def _judged(ending: Ending, record: Record | None) -> Iterator[Step]:
    if ending.judge_score is not None:
        yield "judged", f"{'belongs' if ending.belongs else 'does not belong'}, score {ending.judge_score:.3f}"
    for opinion in record.opinions if record else ():
        score = "" if opinion.score is None else f"{opinion.score:.3f}: "
        yield f"judge {opinion.judge}", f"{score}{opinion.reason}"


def _visit(ending: Ending, record: Record | None) -> Iterator[Step]:
    if ending.outcome:
        status = f", HTTP {ending.status}" if ending.status else ""
        yield "fetched", f"{iso_time(ending.fetched_s)}: {ending.outcome.words}{status}"
    for signal in record.signals if record else ():
        yield "rights signal", f"{signal.source}: {signal.name} {signal.value}".strip()
    if record and record.warc_record:
        yield "record", f"{record.warc_record}\ntext {record.text_digest[:23]}…"


def _next(commands: Iterator[str]) -> Iterator[Step]:
    return (("next", command) for command in commands)


def _found(link: StoredLink, ancestors: list[StoredLink]) -> str:
    when = iso_time(link.found_s)
    if not ancestors:
        return f"{when}, as a {link.anchor or 'seed'}"
    if link.hops:
        return f"{when}, by a redirect from {ancestors[0].url}"
    return f"{when}, on {ancestors[0].url}, link text “{link.anchor}”"


def _bucket(link: StoredLink, policy: PolicySettings) -> str:
    """Names the bucket as people set its bounds, if the queue divides it further."""
    named = bucket_of(link.score, policy.bounds)
    return BUCKETS[named] if policy.step and named < len(BUCKETS) else f"bucket {link.bucket}"


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
