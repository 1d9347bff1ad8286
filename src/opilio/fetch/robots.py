"""What a host's robots.txt says to our product token, by RFC 9309: a pure function from bytes to `Rules`.

Rules:
* Choosing the group is done here: the token of a `User-agent` line (up to the first character outside a-z, A-Z, `_`,
  `-`) has to equal ours, in any case; all groups that name it are merged; `*` counts only if none does. protego, which
  compares by substring, then gets a single `User-agent: *` group and only has to match paths.
* Only `Allow` and `Disallow` end a run of `User-agent` lines. `Sitemap`, `Crawl-delay` and unknown lines never do.
* Whatever the bytes are (HTML, UTF-16, an image), lines that can be read as rules count and the rest is ignored.
* Matching stays linear: a rule has at most `_MOST_STARS` wildcards and `_VALUE_CHARS` characters, and a file at most
  `_MOST_PATTERNS` rules with wildcards or `$`. A `Disallow` beyond these bounds is cut, so that it forbids more; an
  `Allow` is left out. In doubt nothing is fetched.

Invariant: `source` alone rebuilds the same rules, through `parse_rules(source, product, len(source))`.
"""

import math
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from protego import Protego

from opilio.core.items import Signal
from opilio.core.url import Url

_LINE: Final = re.compile(r"[\r\n]+")
_TOKEN: Final = re.compile(r"[a-zA-Z_-]+")
# Characters that protego takes for the end of a line, or that cannot be in a URL. They are percent-escaped.
_BREAKS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029\ufeff]")
_STAR_RUN: Final = re.compile(r"\*{2,}")
# Real files have up to 12 wildcards in a rule and 575 rules with one. At these bounds the worst URL costs 7 ms to
# check.
_MOST_STARS: Final = 16
_MOST_PATTERNS: Final = 2_000
_MOST_SITEMAPS: Final = 1_000
_MOST_SIGNALS: Final = 32
_VALUE_CHARS: Final = 4_096

_AGENT, _ALLOW, _DISALLOW, _DELAY, _SITEMAP, _SIGNAL = "User-agent", "Allow", "Disallow", "Crawl-delay", "Sitemap", ""
_NAMES: Final = {
    **dict.fromkeys(("user-agent", "useragent", "user agent"), _AGENT),
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), _DISALLOW),
    "allow": _ALLOW,
    **dict.fromkeys(("crawl-delay", "crawldelay", "crawl delay"), _DELAY),
    **dict.fromkeys(("sitemap", "site-map", "sitemaps"), _SITEMAP),
    **dict.fromkeys(("content-signal", "content-usage", "license"), _SIGNAL),
}


class Rules:
    """What one origin allows us. `unreachable` means that it is not known yet: nothing is allowed until it is asked
    again."""

    __slots__ = ("_matcher", "crawl_delay_s", "signals", "sitemaps", "source", "unreachable")

    def __init__(
        self,
        source: bytes,
        *,
        crawl_delay_s: float | None = None,
        sitemaps: tuple[str, ...] = (),
        signals: tuple[Signal, ...] = (),
        unreachable: bool = False,
    ) -> None:
        self.source = source
        self.crawl_delay_s = crawl_delay_s
        self.sitemaps = sitemaps
        self.signals = signals
        self.unreachable = unreachable
        self._matcher = Protego.parse(source.decode())

    def allows(self, url: Url) -> bool:
        return url.path == "/robots.txt" or bool(self._matcher.can_fetch(url.href, "*"))

    def refusing_line(self, url: Url) -> str:
        """Returns the line that refuses a URL, the longest if there are several, or "" if it is allowed. Each line is matched
        by itself, which takes some 50 µs a line: this is for people who ask."""
        if self.allows(url):
            return ""
        lines = [line for line in self.source.decode().splitlines() if line.startswith(_DISALLOW)]
        refusing = (line for line in lines if not Rules(f"User-agent: *\n{line}\n".encode()).allows(url))
        return max(refusing, key=len, default="")


class _Line(NamedTuple):
    name: str  # one of the names above, such as _ALLOW
    value: str
    field: str  # the name of a signal in lower case; "" for other lines


class _Group:
    """`User-agent` lines and what follows them, up to the next `User-agent` line after a rule."""

    __slots__ = ("agents", "has_rules", "lines")

    def __init__(self) -> None:
        self.agents: set[str] = set()
        self.lines: list[_Line] = []
        self.has_rules = False


def allow_all() -> Rules:
    return Rules(b"")


def disallow_all(*, unreachable: bool) -> Rules:
    return Rules(b"User-agent: *\nDisallow: /\n", unreachable=unreachable)


