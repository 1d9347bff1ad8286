"""Fetches an origin's robots.txt, follows its redirects, and reads each answer as RFC 9309 says.

Rules:
* 2xx is read. 4xx and too many redirects mean that there are no rules; the operator may choose that 401 and 403 forbid
  all.
* 429, 5xx, an unreadable answer and a failed connection mean that the rules are not known: everything is forbidden
  until the origin is asked again.
* Rules hold for the origin that was asked, wherever its redirects led. The address of each hop is checked, and each hop
  after the first needs a permit, which keeps the host's delay.
"""

from collections.abc import Awaitable, Callable
from typing import Final

from opilio.core.items import Fetched
from opilio.core.limits import Limits
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import Url, parse

from .decode import decode_start
from .fetcher import Fetcher
from .robots import Rules, allow_all, disallow_all, parse_rules
from .terms import Terms

_START: Final = Terms(cut=True)
Permit = Callable[[Url, str], Awaitable[bool]]

_FORBIDDEN_STATUSES: Final = frozenset({401, 403})
_ERROR_OUTCOMES: Final = frozenset({Outcome.HTTP_ERROR, Outcome.NOT_MODIFIED})  # nobody has asked for a 304 here
_ABSENT_OUTCOMES: Final = frozenset({Outcome.REDIRECT, Outcome.NOT_IN_WEB})


async def fetch_robots(
    fetcher: Fetcher,
    origin: Url,
    permit: Permit,
    limits: Limits,
    product: str,
    *,
    strict_forbidden: bool = False,
) -> tuple[Rules, Fetched]:
    """Returns the rules for the origin of `origin` (any URL on it), and the last answer on the way to them."""
    url = Url(f"{origin.origin}/robots.txt", origin.scheme, origin.host, origin.port, "/robots.txt", "")
    fetched = await _ask(fetcher, url, await fetcher.locate(url))
    for _ in range(limits.redirects):
        if fetched.outcome is not Outcome.REDIRECT:
            break
        target = parse(fetched.location)
        if isinstance(target, Drop):
            fetched = Fetched(fetched.location, Outcome.SCHEME_REFUSED)
            break
        address = await fetcher.locate(target)
        if not isinstance(address, Outcome) and not await permit(target, address):
            return disallow_all(unreachable=True), fetched
        fetched = await _ask(fetcher, target, address)
    return rules_for(fetched, product, strict_forbidden=strict_forbidden, limit=limits.robots_bytes), fetched


def rules_for(fetched: Fetched, product: str, *, strict_forbidden: bool, limit: int = Limits().robots_bytes) -> Rules:
    """Returns the rules that an answer to a request for robots.txt implies; a redirect here is one too many."""
    if fetched.outcome is Outcome.OK:
        text = decode_start(fetched.body, fetched.header("content-encoding"), limit + 1)
        return disallow_all(unreachable=True) if isinstance(text, Drop) else parse_rules(text, product, limit)
    if fetched.outcome in _ABSENT_OUTCOMES:
        return allow_all()
    if fetched.outcome in _ERROR_OUTCOMES and fetched.status < 500:
        forbidden = strict_forbidden and fetched.status in _FORBIDDEN_STATUSES
        return disallow_all(unreachable=False) if forbidden else allow_all()
    return disallow_all(unreachable=True)


async def _ask(fetcher: Fetcher, url: Url, address: str | Outcome) -> Fetched:
    if isinstance(address, Outcome):
        return Fetched(url.href, address)
    return await fetcher.fetch(url, address, _START)  # of a file that is too long, its beginning counts
