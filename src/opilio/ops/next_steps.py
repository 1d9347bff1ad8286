"""What `why` proposes to do next: commands for a shell, each with a comment on what it does.

Rule: a URL comes from a page, so every word is quoted before it is put into a command.
"""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from opilio.core.outcome import Drop
from opilio.enqueue import StoredLink
from opilio.enqueue.reader import MetLink

_TWIN: Final = "same text as "  # how the detail of a duplicate begins


def fetch_as_seed(folder: Path, url: str) -> Iterator[str]:
    yield _command("crawl", folder, "--url", url, says="fetch it as a seed")


def while_open(folder: Path, url: str) -> Iterator[str]:
    yield _command("mark", folder, url, "yes", says="keep it when it is fetched, whatever the judge says")
    yield _command("status", folder, says="how the crawl stands")


def after_ending(folder: Path, found: MetLink, judge: str) -> Iterator[str]:
    """`judge` is the name of the judge of the crawl."""
    link, ending = found
    if link.drop in (None, Drop.NOT_RELEVANT, Drop.MARKED_NO, Drop.BELOW_CUT):
        yield from _change(folder, link, judge)
    elif link.drop is Drop.DUPLICATE:
        yield _command("why", folder, ending.detail.removeprefix(_TWIN), says="the page with the same text")
    elif link.drop is Drop.REDIRECTED:
        yield _command("why", folder, ending.detail, says="where it leads")
    else:
        yield _command("status", folder, says="how many others ended like this")


def _change(folder: Path, link: StoredLink, judge: str) -> Iterator[str]:
    if link.drop is None:
        yield _command("mark", folder, link.url, "no", says="if it does not belong")
    else:
        yield _command("mark", folder, link.url, "yes", says="if it belongs")
    if judge == "perplexity":
        yield _command("tune", folder, says="show the thresholds, or move them")
    if link.drop is not Drop.BELOW_CUT:
        yield _command("pages", folder, "--near", says="other pages that were kept or refused by little")


def _command(verb: str, folder: Path, *arguments: str, says: str) -> str:
    return f"{shlex.join(['opilio', verb, str(folder), *arguments])}  # {says}"