def parse_rules(text: bytes, product: str, limit: int = 500 * 2**10) -> Rules:
    """Reads the first `limit` bytes of a robots.txt, for `product`."""
    head, groups = _groups(_lines(_text(text, limit)))
    token = _token(product)
    everybody = [group for group in groups if "*" in group.agents]
    ours = [group for group in groups if token and token in group.agents]
    rules = [line for group in ours or everybody for line in group.lines if line.name in (_ALLOW, _DISALLOW, _DELAY)]
    wide = [*head, *(line for group in everybody + ours for line in group.lines)]
    sitemaps = [line for line in head if line.name is _SITEMAP]
    signals = [line for line in wide if line.name is _SIGNAL]
    return _build(
        _with_few_patterns(_kept(rules, len(rules))), _kept(sitemaps, _MOST_SITEMAPS), _kept(signals, _MOST_SIGNALS)
    )


def _build(rules: list[_Line], sitemaps: list[_Line], signals: list[_Line]) -> Rules:
    listed = [f"{line.name}: {line.value}" for line in sitemaps] + [f"{line.field}: {line.value}" for line in signals]
    ruled = ["User-agent: *", *(f"{line.name}: {line.value}" for line in rules)] if rules else []
    return Rules(
        "".join(f"{line}\n" for line in listed + ruled).encode(),
        crawl_delay_s=_longest_delay(rules),
        sitemaps=tuple(line.value for line in sitemaps),
        signals=tuple(Signal("robots.txt", line.field, line.value) for line in signals),
    )


def _text(raw: bytes, limit: int) -> str:
    """Decodes up to the limit. A line that is cut there is dropped: half a path would forbid more than was written."""
    cut, raw = len(raw) > limit, raw[:limit]
    wide = raw.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = raw.decode("utf-16" if wide else "utf-8-sig", "replace")
    return text[: max(text.rfind("\n"), text.rfind("\r")) + 1] if cut else text


def _lines(text: str) -> Iterator[_Line]:
    for raw in _LINE.split(text):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        field, colon, value = line.partition(":")
        if not colon:  # some files have "Disallow /path"
            field, _, value = line.partition(" ")
        field = field.strip().lower().lstrip("\ufeff")
        name = _NAMES.get(field)
        if name is not None:
            yield _Line(name, _BREAKS.sub(_escape, value.strip()), field if name is _SIGNAL else "")


def _groups(lines: Iterator[_Line]) -> tuple[list[_Line], list[_Group]]:
    """Returns the lines that belong to the whole file (sitemaps, licences, signals before any group), and the
    groups."""
    head: list[_Line] = []
    groups: list[_Group] = []
    for line in lines:
        if line.name is _AGENT:
            if not groups or groups[-1].has_rules:
                groups.append(_Group())
            groups[-1].agents.add(_token(line.value))
        elif line.name is _SITEMAP or line.field == "license" or not groups:
            head.append(line)
        else:
            groups[-1].lines.append(line)
            groups[-1].has_rules |= line.name in (_ALLOW, _DISALLOW)
    return head, groups


def _token(value: str) -> str:
    if value[:1] == "*" and not value[1:2].strip():
        return "*"
    found = _TOKEN.match(value)
    return found[0].lower() if found else ""


def _kept(lines: list[_Line], most: int) -> list[_Line]:
    """Returns the first `most` lines, shortened if necessary, without repeats and without lines that say nothing."""
    return list(dict.fromkeys(line for line in map(_bounded, lines) if line is not None))[:most]


def _with_few_patterns(rules: list[_Line]) -> list[_Line]:
    """Limits the rules that are patterns: these are compared one by one, plain prefixes all at once."""
    kept, patterns = [], 0
    for line in rules:
        plain = line.value.partition("*")[0].removesuffix("$")
        patterns += plain != line.value
        if plain == line.value or patterns <= _MOST_PATTERNS:
            kept.append(line)
        elif line.name is _DISALLOW:
            kept.append(line._replace(value=plain or "/"))
    return list(dict.fromkeys(kept))


def _bounded(line: _Line) -> _Line | None:
    """Returns the line within the bounds on length and wildcards, or None if nothing of it can be kept."""
    value = _STAR_RUN.sub("*", line.value)
    if len(value) <= _VALUE_CHARS and value.count("*") <= _MOST_STARS:
        return line._replace(value=value) if value else None
    return (
        line._replace(value="*".join(value[:_VALUE_CHARS].split("*")[:_MOST_STARS])) if line.name is _DISALLOW else None
    )


def _longest_delay(rules: list[_Line]) -> float | None:
    delays = [_seconds(line.value) for line in rules if line.name is _DELAY]
    return max((delay for delay in delays if math.isfinite(delay) and delay >= 0), default=None)


def _seconds(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        return math.nan


def _escape(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())
