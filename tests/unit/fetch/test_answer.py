import pytest

from opilio.core.outcome import Outcome
from opilio.core.url import Url
from opilio.fetch.answer import read_answer, text_headers

URL = Url("http://a.example/dir/page?x=1", "http", "a.example", 80, "/dir/page", "x=1")
NOW_S = 1_767_225_600.0


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        *((status, Outcome.OK) for status in (200, 204, 206)),
        *((status, Outcome.HTTP_ERROR) for status in (300, 400, 404, 500, 999)),
        *((status, Outcome.THROTTLED) for status in (429, 503)),
    ],
)
def test_a_status_has_one_meaning(status: int, outcome: Outcome) -> None:
    assert read_answer(URL, status, (), NOW_S).outcome is outcome


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("other", "http://a.example/dir/other"),
        ("/other#part", "http://a.example/other"),
        ("//B.example", "http://b.example/"),
        ("https://user:secret@b.example:443/%7ex?", "https://b.example/~x"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("file:///etc/passwd", "file:///etc/passwd"),
        ("http://[", "http://["),
    ],
)
def test_a_redirect_tells_its_target_in_canonical_form(status: int, location: str, expected: str) -> None:
    answer = read_answer(URL, status, (("LOCATION", location), ("Location", "/second")), NOW_S)
    assert (answer.outcome, answer.location) == (Outcome.REDIRECT, expected)


@pytest.mark.parametrize("headers", [(), (("Location", ""),)])
def test_a_redirect_to_nowhere_is_an_error(headers: tuple[tuple[str, str], ...]) -> None:
    assert read_answer(URL, 302, headers, NOW_S).outcome is Outcome.HTTP_ERROR


def test_a_throttle_tells_how_long() -> None:
    assert read_answer(URL, 429, (("Retry-After", "7"),), NOW_S).retry_after_s == 7.0
    assert read_answer(URL, 503, (), NOW_S).retry_after_s is None


def test_header_bytes_become_text_that_can_be_stored() -> None:
    raw = [(b"A", b"plain"), (b"B", "é".encode()), (b"C", b"\xe9"), (b"\xff", b"")]
    headers = text_headers(raw)
    assert headers == (("A", "plain"), ("B", "é"), ("C", "é"), ("ÿ", ""))
    assert "".join(value for _, value in headers).encode("utf-8")
