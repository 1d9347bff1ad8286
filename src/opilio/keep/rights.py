"""Does a page ask not to be used, and under which licence may it be? Pure functions of the signals that came with it. By
default a page that asks not to be used is not kept.

Signals may change later, so all are stored with the record as they were at the fetch, whether or not they were obeyed.
"""

import re
from collections.abc import Iterable
from typing import Final

from opilio.core.items import Signal

_REFUSALS: Final = frozenset({"noindex", "none", "noai", "noml"})
_SURE_SOURCES: Final = ("link", "json-ld", "meta", "anchor", "text")  # the surest first
_COMMONS_URL: Final = re.compile(
    r"creativecommons\.org/(?:licenses/([a-z-]{2,20})(?:/(\d\.\d))?(?:/([a-z]{2})(?:/|$))?|publicdomain/(zero|mark)(?:/(\d\.\d))?)",
    re.IGNORECASE,
)
_COMMONS_CODE: Final = re.compile(r"\bcc[\s-](by(?:[\s-](?:sa|nc|nd))*)\b[\s-]*(\d\.\d)?", re.IGNORECASE)
_COMMONS_NAME: Final = re.compile(
    r"(?:creative\s+commons\W+)(?:license\W+|lizenz\W+|licence\W+)?"
    r"((?:attribution|namensnennung|zero|public domain)[^.;\d]{0,90})?\W*(\d\.\d)?",
    re.IGNORECASE,
)
_PARTS: Final = (
    (re.compile("non-?commercial|nicht-?kommerziell", re.IGNORECASE), "NC"),
    (re.compile("share-?alike|weitergabe", re.IGNORECASE), "SA"),
    (re.compile("no-?deriv|keine bearbeit", re.IGNORECASE), "ND"),
)
_OTHERS: Final = (
    (re.compile(r"gnu free documentation|gnu\.org/licenses/(?:fdl|old-licenses/fdl)", re.IGNORECASE), "GFDL"),
    (re.compile(r"open government licen|open-government-licen", re.IGNORECASE), "OGL"),
    (re.compile(r"opensource\.org/licenses/mit|\bmit licen", re.IGNORECASE), "MIT"),
    (re.compile(r"apache\.org/licenses|apache licen", re.IGNORECASE), "Apache"),
    (re.compile(r"\bcc0\b", re.IGNORECASE), "CC0"),
    (re.compile(r"public domain|gemeinfrei|domaine public|dominio público", re.IGNORECASE), "public domain"),
)


def opt_out(signals: Iterable[Signal]) -> str:
    """Returns the signal that keeps the page out of the corpus, in words, or ""."""
    for signal in signals:
        if _refuses(signal.name.lower(), signal.value.lower()):
            return (
                f"{signal.source}: {signal.name}={signal.value}" if signal.value else f"{signal.source}: {signal.name}"
            )
    return ""


def licence(signals: Iterable[Signal]) -> str:
    """Returns the name of the licence that the surest of the signals gives, such as "CC BY-SA 4.0", or "". A licence that has
    no name here is given by its URL."""
    said = [signal for signal in signals if signal.name == "license" and signal.source in _SURE_SOURCES]
    said.sort(key=lambda signal: _SURE_SOURCES.index(signal.source))
    names = [_licence_name(signal.value) for signal in said]
    urls = (signal.value for signal in said if signal.value.startswith(("http://", "https://")))
    return next((name for name in names if name), next(urls, ""))


def _licence_name(value: str) -> str:
    if url := _COMMONS_URL.search(value):
        code, version, country, public, public_version = url.groups()
        if public:
            return " ".join(filter(None, ("CC0" if public.lower() == "zero" else "public domain", public_version)))
        return " ".join(filter(None, ("CC", code.upper(), version, country.upper() if country else "")))
    if coded := _COMMONS_CODE.search(value):
        return " ".join(filter(None, ("CC", "-".join(coded[1].upper().replace("-", " ").split()), coded[2])))
    if (named := _COMMONS_NAME.search(value)) and named[1]:
        return _commons_name(named[1], named[2])
    return next((name for pattern, name in _OTHERS if pattern.search(value)), "")


def _commons_name(words: str, version: str | None) -> str:
    if re.match("zero|public domain", words, re.IGNORECASE):
        return "CC0"
    parts = [code for pattern, code in _PARTS if pattern.search(words)]
    order = sorted(parts, key=("NC", "ND", "SA").index)
    return " ".join(filter(None, ("CC", "-".join(("BY", *order)), version)))


def _refuses(name: str, value: str) -> bool:
    words = {word.strip() for word in value.split(",")}
    if name in ("robots", "x-robots-tag", "opilio"):
        return bool(words & _REFUSALS)
    if name == "tdm-reservation":
        return value.strip() == "1"
    if name == "content-usage":
        return "train-ai=n" in value.replace(" ", "")
    if name == "content-signal":
        return "ai-train=no" in value.replace(" ", "")
    return name in _REFUSALS
