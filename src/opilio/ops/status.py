"""The verb `status`: how a crawl stands, read from its folder alone, whether it runs, was stopped or was killed."""

from pathlib import Path
from typing import Any

from opilio.core.config import Config, follows_recipe
from opilio.core.errors import OpilioError
from opilio.core.plugin import Context, build_plugin, find_plugin
from opilio.engine import outlook
from opilio.enqueue import State
from opilio.folder import CrawlFolder, Meta, View, is_running
from opilio.lead import Lead
from opilio.lead.seam import estimates


def status(folder: str | Path) -> dict[str, Any]:
    """Returns how a crawl stands, as `opilio status --json` prints it. Numbers are those of the last commit."""
    place = CrawlFolder(Path(folder))
    with View(place) as view:
        tally, config = view.meta.tally, view.config
        states, hosts, running = view.links.states(), view.links.count_hosts(), is_running(place)
        return {
            "folder": str(place.path),
            "state": _state(running=running, clean=view.meta.clean is True),
            **_strategy(view.meta, config),
            "stop_reason": "" if running else tally.stop_reason,
            "pages": tally.pages,
            "documents": tally.kept,
            "kept": tally.kept,  # the name that `documents` had before
            "tokens": tally.tokens,
            "kept_bytes": tally.kept_bytes,
            "document_yield": round(tally.document_yield, 4),
            "byte_yield": round(tally.byte_yield, 4),
            **outlook(tally, _saved_lead(view, config)),
            "size_bytes": tally.size_bytes,
            "requests": tally.requests,
            "robots": tally.robots,
            "seconds": round(tally.seconds, 3),
            "runs": tally.runs,
            "met": sum(states.values()),
            "queued": states.get(State.QUEUED, 0),
            "waiting": states.get(State.WAITING, 0),
            "leased": states.get(State.LEASED, 0),
            "hosts": hosts.met,
            "closed_hosts": hosts.closed,
            "languages": view.documents.languages(),
            "outcomes": _most_first(tally.outcomes),
            "drops": _most_first(tally.drops),
            "visits": _most_first(tally.visits),  # to pages that were fetched before
            "changed_settings": view.meta.changed,
        }


def _strategy(meta: Meta, config: Config) -> dict[str, str]:
    """Returns what the crawl goes by. One with a judge or a lead of its own has no recipe, whatever its settings began with."""
    objects = meta.judge_object or meta.lead_object
    return {
        "recipe": config.crawl.recipe if follows_recipe(config) and not objects else "",
        "judge": meta.judge_object or str(config.judge.get("name", "")),
        "lead": meta.lead_object or str(config.lead.get("name", "")),
    }


def _saved_lead(view: View, config: Config) -> Lead | None:
    """Returns the lead with its saved state, or None if it estimates nothing or can no longer be built."""
    try:
        saved = view.meta.lead
        if (
            saved is None
            or view.meta.lead_object
            or not estimates(find_plugin("lead", str(config.lead.get("name", ""))))
        ):
            return None
        lead = Lead.adopt(build_plugin("lead", config.lead, Context(config, view.folder.path)))
        lead.load(saved)
    except OpilioError:
        return None
    return lead


def _state(*, running: bool, clean: bool) -> str:
    if running:
        return "running"
    return "stopped" if clean else "interrupted"


def _most_first(counts: dict[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: -item[1]))
