"""URLs that only lead to another one: those of known shorteners, and all that are short enough to be of an unknown one.

They are asked where they lead (HEAD) before one URL of each domain is drawn, since the domain of the target counts.
"""

from typing import Final

from opilio.core.url import Url

_SHORTENERS: Final = frozenset((
    "adf.ly", "amzn.to", "b23.tv", "bit.do", "bit.ly", "bitly.com", "buff.ly", "clck.ru", "cutt.ly", "dlvr.it", "fb.me",
    "flip.it", "geni.us", "hubs.ly", "is.gd", "j.mp", "lnkd.in", "mcaf.ee", "ow.ly", "post.ly", "rb.gy", "rebrand.ly", "s.id",
    "shorturl.at", "snip.ly", "soo.gd", "su.pr", "t.cn", "t.co", "t.ly", "tiny.cc", "tinyurl.com", "tr.im", "trib.al", "u.to",
    "urlz.fr", "v.gd", "wp.me", "xurl.es", "youtu.be",
))  # fmt: skip


def is_shortener(host: str) -> bool:
    return host.removeprefix("www.") in _SHORTENERS


def is_to_be_resolved(url: Url, short_chars: int) -> bool:
    """Returns whether it is asked where the URL leads; `short_chars` is scout.short_url_chars, 0 for none at all."""
    return bool(short_chars) and (is_shortener(url.host) or len(url.href) < short_chars)
