"""The title of a page without the name of its site: "Otters return — The Daily Brook" is "Otters return".

Rules: a part of the title goes only if something says that it is not the page's own: it is the name of the site, it
resembles the host's name, or what remains is what the page itself gives as its heading or its title elsewhere. A title
without such evidence stays whole, because "Python - Wikipedia" and "Tom - Jerry" look alike.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

_MOST_CHARS: Final = 1_000
_MOST_PARTS: Final = 12
_SEPARATOR: Final = re.compile(r"\s+(?:[-–—|»«·•/~:]|::|\|\||//|&raquo;|->|<|>)\s+|\s*[|»·•]\s*|(?<=\S):\s+|\s+[:]")
_NOT_LETTERS: Final = re.compile(r"[\W_]+")
_HOST_ENDINGS: Final = re.compile(r"^(?:www\d?|m|mobile|blogs?|news|en|de|fr)\.")


def find_title(title: str, others: Iterable[str], headings: Sequence[str], site: str, host: str) -> str:
    """`title` is that of <title>, `others` are given by metas and JSON-LD, `headings` are texts of the page one of which may
    be its heading. Those of a page also hold the name of the site, so that one counts
    only if it is longer than any other part of the title."""
    whole = _folded(title)
    named = [_folded(one) for one in others]
    if not whole or normal(whole) == normal(site):
        whole = next((one for one in named if one and normal(one) != normal(site)), whole)
    parts = _parts(whole)
    if len(parts) == 1:
        return whole
    known = {normal(one) for one in named} - {"", normal(site)}
    spans = _spans(len(parts))[1:]
    sizes = {parts[last][1] - parts[first][0] + more for first, last in spans for more in (-1, 0, 1)}
    shown = {normal(one) for one in headings if len(one) in sizes}
    for first, last in spans:
        start, end = parts[first][0], parts[last][1]
        inner = normal(whole[start:end])
        sizes_outside = (parts[at][1] - parts[at][0] for at in range(len(parts)) if not first <= at <= last)
        is_most = end - start > max(sizes_outside)
        if inner in known or (is_most and inner in shown and inner != normal(site)):
            return whole[start:end]
    while len(parts) > 1 and _is_site(whole[slice(*parts[-1])], site, host):
        parts.pop()
    while len(parts) > 1 and _is_site(whole[slice(*parts[0])], site, host):
        parts.pop(0)
    return whole[parts[0][0] : parts[-1][1]]


def site_in(title: str, host: str) -> str:
    """Returns the part of a title that resembles the host's name, or ""."""
    whole = _folded(title)
    parts = _parts(whole)
    ends = [parts[-1], parts[0]] if len(parts) > 1 else []
    return next((text for at in ends if _resembles(text := whole[slice(*at)], host)), "")


def normal(text: str) -> str:
    """Returns what two spellings of a name have in common: letters and digits alone."""
    return _NOT_LETTERS.sub("", text[:_MOST_CHARS].casefold())


def _folded(text: str) -> str:
    return " ".join(text[:_MOST_CHARS].split())


def _parts(title: str) -> list[tuple[int, int]]:
    """Returns where the parts between separators begin and end."""
    parts: list[tuple[int, int]] = []
    start = 0
    for match in islice(_SEPARATOR.finditer(title), _MOST_PARTS - 1):
        if match.start() > start:
            parts.append((start, match.start()))
        start = match.end()
    if start < len(title) or not parts:
        parts.append((start, len(title)))
    return parts


def _spans(count: int) -> list[tuple[int, int]]:
    """Returns the runs of parts, the longest first; among equals, the first."""
    spans = [(start, end) for start in range(count) for end in range(start, count)]
    return sorted(spans, key=lambda span: span[0] - span[1])


def _is_site(part: str, site: str, host: str) -> bool:
    own, name = normal(part), normal(site)
    is_named = bool(name) and (
        own == name or (len(own) > 3 and own in name) or (len(name) > 3 and own.startswith(name))
    )
    return not own or is_named or _resembles(part, host)


def _resembles(part: str, host: str) -> bool:
    """Returns whether a part of a title is the host's name in words: "The Daily Brook" for dailybrook.example."""
    own, labels = normal(part), _HOST_ENDINGS.sub("", host).split(".")
    names = [normal(label) for label in labels[:-1] if len(label) > 3]
    if not own or not names:
        return own == normal(host)
    bare = own.removeprefix("the")
    initials = "".join(word[0] for word in part.casefold().split() if word[0].isalnum())
    return (
        own == normal(host)
        or any(
            name in (own, bare) or (4 < len(bare) <= 2 * len(name) and (bare.startswith(name) or name.startswith(bare)))
            for name in names
        )
        or (len(initials) > 2 and initials in [normal(label) for label in labels[:-1]])
    )
