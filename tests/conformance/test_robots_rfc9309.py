"""RFC 9309, section by section: what each answer means, whose group counts, which rule wins."""

import asyncio
from collections.abc import Mapping
from itertools import pairwise

import pytest
from protego import Protego

from opilio.core.items import Fetched, Signal
from opilio.core.limits import Limits
from opilio.core.outcome import Outcome
from opilio.core.url import Url, parse
from opilio.fetch import Rules, fetch_robots
from opilio.fetch.robots import parse_rules
from opilio.fetch.robots_fetch import rules_for
from opilio.fetch.terms import TERMS, Terms

LIMIT = Limits().robots_bytes
BLOCK_ALL = b"User-agent: *\nDisallow: /\n"


def url_of(path: str) -> Url:
    url = parse(path, "http://host.example/")
    assert isinstance(url, Url)
    return url


def rules_of(text: str | bytes, product: str = "Opilio") -> Rules:
    return parse_rules(text.encode() if isinstance(text, str) else text, product, LIMIT)


def allowed(text: str | bytes, path: str, product: str = "Opilio") -> bool:
    return rules_of(text, product).allows(url_of(path))


# 2.2.1 the user-agent line

GROUPS = [
    ("User-agent: opilio\nDisallow: /", "Opilio", False),
    ("User-agent: OPILIO\nDisallow: /", "opilio", False),
    ("USER-AGENT: Opilio\nDISALLOW: /", "Opilio", False),
    ("user-agent:opilio\ndisallow:/", "Opilio", False),
    ("  User-agent  :  Opilio  \n  Disallow  :  /  ", "Opilio", False),
    ("User-agent: Opilio/1.2\nDisallow: /", "Opilio", False),
    ("User-agent: Opilio 1.2 (+http://x)\nDisallow: /", "Opilio", False),
    ("User-agent: Opilio # comment\nDisallow: / # all", "Opilio", False),
    ("User-agent: *\nDisallow: /", "Opilio", False),
    ("User-agent: * # everybody\nDisallow: /", "Opilio", False),
    ("User-agent: * and more\nDisallow: /", "Opilio", False),
    # Comparing by substring, in either direction, would be wrong for all of these.
    ("User-agent: Opilio-News\nDisallow: /", "Opilio", True),
    ("User-agent: OpilioBot\nDisallow: /", "Opilio", True),
    ("User-agent: pil\nDisallow: /", "Opilio", True),
    ("User-agent: o\nDisallow: /", "Opilio", True),
    ("User-agent: Opilio\nDisallow: /", "Opilio-News", True),
    ("User-agent: Opilio_\nDisallow: /", "Opilio", True),
    ("User-agent: -Opilio\nDisallow: /", "Opilio", True),
    ("User-agent: Mozilla (compatible; Opilio)\nDisallow: /", "Opilio", True),
    ("User-agent: Opi*\nDisallow: /", "Opilio", True),
    ("User-agent: *pilio\nDisallow: /", "Opilio", True),
    ("User-agent:\nDisallow: /", "Opilio", True),
    ("Disallow: /", "Opilio", True),
    # A group of ours, even an empty one, hides that of everybody.
    ("User-agent: *\nDisallow: /\n\nUser-agent: Opilio\nDisallow:", "Opilio", True),
    ("User-agent: *\nDisallow: /\n\nUser-agent: Opilio\nAllow: /", "Opilio", True),
    ("User-agent: Opilio\nDisallow:\n\nUser-agent: *\nDisallow: /", "Opilio", True),
    ("User-agent: Opilio\n\nUser-agent: *\nDisallow: /", "Opilio", False),  # one group with two names
    ("User-agent: Other\nDisallow: /\n\nUser-agent: Another\nDisallow: /", "Opilio", True),
]


@pytest.mark.parametrize(("text", "product", "expected"), GROUPS)
def test_the_group_is_chosen_by_the_product_token(text: str, product: str, expected: bool) -> None:
    assert allowed(text, "/page", product) is expected


