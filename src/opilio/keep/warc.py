"""WARC 1.1 records as gzip members, made by pure functions, so that any process can make them and the same page always
gives the same bytes.

No library is used: a record is a dozen lines, and the time goes into the compression, where ISA-L's deflate takes a
fifth of zlib's time for the same size.
"""

import base64
import hashlib
import uuid
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from isal import isal_zlib

from opilio.core.items import Headers

_REASONS: Mapping[int, str] = {
    200: "OK", 203: "Non-Authoritative Information", 206: "Partial Content", 304: "Not Modified",
}  # fmt: skip
_PROFILES: Final = "http://netpreserve.org/warc/1.1/revisit/"


def record_id(*parts: str) -> str:
    """Returns a stable identifier in the form of a UUID."""
    digest = hashlib.blake2b("\n".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return f"urn:uuid:{uuid.UUID(bytes=digest, version=4)}"


def payload_digest(body: bytes) -> str:
    """Returns a digest in the form that WARC readers expect. It is not for security."""
    return f"sha1:{base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()}"


def response_record(
    url: str, fetched: str, address: str, status: int, headers: Headers, body: bytes, digest: str, level: int
) -> bytes:
    """Makes the record of a response as received, except that its transfer coding is undone; `digest` is the body's."""
    fields = [(name, value) for name, value in headers if name.lower() not in ("transfer-encoding", "content-length")]
    block = _http_head(status, (*fields, ("Content-Length", str(len(body))))) + body
    named = [
        ("WARC-Type", "response"),
        ("WARC-Record-ID", f"<{record_id(url, fetched)}>"),
        ("WARC-Target-URI", url),
        ("WARC-Date", fetched),
        ("WARC-Payload-Digest", digest),
        ("Content-Type", "application/http;msgtype=response"),
    ]
    if address:
        named.insert(4, ("WARC-IP-Address", address))
    return _member(named, block, level)


class Original(NamedTuple):
    """The record of the answer that another one repeats."""

    record_id: str
    fetched: str
    digest: str


def revisit_record(
    url: str, fetched: str, address: str, status: int, headers: Headers, original: Original, level: int
) -> bytes:
    """Makes the record of an answer that brought nothing new: the server said so (304), or the body was the same. It has the
    headers alone, and names the record that has the body."""
    profile = "server-not-modified" if status == 304 else "identical-payload-digest"
    named = [
        ("WARC-Type", "revisit"),
        ("WARC-Record-ID", f"<{record_id(url, fetched, 'revisit')}>"),
        ("WARC-Target-URI", url),
        ("WARC-Date", fetched),
        ("WARC-Profile", _PROFILES + profile),
        ("WARC-Refers-To", f"<{original.record_id}>"),
        ("WARC-Refers-To-Target-URI", url),
        ("WARC-Refers-To-Date", original.fetched),
        ("WARC-Payload-Digest", original.digest),
        ("Content-Type", "application/http;msgtype=response"),
    ]
    if address:
        named.insert(4, ("WARC-IP-Address", address))
    return _member(named, _http_head(status, headers), level)


def info_record(file_name: str, written: str, fields: Iterable[tuple[str, str]], level: int) -> bytes:
    """Makes the first record of a file, which says what wrote it, and by which rules."""
    block = "".join(f"{name}: {_one_line(value)}\r\n" for name, value in fields).encode()
    named = [
        ("WARC-Type", "warcinfo"),
        ("WARC-Record-ID", f"<{record_id(file_name, written)}>"),
        ("WARC-Date", written),
        ("WARC-Filename", file_name),
        ("Content-Type", "application/warc-fields"),
    ]
    return _member(named, block, level)


def _http_head(status: int, headers: Iterable[tuple[str, str]]) -> bytes:
    lines = [f"HTTP/1.1 {status} {_REASONS.get(status, 'Status')}"]
    lines += [f"{_one_line(name)}: {_one_line(value)}" for name, value in headers]
    return "\r\n".join((*lines, "", "")).encode("utf-8", "replace")


def _member(named: Iterable[tuple[str, str]], block: bytes, level: int) -> bytes:
    head = "".join(f"{name}: {value}\r\n" for name, value in (*named, ("Content-Length", str(len(block)))))
    record = b"WARC/1.1\r\n" + head.encode() + b"\r\n" + block + b"\r\n\r\n"
    compressed: bytes = isal_zlib.compress(record, level, 31)
    return compressed


def _one_line(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ")
