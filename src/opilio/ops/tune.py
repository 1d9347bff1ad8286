"""The verb `tune`: shows the thresholds of a focused crawl, and moves them, even while it runs.

Bounds and cut are perplexities of the pages that links stand on; the policy knows them with a minus sign, since it fetches what
scores high. The judge's threshold is a probability. A running crawl obeys at once, a stopped one when it is resumed.
"""

import time
from collections import Counter
from collections.abc import Mapping
from inspect import signature
from math import isfinite
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from opilio.core.config import NO_CUT, Config, change_config
from opilio.core.errors import ConfigError, CrawlDirError
from opilio.core.outcome import Drop
from opilio.core.plugin import find_plugin
from opilio.core.tables import PolicySettings
from opilio.engine.build import SCHEMAS
from opilio.enqueue import bucket_of, graded
from opilio.folder import CrawlFolder, FolderLock, Thresholds, View, ask
from opilio.folder.database import Database
from opilio.folder.thresholds import BUCKETS

_JUDGE: Final = "perplexity"
_CHECKS: Final = 50
_CHECK_S: Final = 0.1


class Wishes(msgspec.Struct, frozen=True):
    """What the operator wants to change; None leaves a threshold as it is."""

    threshold: float | None = None
    max_perplexity: float | None = None
    high: float | None = None
    medium: float | None = None
    cut: float | None = None


class Tuned(NamedTuple):
    thresholds: Thresholds
    running: bool | None  # whether a running crawl has taken the new thresholds; None: there were none


def tune(
    folder: str | Path,
    *,
    threshold: float | None = None,
    max_perplexity: float | None = None,
    high: float | None = None,
    medium: float | None = None,
    cut: float | None = None,
) -> Tuned:
    """Moves the given thresholds of a crawl that goes by perplexity, and returns all of them."""
    place = CrawlFolder(Path(folder))
    wishes = Wishes(threshold, max_perplexity, high, medium, cut)
    running = _move(place, wishes) if wishes != Wishes() else None
    return Tuned(_read(place), running)


def _read(folder: CrawlFolder) -> Thresholds:
    with View(folder) as view:
        return _standing(view, view.config)


def _move(folder: CrawlFolder, wishes: Wishes) -> bool:
    """Moves the thresholds. Returns True if a running crawl has taken them, False if the next run will."""
    settings = _settings(_read(folder), wishes)
    try:
        ask(folder, "set", settings=settings)
    except CrawlDirError:
        _note(folder, settings)
        return False
    _wait_for(folder, settings)
    return True


def _standing(view: View, config: Config) -> Thresholds:
    if config.judge.get("name") != _JUDGE:
        raise ConfigError(
            f'this crawl has no perplexities to tune: its recipe is "{config.crawl.recipe}", its judge "{config.judge["name"]}". '
            f"To tune them, crawl with --recipe {_JUDGE}.{_instead(config)}"
        )
    bounds = [-bound for bound in config.policy.bounds]
    counts, judged = _by_bound(view.links.buckets(), config.policy), view.links.judged()
    return Thresholds(
        threshold=float(config.judge.get("threshold", 0.5)),
        max_perplexity=config.judge.get("max_perplexity") or None,
        high=bounds[0] if bounds else None,
        medium=bounds[1] if len(bounds) > 1 else None,
        cut=-config.policy.cut if config.policy.cut != NO_CUT else None,
        queued={name: counts.get(bucket, 0) for bucket, name in enumerate(BUCKETS)},
        below_cut=view.links.count_dropped(Drop.BELOW_CUT),
        judged=judged.pages,
        belong=judged.belong,
    )


def _by_bound(counts: Mapping[int, int], policy: PolicySettings) -> Counter[int]:
    """Adds up the steps of the queue between its bounds."""
    steps = graded(policy.bounds, policy.step)
    found: Counter[int] = Counter()
    for step, links in counts.items():
        found[bucket_of(steps[step], policy.bounds) if step < len(steps) else len(policy.bounds)] += links
    return found


def _instead(config: Config) -> str:
    """Returns advice for a judge that has a threshold of another kind, or ""."""
    judge = find_plugin("judge", str(config.judge["name"]))
    if "threshold" not in signature(getattr(judge, "build", judge)).parameters:
        return ""
    return (
        " You can also change its threshold, with `opilio control DIR set judge.threshold=0.4` while it runs, or --set when you "
        "resume it."
    )


def _settings(now: Thresholds, wishes: Wishes) -> list[str]:
    high, medium = wishes.high or now.high, wishes.medium or now.medium
    cut = wishes.cut or now.cut
    steps = [step for step in (high, medium, cut) if step is not None]
    if not all(map(isfinite, (*steps, wishes.max_perplexity or 0.0))):
        raise ConfigError("thresholds must be finite numbers. Nothing was changed.")
    if steps != sorted(steps):
        shown = ", ".join(f"{step:,.0f}" for step in steps)
        raise ConfigError(f"high, medium and cut must rise in this order; these would be {shown}. Nothing was changed.")
    settings = []
    if wishes.high or wishes.medium:
        settings.append(f"policy.bounds={[-step for step in (high, medium) if step is not None]}")
    if wishes.cut:
        settings.append(f"policy.cut={-wishes.cut}")
    if wishes.threshold is not None:
        if not 0.0 < wishes.threshold < 1.0:
            raise ConfigError(
                f"--threshold is a probability between 0 and 1, not {wishes.threshold}. Nothing was changed."
            )
        settings.append(f"judge.threshold={wishes.threshold}")
    if wishes.max_perplexity is not None:
        settings.append(f"judge.max_perplexity={wishes.max_perplexity}")
    return settings


def _wait_for(folder: CrawlFolder, settings: list[str]) -> None:
    """Waits until the crawl has committed the settings, which it does at once."""
    for _ in range(_CHECKS):
        with View(folder) as view:
            changed = view.meta.changed
        if changed[-len(settings) :] == settings:
            return
        time.sleep(_CHECK_S)


def _note(folder: CrawlFolder, settings: list[str]) -> None:
    """Writes the settings into the folder of a crawl that does not run."""
    with FolderLock(folder), Database(folder.database, SCHEMAS) as database:
        if (config := database.meta.config) is not None:
            database.meta.config = change_config(config, settings)
        database.meta.changed = [*database.meta.changed, *settings]
        database.commit()