def test_the_matcher_alone_would_choose_wrongly() -> None:
    """Why the choice is made here: the matcher takes a name that merely begins a token."""
    text = "User-agent: Opi\nDisallow: /\n"
    assert not Protego.parse(text).can_fetch("http://host.example/page", "Opilio")
    assert allowed(text, "/page", "Opilio")


def test_groups_of_the_same_agent_merge() -> None:
    text = "User-agent: opilio\nDisallow: /a\n\nUser-agent: x\nDisallow: /b\n\nUser-agent: Opilio/2\nDisallow: /c\n"
    assert [allowed(text, path) for path in ("/a", "/b", "/c")] == [False, True, False]


def test_groups_of_everybody_merge() -> None:
    text = "User-agent: *\nDisallow: /a\n\nUser-agent: x\nDisallow: /b\n\nUser-agent: *\nDisallow: /c\n"
    assert [allowed(text, path) for path in ("/a", "/b", "/c")] == [False, True, False]


def test_several_agents_share_a_group() -> None:
    text = "User-agent: a\nUser-agent: opilio\nUser-agent: b\nDisallow: /x\n"
    assert not allowed(text, "/x")


@pytest.mark.parametrize(
    "between",
    ["Sitemap: http://host.example/s.xml", "Crawl-delay: 5", "Host: host.example", "Foo: bar", "", "# x", "junk"],
)
def test_other_lines_do_not_end_a_group(between: str) -> None:
    assert not allowed(f"User-agent: opilio\n{between}\nUser-agent: b\nDisallow: /x\n", "/x")
    assert not allowed(f"User-agent: opilio\nDisallow: /y\n{between}\nDisallow: /x\n", "/x")


def test_rules_before_any_agent_are_nobodys() -> None:
    assert allowed("Disallow: /\nUser-agent: *\nDisallow: /x\n", "/y")


# 2.2.2 allow and disallow

MATCHES = [
    ("Disallow: /fish", "/fish", False),
    ("Disallow: /fish", "/fish.html", False),
    ("Disallow: /fish", "/fish/salmon", False),
    ("Disallow: /fish", "/Fish", True),
    ("Disallow: /fish", "/catfish", True),
    ("Disallow: /fish/", "/fish", True),
    ("Disallow: /fish/", "/fish/salmon?x=1", False),
    ("Disallow: /fish?x", "/fish?x=1", False),
    ("Disallow: /*.php", "/a/b.php?x", False),
    ("Disallow: /*.php", "/a/b.PHP", True),
    ("Disallow: /*.php$", "/a.php", False),
    ("Disallow: /*.php$", "/a.php?x", True),
    ("Disallow: /a$", "/a", False),
    ("Disallow: /a$", "/ab", True),
    ("Disallow: /a*b*c", "/a12b34c5", False),
    ("Disallow: /a*b*c", "/a12c34b5", True),
    ("Disallow: *.pdf", "/x.pdf", False),
    ("Disallow:", "/x", True),
    ("Disallow: /", "/", False),
    ("Disallow: fish", "/fish", True),
    # the longest match wins, whatever the order; allow wins ties
    ("Disallow: /a\nAllow: /a/b", "/a/b/c", True),
    ("Allow: /a/b\nDisallow: /a", "/a/b/c", True),
    ("Allow: /a\nDisallow: /a/b", "/a/b/c", False),
    ("Disallow: /a/b\nAllow: /a", "/a/b/c", False),
    ("Disallow: /a\nAllow: /a", "/a", True),
    ("Allow: /a\nDisallow: /a", "/a", True),
    ("Disallow: /\nAllow: /$", "/", True),
    ("Disallow: /\nAllow: /$", "/x", False),
    ("Allow: /page\nDisallow: /*.html", "/page.html", False),
    ("Allow: /example/page/\nDisallow: /example/page/disallowed.gif", "/example/page/disallowed.gif", False),
    # octets compare with their escapes undone, except reserved ones
    ("Disallow: /foo/bar?baz=quz", "/foo/bar?baz=quz", False),
    ("Disallow: /foo/bar/ツ", "/foo/bar/%E3%83%84", False),
    ("Disallow: /foo/bar/%E3%83%84", "/foo/bar/ツ", False),
    ("Disallow: /foo/bar/%62%61%7A", "/foo/bar/baz", False),
    ("Disallow: /foo/bar/baz", "/foo/bar/%62%61%7A", False),
    ("Disallow: /a%2fb", "/a%2Fb", False),
    ("Disallow: /a%2fb", "/a/b", True),
    ("Disallow: /%7Ejoe", "/~joe/x", False),
    ("Disallow: /a%3cd.html", "/a%3Cd.html", False),
    ("Disallow: /path/file-with-a-%2A.html", "/path/file-with-a-*.html", False),
    ("Disallow: /path/foo-%24", "/path/foo-$", False),
    # spellings that people use
    ("Dissallow: /x", "/x", False),
    ("Disallow /x", "/x", False),
    ("Disallow : /x", "/x", False),
    ("disallow:/x#y", "/x", False),
]


