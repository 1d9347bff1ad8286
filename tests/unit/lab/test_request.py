"""Requests to a served web, and the addresses that they mean."""

import pytest

from opilio.lab.request import Request, addresses, read_request


def _request(*lines: str) -> Request:
    found = read_request("".join(f"{line}\r\n" for line in (*lines, "")).encode())
    assert found is not None
    return found


def test_a_proxy_is_asked_for_a_whole_url() -> None:
    asked = _request("GET http://one.test/a?b=c HTTP/1.1", "Host: ignored.test")
    assert next(addresses(asked, "http", 8080)) == "http://one.test/a?b=c"


def test_anybody_else_names_the_host_in_a_header() -> None:
    asked = _request("GET /a HTTP/1.1", "HOST:  one.test ")
    assert list(dict.fromkeys(addresses(asked, "http", 8080))) == ["http://one.test/a", "https://one.test/a"]
    assert next(addresses(asked, "https", 8080)) == "https://one.test/a"


def test_the_port_of_the_server_is_not_part_of_an_address() -> None:
    asked = _request("GET /a:8080/b HTTP/1.1", "Host: one.test:8080")
    assert "http://one.test/a:8080/b" in addresses(asked, "http", 8080)


@pytest.mark.parametrize("target", ["*", "", "/a", "http://"])
def test_what_names_no_host_has_no_address(target: str) -> None:
    asked = Request("GET", target, "HTTP/1.1", {})
    assert list(addresses(asked, "http", 8080)) == []


@pytest.mark.parametrize(
    "head",
    [b"\r\n\r\n", b"GET /\r\n\r\n", b"GET / HTTP/2\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n", b"\xff\x00 \r\n"],
)
def test_what_is_not_a_request_is_none(head: bytes) -> None:
    assert read_request(head) is None


def test_a_connection_stays_open_unless_the_client_wants_it_closed() -> None:
    assert not _request("GET / HTTP/1.1").closes
    assert _request("GET / HTTP/1.1", "Connection: close").closes
    assert _request("GET / HTTP/1.0").closes
    assert _request("GET / HTTP/1.0", "Connection: Keep-Alive").closes


def test_a_body_is_noticed() -> None:
    assert _request("POST / HTTP/1.1", "Content-Length: 3").has_body
    assert not _request("GET / HTTP/1.1", "Content-Length: 0").has_body
