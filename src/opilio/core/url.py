"""URLs: one parser (WHATWG, by ada) for the check and for the connection, and one canonical form for identity.

Canonical form: what a browser would request, without user name, password and fragment, without an empty query, without
well-known tracking parameters, percent-escapes normalised (unreserved characters decoded, hex digits in capitals).
Query parameters keep their order, because it may matter to the server.

Keys, from narrow to wide: `href` (a page), `origin` (robots.txt), `host` (queue and politeness), `domain`
(registered domain by the public-suffix list).
"""

import hashlib
import re
from functools import lru_cache
from typing import Final, NamedTuple

import ada_url
from publicsuffixlist import PublicSuffixList

from .outcome import Drop

_TRACKING_PARAMETER: Final = re.compile(r"(?:utm_[a-z]+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|yclid)(?:=|$)")
# It matches a stray % too, so that decoding what follows cannot turn it into an escape.
_ESCAPE: Final = re.compile(r"%([0-9a-fA-F]{2})?")
_UNRESERVED_BYTES: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
_SCHEME: Final = re.compile(r"[\x00-\x20]*([a-zA-Z][a-zA-Z0-9+.\-\t\r\n]*):")
_HOST_CHARS: Final = 253  # DNS has no longer names
_DEFAULT_PORT: Final = {"http": 80, "https": 443}
_PLAIN_URL: Final = re.compile(r"(https?://[^/?#\\]{1,260})(/(?:[\w~-][\w.~-]*/)*(?:[\w~-][\w.~-]*)?)", re.ASCII)
_PLAIN_PATH: Final = re.compile(r"(?:/|(?:\.\./)*)(?:[\w~-][\w.~-]*/)*[\w~-][\w.~-]*", re.ASCII)


class Url(NamedTuple):
    """A parsed http(s) URL in canonical form."""

    href: str
    scheme: str
    host: str  # without port; IPv6 in brackets
    port: int
    path: str
    query: str  # without "?"

    @property
    def origin(self) -> str:
        suffix = "" if self.port == _DEFAULT_PORT[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host}{suffix}"

    @property
    def directory(self) -> "Url":
        """Returns the base for relative links on this page."""
        path = self.path[: self.path.rindex("/") + 1]
        return Url(self.origin + path, self.scheme, self.host, self.port, path, "")

    @property
    def domain(self) -> str:
        return registered_domain(self.host)


def is_url(name: str) -> bool:
    """Returns whether this is meant as the URL of a page, and not as the name of a file."""
    return name.lower().startswith(("http://", "https://"))


def parse(raw: str, base: str | None = None, most_chars: int | None = None) -> Url | Drop:
    """Returns the canonical URL, or the drop that says why this is not a URL to crawl. One that is longer than `most_chars` once
    it is escaped is not looked at any further."""
    try:
        href = ada_url.join_url(base, raw) if base else ada_url.normalize_url(raw)
    except ValueError:
        scheme = _SCHEME.match(raw)
        other = scheme is not None and scheme[1].lower() not in _DEFAULT_PORT
        return Drop.SCHEME if other else Drop.MALFORMED_URL
    return split(href) if most_chars is None or len(href) <= most_chars else Drop.URL_TOO_LONG


def resolve(directory: Url, href: str) -> Url | Drop:
    """Returns what `parse` returns with this directory as the base. Most links are paths of plain names, for which joining
    the two is enough, at a third of the cost, or whole URLs of plain names, which stay as they are."""
    if href.startswith("http") and (whole := _PLAIN_URL.fullmatch(href)) and (root := _plain_root(whole[1])):
        return Url(href, root.scheme, root.host, root.port, whole[2], "")
    if not _PLAIN_PATH.fullmatch(href):
        return parse(href, directory.href)
    start = directory.path
    origin = directory.href[: -len(start)]
    while href.startswith("../"):
        href = href[3:]
        start = start[: start.rfind("/", 0, -1) + 1] or "/"
    path = href if href[0] == "/" else start + href
    return Url(origin + path, directory.scheme, directory.host, directory.port, path, "")


@lru_cache(maxsize=16_384)
def _plain_root(origin: str) -> Url | None:
    """Returns the root of an origin if the parser leaves it as it is written; then it leaves plain paths below it too."""
    root = parse(f"{origin}/")
    return root if isinstance(root, Url) and root.href == f"{origin}/" else None


def split(href: str) -> Url | Drop:
    """Returns what `parse` returns. The URL must be one that the WHATWG parser has written, so that cutting at the delimiters
    is safe."""
    scheme, colon, rest = href.partition("://")
    if not colon or scheme not in _DEFAULT_PORT:
        return Drop.SCHEME
    rest, _, _ = rest.partition("#")
    rest, _, query = rest.partition("?")
    authority, slash, path = rest.partition("/")
    authority = authority.rpartition("@")[2]
    path = slash + path
    if "%" in path:
        path = _ESCAPE.sub(_normal_escape, path)
    if query:
        query = _canonical_query(query)
    host, port = _split_port(authority, scheme)
    if not 0 < len(host) <= _HOST_CHARS:
        return Drop.MALFORMED_URL
    href = f"{scheme}://{authority}{path}?{query}" if query else f"{scheme}://{authority}{path}"
    return Url(href, scheme, host, port, path, query)


def fingerprint(href: str) -> int:
    """Returns 64 bits that stand for a URL in the seen table, signed as SQLite stores them. Among ten million URLs, two
    share a fingerprint with probability 3e-6; BLAKE2 keeps an adversary from making such pairs cheaply."""
    digest = hashlib.blake2b(href.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


@lru_cache(maxsize=65_536)
def registered_domain(host: str) -> str:
    """Returns the part of a host name that somebody registered; an address or a bare suffix is returned as it is."""
    if host.startswith("[") or host.replace(".", "").isdigit():
        return host
    return _suffixes().privatesuffix(host.rstrip(".")) or host


def has_known_suffix(host: str) -> bool:
    """Returns whether a host's name ends in a suffix of the public-suffix list, as names on the public web do."""
    return _suffixes().publicsuffix(host.rstrip("."), accept_unknown=False) is not None


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


def _canonical_query(query: str) -> str:
    if "%" in query:
        query = _ESCAPE.sub(_normal_escape, query)
    if "utm_" in query or "clid" in query or "mc_" in query or "igshid" in query:
        query = "&".join(part for part in query.split("&") if not _TRACKING_PARAMETER.match(part))
    return query


def _normal_escape(match: re.Match[str]) -> str:
    if match[1] is None:
        return "%25"
    value = int(match[1], 16)
    return chr(value) if value in _UNRESERVED_BYTES else match[0].upper()


def _split_port(authority: str, scheme: str) -> tuple[str, int]:
    host, colon, port = authority.rpartition(":")
    if colon and port.isdigit() and not authority.endswith("]"):
        return host, int(port)
    return authority, _DEFAULT_PORT[scheme]