@pytest.mark.parametrize(("lines", "path", "expected"), MATCHES)
def test_the_longest_matching_rule_decides(lines: str, path: str, expected: bool) -> None:
    assert allowed(f"User-agent: *\n{lines}\n", path) is expected


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r", "\n\n\n"])
def test_every_end_of_line_counts(ending: str) -> None:
    text = ending.join(["User-agent: *", "Disallow: /x", "Allow: /x/y"])
    assert not allowed(text, "/x")
    assert allowed(text, "/x/y")


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_nothing_else_ends_a_line(separator: str) -> None:
    text = f"User-agent: *\nDisallow: /x{separator}Allow: /\nDisallow: /y\n"
    assert not allowed(text, "/y")
    assert allowed(text, "/x")


def test_robots_txt_itself_is_always_allowed() -> None:
    assert allowed("User-agent: *\nDisallow: /", "/robots.txt")
    assert rules_for(Fetched("x", Outcome.RESET), "Opilio", strict_forbidden=False).allows(url_of("/robots.txt"))
    assert not allowed("User-agent: *\nDisallow: /", "/sub/robots.txt")


# 2.2.4 other records

DELAYS = [
    ("Crawl-delay: 5", 5.0),
    ("Crawl-delay: 0.5", 0.5),
    ("crawl-delay:0", 0.0),
    ("Crawl-delay: 3600", 3600.0),
    ("Crawl-delay: 2\nCrawl-delay: 7", 7.0),
    ("Crawl-delay: nan", None),
    ("Crawl-delay: -1", None),
    ("Crawl-delay: inf", None),
    ("Crawl-delay: 1e309", None),
    ("Crawl-delay: soon", None),
    ("Crawl-delay:", None),
    ("Crawl-delay: nan\nCrawl-delay: 3", 3.0),
    ("Allow: /", None),
]


@pytest.mark.parametrize(("lines", "expected"), DELAYS)
def test_a_crawl_delay_is_a_number_of_seconds_or_nothing(lines: str, expected: float | None) -> None:
    assert rules_of(f"User-agent: *\n{lines}\n").crawl_delay_s == expected


def test_a_crawl_delay_belongs_to_its_group() -> None:
    text = "User-agent: opilio\nCrawl-delay: 3\nDisallow: /x\n\nUser-agent: *\nCrawl-delay: 9\nDisallow: /y\n"
    assert rules_of(text).crawl_delay_s == 3.0
    assert rules_of(text, "Other").crawl_delay_s == 9.0


def test_sitemaps_belong_to_the_whole_file() -> None:
    text = "Sitemap: /a.xml\nUser-agent: other\nSitemap: http://b.example/b.xml\nDisallow: /\nsitemap: /a.xml\n"
    assert rules_of(text).sitemaps == ("/a.xml", "http://b.example/b.xml")


