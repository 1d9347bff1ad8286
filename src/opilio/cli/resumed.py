"""What a folder says of the crawl in it, where the operator does not: a crawl that has begun goes on as it was.

Rules: a crawl.toml is the operator's own word, and nothing stored is laid over it; if the crawl is then no longer what it was,
that is said. Without one, all that the last run was told counts again, except when to stop and what belongs to the machine. A
new recipe, new samples, or labelled pages for a judge that reads none take the place of the old recipe and of its judge, lead
and policy.
"""

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec

from opilio.core.config import Config, parse_setting, restore_config
from opilio.folder import CrawlFolder
from opilio.folder.database import open_readonly

from .focus import LABELLED

_LASTING: Final = ("operator", "seeds", "scope", "fetch", "limits", "keep", "corpus")
_FOCUS: Final = ("judge", "lead", "policy")


def stored_config(folder: Path) -> Config | None:
    """Of the last run; none where there was none."""
    database = CrawlFolder(folder).database
    if not database.exists():
        return None
    with closing(open_readonly(database)) as connection:
        row = connection.execute("SELECT value FROM meta WHERE key = 'config'").fetchone()
    return restore_config(row[0]) if row else None


def resumed_tables(stored: Config, recipe: str | None, settings: Sequence[str]) -> Mapping[str, Any]:
    """The tables of a run that the operator has said no more about than this. `settings` have the new samples in them."""
    changes = [parse_setting(setting) for setting in settings]
    samples = [each["corpus"]["like"] for each in changes if "like" in each.get("corpus", {})]
    labelled = any({"positive", "negative"} & each.get("judge", {}).keys() for each in changes)
    renewed = (
        recipe
        or any(each.get("crawl", {}).get("recipe") for each in changes)
        or any(like not in ([], [*stored.corpus.like]) for like in samples)
        or (labelled and stored.judge["name"] != LABELLED)
    )
    tables: dict[str, Any] = msgspec.to_builtins(stored)
    kept = {name: tables[name] for name in (*_LASTING, *(() if renewed else _FOCUS))}
    return kept if renewed else {**kept, "crawl": {"recipe": stored.crawl.recipe, "seed": stored.crawl.seed}}


def other_focus(stored: Config, config: Config) -> str | None:
    """A warning, if a crawl goes on as another one than it began."""
    before, now = ((each.judge["name"], each.lead["name"], each.corpus.like) for each in (stored, config))
    if before == now:
        return None
    return (
        f'so far this crawl had the recipe "{stored.crawl.recipe}" ({_focus(stored)}), and now goes on with '
        f'"{config.crawl.recipe}" ({_focus(config)}). If that is not what you want, stop it, and repeat the options of the first '
        "run or write them into crawl.toml."
    )


def _focus(config: Config) -> str:
    return f"judge {config.judge['name']}, lead {config.lead['name']}, {len(config.corpus.like)} samples"
