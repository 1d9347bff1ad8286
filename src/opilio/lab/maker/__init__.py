"""Made webs: webs of any size that are generated instead of recorded, with many hosts and complete labels.

A `Library` holds texts by language and topic. `Parameters` and a library make a `Plan`: hosts first, then the kind,
language, topic and date of every page. `Links` draws the links of each page, `prose` chooses its text, `Markup` puts
both into the templates of the host's `Engine`, and `make_web` writes page after page with its labels, and returns
statistics. A `MadeFetcher` writes nothing: it makes the pages that a crawl asks for. `make_tunnel` makes one small web of
another kind, in which relevant pages are hidden behind irrelevant ones. A `Newsroom` invents events and writes stories about
them, a `NewsWeb` is what its sites show on one day, and `make_news` writes that.
"""

from .fetcher import MadeFetcher
from .library import Library
from .news import NewsWeb, make_news
from .newsroom import Newsroom
from .parameters import PURE_SETTINGS, Parameters
from .plan import Plan
from .tunnel import make_tunnel
from .write import make_web

__all__ = [
    "PURE_SETTINGS",
    "Library",
    "MadeFetcher",
    "NewsWeb",
    "Newsroom",
    "Parameters",
    "Plan",
    "make_news",
    "make_tunnel",
    "make_web",
]