def test_signals_for_us_and_for_everybody_are_kept() -> None:
    text = (
        "License: https://host.example/licence.xml\n"
        "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n\n"
        "User-agent: opilio\nContent-Usage: /x train-ai=n\nDisallow: /y\n\n"
        "User-agent: other\nContent-Signal: ai-train=yes\nDisallow: /\n"
    )
    assert set(rules_of(text).signals) == {
        Signal("robots.txt", "license", "https://host.example/licence.xml"),
        Signal("robots.txt", "content-signal", "search=yes, ai-train=no"),
        Signal("robots.txt", "content-usage", "/x train-ai=n"),
    }


# 2.3 access: what the answer means

ANSWERS = [
    (Fetched("x", Outcome.OK, 200, (), BLOCK_ALL), False, False),
    (Fetched("x", Outcome.OK, 200, (), b""), True, False),
    (Fetched("x", Outcome.OK, 204), True, False),
    (Fetched("x", Outcome.OK, 200, (("Content-Encoding", "gzip"),), b"not gzip"), False, True),
    (Fetched("x", Outcome.NOT_MODIFIED, 304), True, False),
    *((Fetched("x", Outcome.HTTP_ERROR, status), True, False) for status in (400, 401, 403, 404, 410, 451)),
    *((Fetched("x", Outcome.HTTP_ERROR, status), False, True) for status in (500, 502, 504, 599, 999)),
    (Fetched("x", Outcome.THROTTLED, 429), False, True),
    (Fetched("x", Outcome.THROTTLED, 503), False, True),
    (Fetched("x", Outcome.REDIRECT, 301, location="http://y/"), True, False),
    (Fetched("x", Outcome.NOT_IN_WEB), True, False),
    *(
        (Fetched("x", outcome), False, True)
        for outcome in Outcome
        if outcome not in {Outcome.OK, Outcome.HTTP_ERROR, Outcome.THROTTLED, Outcome.REDIRECT, Outcome.NOT_IN_WEB}
        and outcome is not Outcome.NOT_MODIFIED
    ),
]


@pytest.mark.parametrize(("fetched", "open_", "unreachable"), ANSWERS)
def test_each_answer_means_what_the_table_says(fetched: Fetched, open_: bool, unreachable: bool) -> None:
    rules = rules_for(fetched, "Opilio", strict_forbidden=False)
    assert (rules.allows(url_of("/x")), rules.unreachable) == (open_, unreachable)


@pytest.mark.parametrize(("status", "open_"), [(401, False), (403, False), (404, True), (410, True)])
def test_a_strict_operator_takes_forbidden_as_an_answer(status: int, open_: bool) -> None:
    rules = rules_for(Fetched("x", Outcome.HTTP_ERROR, status), "Opilio", strict_forbidden=True)
    assert (rules.allows(url_of("/x")), rules.unreachable) == (open_, False)


# 2.3.1.2 redirects


class Web:
    """Answers from a table, and remembers what was asked of it."""

    def __init__(self, answers: Mapping[str, Fetched], refused: str = "") -> None:
        self.answers = answers
        self.refused = refused
        self.fetched: list[str] = []
        self.permitted: list[str] = []

    async def locate(self, url: Url) -> str | Outcome:
        return Outcome.ADDRESS_REFUSED if url.host == self.refused else f"address of {url.host}"

    async def fetch(self, url: Url, address: str, terms: Terms = TERMS) -> Fetched:
        assert address == f"address of {url.host}"
        self.fetched.append(url.href)
        return self.answers[url.href]

    async def close(self) -> None:
        pass

    async def permit(self, url: Url, address: str) -> bool:
        assert address == f"address of {url.host}"
        self.permitted.append(url.href)
        return url.host != "busy.example"


def _to(location: str) -> Fetched:
    return Fetched("x", Outcome.REDIRECT, 302, location=location)


