"""Which found URLs may be seeds: pure rules, each with a drop and a reason in words.

Rules, the cheapest first: http and https only, no host of the block list, no file, no feed, no advertisement, and nothing that
links of spam have. They look at the URL alone: what its page is worth, the probe says. A URL that is refused
wrongly is one seed of thousands, and its row in the directory says why; so they may be a little too strict, but never about a
whole language or country.
"""

import re
from typing import Final, NamedTuple

from opilio.core.media import MEDIA_ENDINGS, is_feed_path, path_ending
from opilio.core.outcome import Drop
from opilio.core.url import Url, parse

from .blocklist import Blocklist

_MOST_CHARS: Final = 2_000
_FEED_QUERY: Final = re.compile(r"(?:^|&)(?:feed=(?:rss2?|atom|rdf)|format=(?:rss|atom|feed)|type=rss)(?:&|$)")
_AD_HOST: Final = re.compile(r"(?:^|\.)(?:ads?\d*|adserver|adserv|adclick|adtrack|banners?|sponsors?|affiliates?)\.")
_AD_PATH: Final = re.compile(r"/(?:adclick|adserver|ad_redirect|banners?|bannerclick|openx|clickthru)(?:[/.]|$)")
# Words that spam has in the names of its hosts. In a path they may be the subject of an article.
_SPAM_HOST: Final = re.compile(
    r"viagra|cialis|levitra|xanax|tramadol|phentermine|porn|xxx|escort|sexcam|camgirl|hentai|casino|poker|togel|slot-?online|"
    r"judi-?online|sportsbook|betting|payday|replica"
)
_SPAM_PATH: Final = re.compile(
    r"/(?:wp-login|xmlrpc|wp-admin|phpmyadmin)(?:[/.]|$)|(?:buy|cheap|order)-(?:viagra|cialis|xanax)"
)
_SPAM_QUERY: Final = re.compile(r"(?:^|&)(?:replytocom|add-to-cart|action=login)(?:[=&]|$)")


class Refusal(NamedTuple):
    drop: Drop
    reason: str = ""


class UrlFilter:
    def __init__(self, blocklist: Blocklist) -> None:
        self._blocklist = blocklist

    def read(self, raw: str) -> Url | Refusal:
        """Returns the canonical form of a URL that may be a seed, or why it may not."""
        url = parse(raw.strip())
        if isinstance(url, Drop):
            return Refusal(url)
        return self.refuse(url) or url

    def refuse(self, url: Url) -> Refusal | None:
        if len(url.href) > _MOST_CHARS:
            return Refusal(Drop.URL_TOO_LONG)
        if reason := self._blocklist.reason(url.host):
            return Refusal(Drop.UNWANTED_HOST, reason)
        path, query = url.path.lower(), url.query.lower()
        if is_feed_path(path) or _FEED_QUERY.search(query):
            return Refusal(Drop.FEED)
        if (ending := path_ending(path)) in MEDIA_ENDINGS:
            return Refusal(Drop.MEDIA, f"its path ends in .{ending}")
        if _AD_HOST.search(url.host) or _AD_PATH.search(path):
            return Refusal(Drop.AD)
        spam = _SPAM_HOST.search(url.host) or _SPAM_PATH.search(path) or _SPAM_QUERY.search(query)
        return Refusal(Drop.SPAM, f"its URL has “{spam[0].strip('/&=.')}”") if spam else None
