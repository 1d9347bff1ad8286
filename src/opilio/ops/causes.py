"""Why a URL went no further, told from the folder of its crawl: the rule, the setting or the error, and what would change it.

The words are in the table of causes (`core.causes`). Added here is what only the folder knows: the line of robots.txt, the
pattern, the values of the settings, and where redirects have led.
"""

import re
import shlex
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from opilio.core.causes import CAUSES, READ_PDF
from opilio.core.config import Config, value_of
from opilio.core.items import Record
from opilio.core.mistyped import toml
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import Url, split
from opilio.engine.visit import ROBOTS_TXT
from opilio.enqueue.reader import MetLink
from opilio.enqueue.store import FAILED_DROPS
from opilio.folder import View
from opilio.judge.language import NAME as LANGUAGE

_MOST_CHARS: Final = 200  # of a setting's value that are shown
_STOPS: Final = {"only cooling hosts": "crawl.max_wait_s", "time reached": "stop.seconds"}  # reason → setting


class Told(NamedTuple):
    """Why, and what would change it; "" if nothing would."""

    cause: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.cause}: {self.remedy}" if self.remedy else self.cause


def tell(view: View, found: MetLink) -> Told | None:
    """Returns why the link was not kept, or was not fetched yet though it was tried; None where there is nothing to tell."""
    link, ending = found
    # Older versions left the redirect on a link that was queued again.
    is_untold = ending.outcome in (None, Outcome.OK, Outcome.REDIRECT)
    if link.drop is None and (link.is_fetched or is_untold):
        return None
    outcome = ending.outcome
    if link.drop is Drop.HOST_DEAD and outcome is None:
        outcome = view.links.last_failure(link.host)
    is_failed = link.drop is None or link.drop in FAILED_DROPS
    kind: Drop | Outcome | None = outcome if is_failed and outcome else link.drop
    assert kind is not None
    words = CAUSES[kind].words.format(host=view.links.host(link.host).name, status=ending.status, depth=link.depth)
    if is_failed and ending.detail == ROBOTS_TXT:
        words = f"robots.txt could not be fetched: {words}"
    if link.drop is Drop.HOST_DEAD and kind is not link.drop:
        words = f"{words}; its host was given up after {view.config.fetch.host_failures} failures in a row"
    return Told(words + _detail(view, link.url, link.drop), _remedy(kind, link.url, view.config))


def tell_refusal(view: View, url: Url, drop: Drop, depth: int = 0) -> Told:
    """Returns why a URL that has no row is refused."""
    words = CAUSES[drop].words.format(host=url.host, status=0, depth=depth)
    return Told(words + _detail(view, url.href, drop), _remedy(drop, url.href, view.config))


def language_remedy(view: View, record: Record) -> str:
    """Returns what would keep a page that the filter by language has refused; "" if that did not."""
    only = view.config.corpus.only
    asked = any(opinion.judge == LANGUAGE for opinion in record.opinions)
    if not asked or not only or record.language in only:
        return ""
    wishes = (_wish(name, view.config) for name in ("corpus.languages", "corpus.other_languages"))
    return f"{', or '.join(wishes)}; then {shlex.join(['opilio', 'judge', 'again', str(view.folder.path)])}"


def tell_seed(view: View, found: MetLink) -> Told:
    """Returns why no page came of a seed, following its redirects."""
    way = view.links.redirects(found)
    last, urls = way[-1], [each.link.url for each in way]
    if last.link.drop is Drop.REDIRECTED:
        return Told("it redirects to itself" if len(way) == 1 else f"a redirect loop: {' → '.join(urls)}")
    told = tell(view, last) or _too_late(view)
    to = f"redirected to {urls[-1]}: " if len(way) > 1 else ""
    return told._replace(cause=f"{to}{told.cause}")


def _too_late(view: View) -> Told:
    setting = _STOPS.get(view.meta.tally.stop_reason)
    remedy = _wish(setting, view.config) if setting else ""
    return Told("it was not fetched before the crawl stopped", remedy)


def _detail(view: View, href: str, drop: Drop | None) -> str:
    """Returns what the folder knows beyond the words of the table."""
    url = split(href)
    if isinstance(url, Drop):
        return ""
    if drop is Drop.ROBOTS:
        rules = view.robots(url.origin)
        line = rules.refusing_line(url) if rules else ""
        return f" ({line})" if line else ""
    if drop is Drop.URL_EXCLUDED:
        matching = (pattern for pattern in view.config.scope.exclude if re.search(pattern, url.href))
        return "".join(f" by the pattern {toml(pattern)}" for pattern in list(matching)[:1])
    return ""


def _remedy(kind: Drop | Outcome, href: str, config: Config) -> str:
    cause = CAUSES[kind]
    if kind is Drop.MEDIA:
        return READ_PDF if urlsplit(href).path.lower().endswith(".pdf") else _wish(cause.settings[0], config)
    return cause.advice or ", or ".join(filter(None, (_wish(name, config) for name in cause.settings)))


def _wish(name: str, config: Config) -> str:
    """Returns the value of a switch that lets links in, unless it has that already; the present value of any other setting."""
    value = value_of(config, name)
    if isinstance(value, bool):
        return "" if value else f"{name}=true"
    shown = toml(value)
    return f"{name} (now {shown if len(shown) <= _MOST_CHARS else shown[:_MOST_CHARS] + '…'})"
