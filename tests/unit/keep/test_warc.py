"""WARC records that other people's readers read, with right digests, and the same bytes for the same page."""

import base64
import gzip
import hashlib
import io

import pytest
from fastwarc.warc import ArchiveIterator as FastIterator
from fastwarc.warc import WarcRecordType
from warcio.archiveiterator import ArchiveIterator

from opilio.core.items import Headers
from opilio.keep import info_record, payload_digest, response_record
from opilio.keep.warc import record_id

URL = "http://example.org/ä?q=1"
DATE = "2026-01-01T00:00:00Z"
BODY = gzip.compress("<p>Grüße</p>".encode() * 50, mtime=0)
HEADERS: Headers = (
    ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Encoding", "gzip"),
    ("Transfer-Encoding", "chunked"),
    ("content-length", "999999"),
    ("X-Odd", "tränen\r\nInjected: yes"),
)


def _response(level: int = 2, address: str = "192.0.2.1") -> bytes:
    return response_record(URL, DATE, address, 200, HEADERS, BODY, payload_digest(BODY), level)


def _info() -> bytes:
    return info_record("warc-00000.warc.gz", DATE, [("software", "Opilio/1"), ("operator", "a\r\nb")], 2)


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_warcio_reads_back_what_was_written_and_finds_the_digests_right(level: int) -> None:
    records = [
        (record.rec_type, record.rec_headers, record.http_headers, record.raw_stream.read())
        for record in ArchiveIterator(io.BytesIO(_info() + _response(level)), check_digests="raise")
    ]
    (kind, info, _, block), (other, named, http, body) = records
    assert (kind, other) == ("warcinfo", "response")
    assert info.get_header("WARC-Filename") == "warc-00000.warc.gz"
    assert block == b"software: Opilio/1\r\noperator: a  b\r\n"
    assert named.get_header("WARC-Target-URI") == URL
    assert named.get_header("WARC-Date") == DATE
    assert named.get_header("WARC-IP-Address") == "192.0.2.1"
    assert named.get_header("WARC-Record-ID") == f"<{record_id(URL, DATE)}>"
    assert body == BODY
    assert (http.get_statuscode(), http.get_header("Content-Length")) == ("200", str(len(BODY)))


def test_the_payload_digest_is_the_sha1_of_the_body_as_it_came() -> None:
    [record] = ArchiveIterator(io.BytesIO(_response()))
    digest = base64.b32encode(hashlib.sha1(BODY).digest()).decode()
    assert record.rec_headers.get_header("WARC-Payload-Digest") == f"sha1:{digest}"


def test_fastwarc_reads_back_what_was_written_and_finds_the_digests_right() -> None:
    records = iter(FastIterator(io.BytesIO(_info() + _response())))
    assert next(records).record_type == WarcRecordType.warcinfo
    response = next(records)
    assert response.verify_payload_digest()
    assert (response.headers["WARC-Target-URI"], response.http_headers.status_code) == (URL, 200)
    assert response.reader.read() == BODY


def test_transfer_coding_and_broken_lines_are_gone_from_the_header() -> None:
    [record] = ArchiveIterator(io.BytesIO(_response()))
    names = [name.lower() for name, _ in record.http_headers.headers]
    assert "transfer-encoding" not in names
    assert "injected" not in names
    assert names.count("content-length") == 1
    assert record.http_headers.get_header("Content-Encoding") == "gzip"


def test_the_same_page_gives_the_same_bytes() -> None:
    assert _response() == _response()
    assert _info() == _info()
    assert record_id("a", "b") == record_id("a", "b") != record_id("b", "a")
    assert record_id("a").startswith("urn:uuid:")


def test_a_record_is_one_gzip_member_so_that_it_can_be_read_alone() -> None:
    info, response = _info(), _response()
    assert gzip.decompress(info + response) == gzip.decompress(info) + gzip.decompress(response)
    assert gzip.decompress(response).startswith(b"WARC/1.1\r\n")


def test_an_unknown_address_is_left_out() -> None:
    [record] = ArchiveIterator(io.BytesIO(_response(address="")))
    assert record.rec_headers.get_header("WARC-IP-Address") is None


def test_an_empty_body_is_a_record_too() -> None:
    data = response_record(URL, DATE, "", 203, (), b"", payload_digest(b""), 2)
    [(body, status)] = [
        (record.raw_stream.read(), record.http_headers.statusline)
        for record in ArchiveIterator(io.BytesIO(data), check_digests="raise")
    ]
    assert (body, status) == (b"", "203 Non-Authoritative Information")