def _chain(hops: int) -> dict[str, Fetched]:
    hosts = ["host.example", *(f"h{number}.example" for number in range(hops))]
    answers = {f"http://{host}/robots.txt": _to(f"http://{to}/robots.txt") for host, to in pairwise(hosts)}
    return {**answers, f"http://{hosts[-1]}/robots.txt": Fetched("x", Outcome.OK, 200, (), BLOCK_ALL)}


def _robots(web: Web, origin: str = "http://host.example/some/page?x") -> tuple[Rules, Fetched]:
    url = parse(origin)
    assert isinstance(url, Url)
    return asyncio.run(fetch_robots(web, url, web.permit, Limits(), "Opilio"))


def test_the_file_of_the_origin_is_asked_for_once_and_without_leave() -> None:
    web = Web({"https://host.example:8443/robots.txt": Fetched("x", Outcome.OK, 200, (), BLOCK_ALL)})
    rules, fetched = _robots(web, "https://host.example:8443/page")
    assert (web.fetched, web.permitted, fetched.status) == (["https://host.example:8443/robots.txt"], [], 200)
    assert not rules.allows(url_of("/x"))


def test_five_redirects_are_followed_across_hosts() -> None:
    web = Web(_chain(5))
    rules, fetched = _robots(web)
    assert len(web.fetched) == 6
    assert web.permitted == web.fetched[1:]
    assert (rules.allows(url_of("/x")), rules.unreachable, fetched.outcome) == (False, False, Outcome.OK)


def test_six_redirects_mean_that_there_are_no_rules() -> None:
    web = Web(_chain(6))
    rules, fetched = _robots(web)
    assert len(web.fetched) == 6
    assert (rules.allows(url_of("/x")), rules.unreachable, fetched.outcome) == (True, False, Outcome.REDIRECT)


def test_a_redirect_to_a_private_address_is_not_followed() -> None:
    web = Web(_chain(1), refused="h0.example")
    rules, fetched = _robots(web)
    assert (rules.unreachable, fetched.outcome) == (True, Outcome.ADDRESS_REFUSED)
    assert (web.fetched, web.permitted) == (["http://host.example/robots.txt"], [])


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://x/robots.txt", "http://["])
def test_a_redirect_to_another_scheme_is_not_followed(location: str) -> None:
    web = Web({"http://host.example/robots.txt": _to(location)})
    rules, fetched = _robots(web)
    assert (rules.unreachable, fetched.outcome, len(web.fetched)) == (True, Outcome.SCHEME_REFUSED, 1)


def test_a_redirect_that_is_not_permitted_now_is_asked_again_later() -> None:
    web = Web({"http://host.example/robots.txt": _to("http://busy.example/robots.txt")})
    rules, fetched = _robots(web)
    assert (rules.unreachable, fetched.outcome, len(web.fetched)) == (True, Outcome.REDIRECT, 1)


def test_an_origin_that_cannot_be_located_is_unreachable() -> None:
    rules, fetched = _robots(Web({}, refused="host.example"))
    assert (rules.unreachable, fetched.outcome) == (True, Outcome.ADDRESS_REFUSED)


# 2.4 caching, 2.5 limits, 5 security


def test_rules_are_rebuilt_from_their_source() -> None:
    text = (
        "Sitemap: /s.xml\nUser-agent: opilio\nDisallow: /a*b\u2028c\nAllow: /a/é\nCrawl-delay: 2\nContent-Signal: ai-train=no\n"
        "User-agent: *\nDisallow: /z\n"
    )
    first = rules_of(text)
    again = parse_rules(first.source, "Opilio", len(first.source))
    assert again.source == first.source
    assert (again.sitemaps, again.signals, again.crawl_delay_s) == (first.sitemaps, first.signals, first.crawl_delay_s)
    assert [again.allows(url_of(path)) for path in ("/a", "/axb%E2%80%A8c", "/z")] == [True, False, True]


def test_rules_of_an_empty_file_are_rebuilt() -> None:
    assert parse_rules(rules_of("").source, "Opilio", 0).allows(url_of("/x"))


