"""The verb `crawl`: starts a crawl, or resumes it. In Python it is an iterator over the documents."""

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from opilio.core.config import DEFAULT_RECIPE, Config, Layer, read_toml
from opilio.core.errors import ConfigError
from opilio.core.languages import language_codes
from opilio.core.renamed import old_names
from opilio.engine.build import Blueprint
from opilio.folder.database import is_left_unbegun
from opilio.judge import Judging
from opilio.lead import Lead

from .known import known
from .names import Names, absolute, each, paths
from .running import Running
from .sample_pages import sample_pages
from .scout_seeds import scout_seeds
from .seeds import choose_seeds
from .settings import Said, settle
from .until import until_settings

_BEGUN_ANEW: Final = "the folder holds a crawl that ended before anything was committed, so it is begun anew."


def crawl(
    config: Config | Mapping[str, Any] | str | Path,
    folder: str | Path | None = None,
    *,
    recipe: str | None = None,
    like: Names = (),
    language: str | Iterable[str] = (),
    positive: Names = (),
    negative: Names = (),
    seeds: Names = (),
    url: str | Iterable[str] = (),
    from_scout: str | Path | None = None,
    top: int = 0,
    pages: int | None = None,
    until: str | Iterable[str] = (),
    web: Names = (),
    workers: int | None = None,
    settings: Iterable[str] = (),
    judge: Judging | None = None,
    lead: Lead | None = None,
) -> Running:
    """Crawls and yields each document after it is safe on disk. The same call resumes where an earlier one ended.

        with opilio.crawl("my-corpus") as pages:
            for page in pages:
                ...

    Without `with`, a document whose loop body raises or is interrupted counts as handed out.

    `config` is a crawl's folder, with or without a crawl.toml, the path of a crawl.toml, the tables of one as a mapping, or a
    loaded `Config`; the corpus goes to `folder`, which for a path is the folder itself. `seeds` are URLs, or files with a URL
    per line; `from_scout` is a scout's directory, whose best `top` URLs are seeds too. With `web`, recorded pages are replayed
    instead of asking the network. `judge` and `lead` may be objects of your own. All other arguments mean the same as on the
    command line.
    """
    own, place = _own(config, folder)
    said = Said(
        recipe,
        (*settings, *until_settings(each(until)), *numbers(("stop.pages", pages), ("crawl.workers", workers))),
        absolute(like),
        absolute(positive),
        absolute(negative),
        # Bounds from samples do not fit the scores of the caller's own lead.
        DEFAULT_RECIPE if lead is not None else None,
        language_codes(each(language)),
    )
    before = known(place, own)
    settled = settle(before, said)
    plan = Blueprint(settled.config, place, judge=judge, lead=lead, web=paths(web))
    chosen = choose_seeds(settled.config, place, seeds, url, scout_seeds(from_scout, settled.config, top))
    warnings = [*settled.warnings, *old_names(filter(None, [before.own, said.layer]))]
    prepare = partial(sample_pages, settled.config, place, paths(web), lasting=True)
    notes = [*chosen.notes, *([_BEGUN_ANEW] if is_left_unbegun(plan.folder.database) else [])]
    return Running(plan, chosen.seeds, warnings, prepare, notes=notes)


def numbers(*named: tuple[str, int | None]) -> list[str]:
    """Returns the settings of those options that were given."""
    return [f"{key}={value}" for key, value in named if value is not None]


def _own(config: Config | Mapping[str, Any] | str | Path, folder: str | Path | None) -> tuple[Layer | None, Path]:
    """Returns the operator's own settings, if they are not those of the folder, and the folder."""
    if isinstance(config, str | Path):
        path = Path(config)
        is_file = path.suffix == ".toml" or path.is_file()
        home = path.parent if is_file else path
        toml = path if is_file else path / "crawl.toml"
        elsewhere = folder is not None and Path(folder).resolve() != home.resolve()
        own = Layer(str(toml), read_toml(toml)) if is_file or elsewhere else None
        return own, Path(folder) if folder else home
    if folder is None:
        raise ConfigError('where should the corpus go? Pass folder="…" along with settings that are not a folder.')
    tables = _tables(config) if isinstance(config, Config) else config
    return Layer("the settings", tables), Path(folder)


def _tables(config: Config) -> dict[str, Any]:
    """Returns the settings as tables. `other_languages` is left out unless it is true: a tree has a value for everything, which
    does not mean that somebody has said it."""
    tables: dict[str, Any] = msgspec.to_builtins(config)
    if not config.corpus.other_languages:
        del tables["corpus"]["other_languages"]
    return tables
