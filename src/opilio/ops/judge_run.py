"""The verb `judge run`: filters existing WARC files into a corpus.

It is a crawl of the recorded pages that follows no link: every page of the files is a seed. So judging, keeping, resuming and
`opilio why` work as for any crawl.
"""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from opilio.core.config import BY_FOCUS
from opilio.core.errors import ConfigError
from opilio.core.items import Seed
from opilio.core.languages import language_codes
from opilio.engine.build import Blueprint
from opilio.engine.loop import Crawl
from opilio.engine.samples import read_samples
from opilio.fetch.recorded import RecordedWeb

from .crawl import numbers
from .known import known
from .names import Names, absolute, each, paths
from .running import Running
from .sample_pages import sample_pages
from .settings import Said, settle
from .writing import output_folder

# The pages are already there: no link is followed, protection against traps is not needed, and commits can be rare, since a
# kill loses only processor time. Delays and the address guard stay as they are: the folder keeps its settings, and a later
# crawl of the network with them must be polite. In simulated time a delay costs nothing.
_REPLAY_SETTINGS: Final = (
    "scope.max_depth=0", "scope.media=true", "scope.url_chars=1000000", "scope.repeated_segments=1000000",
    "scope.query_parameters=1000000", "scope.queries_per_path=1000000000", "scope.pages_per_host=0", "fetch.tries=1",
    "fetch.host_failures=1000000", "lead.name=breadth-first", "policy.wave=none", "policy.cut=-1e308",
    "policy.bounds=[]", "crawl.commit_pages=256",
)  # fmt: skip


def judge_run(
    files: Names,
    output: str | Path,
    *,
    like: Names = (),
    language: str | Iterable[str] = (),
    recipe: str | None = None,
    web: Names = (),
    workers: int | None = None,
    settings: Iterable[str] = (),
) -> Running:
    """Judges every page of the WARC files, and yields those that belong once they are safe on disk. The same call resumes.
    Samples that are URLs are fetched, or taken from the WARC files in `web`."""
    recorded = paths(files)
    if missing := [str(path) for path in recorded if not path.is_file()]:  # checked before a folder is created
        raise ConfigError(f"there is no file {', '.join(missing)}. Name WARC files with responses.")
    place = output_folder(output)
    said = [*_REPLAY_SETTINGS, *settings, *numbers(("crawl.workers", workers))]
    before = known(place).without_last_run()
    chosen = recipe or (None if before.own else BY_FOCUS)
    config = settle(before, Said(chosen, tuple(said), absolute(like), languages=language_codes(each(language)))).config
    read_samples(each(like))  # raises before a folder is created
    fetch = partial(sample_pages, config, place, paths(web), lasting=True)
    return Running(Blueprint(config, place, web=recorded), _every_page, prepare=fetch)


def _every_page(crawl: Crawl) -> list[Seed]:
    """Returns the pages in the order in which they were recorded. A robots.txt is read as such, never as a document."""
    web = crawl.parts.fetcher
    assert isinstance(web, RecordedWeb)
    for links in crawl.parts.frontier.links.all_open():
        missing = [row.url for row, _ in links if not row.hops and row.url not in web]
        if missing:
            raise ConfigError(
                f"the folder has pages queued that these files do not hold, such as {missing[0]}. Name the files of the run "
                "before too, or choose another folder."
            )
    return [Seed(url, "of the recorded web") for url in web.urls() if urlsplit(url).path != "/robots.txt"]
