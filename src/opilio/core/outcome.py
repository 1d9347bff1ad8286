"""Every way in which a fetch, a URL or a page can end.

Two words, used everywhere and stored as they are:

* an `Outcome` says what the network gave for one attempt;
* a `Drop` says why a URL or a page went no further. A page without a drop was kept.

Rule: nothing ends without one of these, and each is counted.
"""

from enum import StrEnum


class Outcome(StrEnum):
    OK = "ok"
    REDIRECT = "redirect"
    NOT_MODIFIED = "not_modified"  # 304: what was fetched before still holds
    HTTP_ERROR = "http_error"  # 4xx and 5xx other than the two below
    THROTTLED = "throttled"  # 429 or 503: the host asks for patience
    CONNECT_REFUSED = "connect_refused"
    CONNECT_TIMEOUT = "connect_timeout"
    TIMEOUT_FIRST_BYTE = "timeout_first_byte"
    TIMEOUT_TOTAL = "timeout_total"
    TOO_SLOW = "too_slow"  # the body came more slowly than limits.least_bytes_per_s
    RESET = "reset"
    INCOMPLETE = "incomplete"  # fewer bytes than announced
    PROTOCOL_ERROR = "protocol_error"
    HEADERS_TOO_LARGE = "headers_too_large"
    TOO_LARGE = "too_large"
    TLS_ERROR = "tls_error"
    DNS_NOT_FOUND = "dns_not_found"
    DNS_TIMEOUT = "dns_timeout"
    DNS_ERROR = "dns_error"
    ADDRESS_REFUSED = "address_refused"
    SCHEME_REFUSED = "scheme_refused"
    PORT_REFUSED = "port_refused"
    ROBOTS_REFUSED = "robots_refused"  # only for what a scout asks; a link of a crawl has the drop `robots`
    PROXY_ERROR = "proxy_error"
    NOT_IN_WEB = "not_in_web"  # a recorded web has no answer for this URL

    @property
    def words(self) -> str:
        return _words(self)

    @property
    def worth_retrying(self) -> bool:
        """Returns whether the same request may well succeed a little later."""
        return self in _RETRYABLE_OUTCOMES

    @property
    def blames_host(self) -> bool:
        """Returns whether other pages of the host would probably fail now, too."""
        return self in _RETRYABLE_OUTCOMES or self in _HOPELESS_OUTCOMES


_HOPELESS_OUTCOMES = frozenset({Outcome.DNS_NOT_FOUND, Outcome.ADDRESS_REFUSED, Outcome.TLS_ERROR})
_RETRYABLE_OUTCOMES = frozenset(
    {
        Outcome.THROTTLED,
        Outcome.CONNECT_REFUSED,
        Outcome.CONNECT_TIMEOUT,
        Outcome.TIMEOUT_FIRST_BYTE,
        Outcome.TIMEOUT_TOTAL,
        Outcome.TOO_SLOW,
        Outcome.RESET,
        Outcome.INCOMPLETE,
        Outcome.DNS_TIMEOUT,
        Outcome.DNS_ERROR,
        Outcome.PROXY_ERROR,
    }
)


class Drop(StrEnum):
    # discover: the URL is never a seed
    SET_ASIDE = "set_aside"  # only messages that failed the language filter name it
    UNWANTED_HOST = "unwanted_host"  # its host is on the block list
    FEED = "feed"
    AD = "ad"
    SPAM = "spam"
    # admission: the URL is never queued
    MALFORMED_URL = "malformed_url"
    SCHEME = "scheme"
    URL_TOO_LONG = "url_too_long"
    ADDRESS = "address"
    HOST_OUT_OF_SCOPE = "host_out_of_scope"
    DOMAIN_OUT_OF_SCOPE = "domain_out_of_scope"
    URL_EXCLUDED = "url_excluded"
    URL_NOT_INCLUDED = "url_not_included"
    TOO_DEEP = "too_deep"
    MEDIA = "media"
    EXTENSION = "extension"
    REPEATED_SEGMENTS = "repeated_segments"
    QUERY_EXPLOSION = "query_explosion"
    NOFOLLOW = "nofollow"
    REDIRECT_LIMIT = "redirect_limit"
    BELOW_CUT = "below_cut"  # the lead's score is under the policy's cut
    LAYER_CUT = "layer_cut"  # beyond the best N of its layer
    HOST_FULL = "host_full"  # the host has reached scope.pages_per_host
    # lease and fetch
    DAMAGED = "damaged"  # its row in the database was changed by something other than Opilio
    ROBOTS = "robots"
    HOST_DEAD = "host_dead"
    FETCH_FAILED = "fetch_failed"  # the outcome says how
    NOT_IN_WEB = "not_in_web"  # a recorded web does not hold it, which is not a failure
    REDIRECTED = "redirected"  # its target takes its place, if it may be queued
    LISTING = "listing"  # a sitemap or a feed, whose links were taken
    # glean: bytes that cannot be turned into a page
    CONTENT_TYPE = "content_type"
    DECODE_LIMIT = "decode_limit"
    DECODE_ERROR = "decode_error"
    NOT_TEXT = "not_text"
    GARBLED = "garbled"  # its letters were lost, by its own encoding or earlier
    BROKEN_PDF = "broken_pdf"
    LOCKED_PDF = "locked_pdf"  # it asks for a password
    LONG_PDF = "long_pdf"  # it has more pages than limits.pdf_pages, or its streams hold more than 32 MB
    GLEAN_FAILED = "glean_failed"  # the page crashed its worker; the other pages are not affected
    # judge and keep: a page that is not in the corpus
    NO_TEXT = "no_text"
    SCRIPT_SHELL = "script_shell"  # no text, because a script would write it
    TOO_SHORT = "too_short"
    NOT_RELEVANT = "not_relevant"
    MARKED_NO = "marked_no"  # the operator said so
    OPTED_OUT = "opted_out"
    DUPLICATE = "duplicate"

    @property
    def words(self) -> str:
        return _words(self)

    @property
    def is_unreadable(self) -> bool:
        """Returns whether an answer came that has no text for a judge to read."""
        return self in _UNREADABLE_DROPS


_UNREADABLE_DROPS = frozenset(
    {
        Drop.CONTENT_TYPE,
        Drop.DECODE_LIMIT,
        Drop.DECODE_ERROR,
        Drop.NOT_TEXT,
        Drop.GARBLED,
        Drop.BROKEN_PDF,
        Drop.LOCKED_PDF,
        Drop.LONG_PDF,
        Drop.GLEAN_FAILED,
        Drop.NO_TEXT,
        Drop.SCRIPT_SHELL,
    }
)


_SPELLED = {
    "not_in_web": "not in this web",
    "broken_pdf": "broken PDF",
    "locked_pdf": "locked PDF",
    "long_pdf": "long PDF",
}


def _words(value: Outcome | Drop) -> str:
    return _SPELLED.get(value, value.value.replace("_", " "))