def test_the_first_500_kib_count() -> None:
    filler = b"Disallow: /filler\n"
    head = b"User-agent: *\n" + filler * ((LIMIT - 20) // len(filler))
    inside = head[: LIMIT - 60] + b"\nDisallow: /inside\n"
    text = inside + b"#" * (LIMIT - len(inside) - 5) + b"\nDisallow: /cut-in-its-middle\nDisallow: /beyond\n"
    rules = rules_of(text)
    assert not rules.allows(url_of("/inside"))
    assert rules.allows(url_of("/beyond"))
    assert rules.allows(url_of("/x"))


def test_half_a_line_at_the_limit_forbids_nothing() -> None:
    rules = parse_rules(b"User-agent: *\nDisallow: /a\nDisallow: /private", "Opilio", 37)
    assert rules.allows(url_of("/x"))
    assert not rules.allows(url_of("/a"))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_byte_order_mark_is_no_part_of_the_first_line(encoding: str) -> None:
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    assert not allowed(mark + "User-agent: *\nDisallow: /x\n".encode(encoding), "/x")


@pytest.mark.parametrize(
    "text",
    [
        b"<!doctype html><html><body>Not found: <a href='/'>home</a></body></html>",
        bytes(range(256)) * 100,
        b"\0" * 10_000,
        b"\xff\xfe\x00",
        b":" * 10_000,
        b"\n" * LIMIT,
        b"User-agent" * 10_000,
        b"a" * LIMIT,
        "User-agent: é\nDisallow: /".encode("latin-1"),
    ],
)
def test_what_is_no_robots_txt_allows_all(text: bytes) -> None:
    assert allowed(text, "/x")


def test_wildcards_without_number_stay_cheap_and_forbid_at_least_as_much() -> None:
    stars = "*a" * 5_000
    text = f"User-agent: *\nDisallow: /{stars}b\nAllow: /{stars}$\nDisallow: /x{'*' * 5_000}y$\n"
    rules = rules_of(text)
    assert not rules.allows(url_of("/" + "a" * 10_000))
    assert rules.allows(url_of("/" + "b" * 10_000))
    assert not rules.allows(url_of("/x123y"))
    assert rules.allows(url_of("/x123z"))


def test_an_overlong_disallow_is_cut_and_an_overlong_allow_is_not_kept() -> None:
    long = "a" * 10_000
    assert not allowed(f"User-agent: *\nDisallow: /{long}b\n", f"/{long}c")
    assert not allowed(f"User-agent: *\nDisallow: /\nAllow: /{long}b\n", f"/{long}b")


def test_thousands_of_plain_rules_are_kept() -> None:
    rules = rules_of(b"User-agent: *\n" + b"".join(b"Disallow: /%d/\n" % number for number in range(20_000)))
    assert not rules.allows(url_of("/19999/x"))
    assert rules.allows(url_of("/20000/x"))


def test_thousands_of_patterns_are_cut_to_prefixes() -> None:
    lines = b"".join(b"Disallow: /d/%d*x$\nAllow: /d/%d*xyz\n" % (number, number) for number in range(10_000))
    rules = rules_of(b"User-agent: *\n" + lines)
    assert not rules.allows(url_of("/d/7/x"))
    assert rules.allows(url_of("/d/7/y"))
    assert not rules.allows(url_of("/d/9999/y"))
    assert rules.allows(url_of("/e"))
    again = parse_rules(rules.source, "Opilio", len(rules.source))
    assert again.source == rules.source


def test_the_line_that_refuses_a_url_is_found_when_somebody_asks() -> None:
    rules = parse_rules(b"User-agent: *\nDisallow: /a\nDisallow: /a/*.html$\nAllow: /a/b\nDisallow: /c\n", "Opilio")
    found = {path: rules.refusing_line(url_of(path)) for path in ("/a/x", "/a/x.html", "/a/b", "/d")}
    assert found == {"/a/x": "Disallow: /a", "/a/x.html": "Disallow: /a/*.html$", "/a/b": "", "/d": ""}
