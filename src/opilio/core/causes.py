"""Why a link went no further, in words, and the settings that would change it.

Rule: a link that ended for one of these reasons comes back when one of its settings is changed (`engine.readmission`), and
`opilio why` and the message of a crawl that fetched nothing name the same settings. So both are told by one table.
In the words, {host}, {status} and {depth} are those of the link.
"""

from typing import Final, NamedTuple

from .outcome import Drop, Outcome


class Cause(NamedTuple):
    words: str
    settings: tuple[str, ...] = ()  # of which each would change it
    advice: str = ""  # to be told in place of the settings


_HOSTS: Final = "name its address in fetch.hosts"
_CHECK_URL: Final = "check the URL in a browser"
READ_PDF: Final = 'a PDF is read with limits.pdf_pages=500, and with the extra installed: pip install "opilio[pdf]"'
_TRY_AGAIN: Final = "the same command tries again if nothing was fetched"

CAUSES: Final[dict[Drop | Outcome, Cause]] = {
    # --- discover
    Drop.SET_ASIDE: Cause("only messages that failed the language filter name it", ("scout.exclude",)),
    Drop.UNWANTED_HOST: Cause("{host} is on the block list", ("scout.blocklist",)),
    Drop.FEED: Cause("it is a feed, and not a page"),
    Drop.AD: Cause("it is an advertisement"),
    Drop.SPAM: Cause("its URL looks like spam"),
    # --- admission
    Drop.MALFORMED_URL: Cause("it is not a valid URL"),
    Drop.SCHEME: Cause("it is not an http or https URL"),
    Drop.URL_TOO_LONG: Cause("its URL is too long", ("scope.url_chars",)),
    Drop.ADDRESS: Cause("{host} is not a public address", ("fetch.allow_private_addresses",)),
    Drop.HOST_OUT_OF_SCOPE: Cause("its host {host} is out of scope", ("scope.hosts",)),
    Drop.DOMAIN_OUT_OF_SCOPE: Cause("its host {host} is in none of the domains in scope", ("scope.domains",)),
    Drop.URL_EXCLUDED: Cause("its URL is excluded", ("scope.exclude",)),
    Drop.URL_NOT_INCLUDED: Cause("no pattern includes its URL", ("scope.include",)),
    Drop.TOO_DEEP: Cause("it is {depth} links away from a seed", ("scope.max_depth",)),
    Drop.MEDIA: Cause(
        "its path ends like that of a file that is not a page", ("scope.media", "limits.pdf_pages")
    ),  # the second for PDFs
    Drop.EXTENSION: Cause("its path has another extension", ("scope.extensions",)),
    Drop.REPEATED_SEGMENTS: Cause("its path repeats itself, as in a trap", ("scope.repeated_segments",)),
    Drop.QUERY_EXPLOSION: Cause(
        "its path has had too many queries, or its query too many parameters",
        ("scope.query_parameters", "scope.queries_per_path"),
    ),
    Drop.NOFOLLOW: Cause("the page that links to it asks that its links are not followed", ("scope.follow_nofollow",)),
    Drop.REDIRECT_LIMIT: Cause("too many redirects one after the other", ("limits.redirects",)),
    Drop.BELOW_CUT: Cause("its score is under the cut", ("policy.cut",)),
    Drop.LAYER_CUT: Cause("better links filled its layer", (), "policy.keep_rest=true lets such links wait"),
    Drop.HOST_FULL: Cause("its host has given as many pages as it may", ("scope.pages_per_host",)),
    # --- lease and fetch
    Drop.DAMAGED: Cause("what is stored of it is damaged", (), "check the disk, and restore the folder from a backup"),
    Drop.ROBOTS: Cause(
        "robots.txt of {host} disallows it",
        ("operator.name", "fetch.robots_forbidden_is_disallow"),
        "no setting overrides robots.txt; its webmaster may allow your operator.name",
    ),
    Drop.HOST_DEAD: Cause("its host was given up after failures in a row", ("fetch.host_failures",)),
    Drop.FETCH_FAILED: Cause("it could not be fetched"),
    Drop.NOT_IN_WEB: Cause("not in this web", (), "--web may name more WARC files"),
    Drop.REDIRECTED: Cause("it redirects to another URL"),
    Drop.LISTING: Cause(
        "it is a sitemap or a feed: its links were taken, and it is not a page", ("scope.sitemaps", "scope.feeds")
    ),
    Outcome.NOT_MODIFIED: Cause("{host} says that it has not changed, which nobody had asked", (), _CHECK_URL),
    Outcome.HTTP_ERROR: Cause("HTTP {status}", (), _CHECK_URL),
    Outcome.THROTTLED: Cause("its server asks for patience (HTTP {status})", ("fetch.tries",)),
    Outcome.CONNECT_REFUSED: Cause("connection refused", (), "check that its server runs, and the port"),
    Outcome.CONNECT_TIMEOUT: Cause("no connection within limits.connect_s", ("limits.connect_s", "fetch.proxy")),
    Outcome.TIMEOUT_FIRST_BYTE: Cause("no answer within limits.first_byte_s", ("limits.first_byte_s",)),
    Outcome.TIMEOUT_TOTAL: Cause("the answer took longer than limits.total_s", ("limits.total_s",)),
    Outcome.TOO_SLOW: Cause("its answer came too slowly", ("limits.least_bytes_per_s",)),
    Outcome.RESET: Cause("its server closed the connection", (), _TRY_AGAIN),
    Outcome.INCOMPLETE: Cause("fewer bytes came than were announced", (), _TRY_AGAIN),
    Outcome.PROTOCOL_ERROR: Cause("the answer is not HTTP", (), "check the port and the scheme"),
    Outcome.HEADERS_TOO_LARGE: Cause(
        "its headers are too large", ("limits.header_bytes", "limits.header_line_bytes", "limits.header_fields")
    ),
    Outcome.TOO_LARGE: Cause("it is larger than limits.body_bytes", ("limits.body_bytes",)),
    Outcome.TLS_ERROR: Cause(
        "the TLS certificate of {host} is not valid, or TLS failed", (), "no setting turns this check off; try http://"
    ),
    Outcome.DNS_NOT_FOUND: Cause("there is no DNS name {host}", ("fetch.hosts",), f"check its spelling, or {_HOSTS}"),
    Outcome.DNS_TIMEOUT: Cause("the DNS server did not answer for {host}", ("fetch.hosts",), f"try again, or {_HOSTS}"),
    Outcome.DNS_ERROR: Cause("the DNS server failed for {host}", ("fetch.hosts",), f"try again, or {_HOSTS}"),
    Outcome.ADDRESS_REFUSED: Cause(
        "the name {host} leads to an address that is not public", ("fetch.allow_private_addresses", "fetch.hosts")
    ),
    Outcome.SCHEME_REFUSED: Cause("it redirects to a URL that is not http or https"),
    Outcome.PORT_REFUSED: Cause("its port is not one of the web", ("fetch.ports", "fetch.allow_private_addresses")),
    Outcome.ROBOTS_REFUSED: Cause("robots.txt forbids it"),
    Outcome.PROXY_ERROR: Cause("the proxy failed", ("fetch.proxy",)),
    Outcome.NOT_IN_WEB: Cause("not in this web", (), "--web may name more WARC files"),
    # --- glean, judge and keep
    Drop.CONTENT_TYPE: Cause("it is neither HTML nor plain text", ("limits.pdf_pages",), READ_PDF),
    Drop.DECODE_LIMIT: Cause("unpacked, it is larger than limits.decoded_bytes", ("limits.decoded_bytes",)),
    Drop.DECODE_ERROR: Cause("its content coding is broken"),
    Drop.NOT_TEXT: Cause("its bytes are not text"),
    Drop.GARBLED: Cause("its letters are lost: its bytes are text in no encoding, or were read in a wrong one before"),
    Drop.BROKEN_PDF: Cause("it is a PDF that cannot be opened"),
    Drop.LOCKED_PDF: Cause("it is a PDF that asks for a password"),
    Drop.LONG_PDF: Cause(
        "it is a PDF with more pages than limits.pdf_pages, or with far too much on them", ("limits.pdf_pages",)
    ),
    Drop.GLEAN_FAILED: Cause("it could not be parsed or judged"),
    Drop.NO_TEXT: Cause("it has no text (scripts are not run)"),
    Drop.SCRIPT_SHELL: Cause("it is an empty shell that a script would fill (scripts are not run)"),
    Drop.TOO_SHORT: Cause("its text is too short", (), "set keep.min_chars, then `opilio judge again`"),
    Drop.NOT_RELEVANT: Cause("the judge says that it does not belong"),
    Drop.MARKED_NO: Cause("you marked it as not belonging"),
    Drop.OPTED_OUT: Cause("it asks not to be used", (), "keep.opted_out=true keeps such pages from then on"),
    Drop.DUPLICATE: Cause("a page with the same text is in the corpus"),
}
