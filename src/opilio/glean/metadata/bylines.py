"""Names of authors out of bylines: "By JANE DOE, Science Editor | 12 May 2012" is Jane Doe.

Rules: what introduces a name goes ("by", "von", "Text:"), and so do offices, places, dates and whatever follows them.
Several authors are several names. A name has up to six words, begins with a capital where its script has any, and has no
digits; words that stand for nobody in particular (admin, guest) are not names.
"""

import re
from collections.abc import Iterable
from typing import Final

_MOST_CHARS: Final = 300
_NAME_CHARS: Final = 70
_NAME_WORDS: Final = 6
_MOST_NAMES: Final = 10
# It is matched with text in small letters, because IGNORECASE tries every word (2 µs) and not only those with the right start.
_INTRODUCTION: Final = re.compile(
    r"^[\s:|•·–—/-]*(?:(?:(?:written|posted|published|submitted|reported|reviewed|created|contributed|story|article|words|text|"
    r"analysis|review|opinion|commentary|column|essay|interview|perspective|compiled|translated|"
    r"geschrieben|veröffentlicht|escrito|publicado|publié|écrit|propos recueillis|scritto|pubblicato|geschreven|skrevet|skriven|"
    r"опубликовал|автор|autor(?:in|en|a)?|author|authors|auteur|autore|autori|yazar|szerző|forfatter|författare|kirjoittaja|from)"
    r"\s*:?\s+)?(?:by|von|vom|par|por|di|da|door|af|av|od|przez|tekst|oleh|από|від|от)\b[\s:]*|"
    r"(?:written|text|texte|texto|testo|tekst|текст|story|words|author|authors|autor(?:in|en|a)?|auteur|autore|autori|автор|yazar|szerző|forfatter|författare|"
    r"kirjoittaja|by|from|von)\s*:\s*|(?:автор|posted)\s+)"
)
_SEPARATOR: Final = re.compile(
    r"\s*[;|•·\n\t/]\s*|\s+[–—-]\s+|\s*,\s*(?:(?:and|und|et|och|og|и|&)\s+)?|\s+(?:and|und|et|y|e|en|och|og|ja|i|ve|и|&|\+)\s+",
    re.IGNORECASE,
)
# Small words end a name only in small letters: "El" and "Le" begin some.
_END: Final = re.compile(
    r"\d|https?:|www\.|@|\s\(|[<>{}\[\]]|\b(?:on|am|le|el|il|op|den|at|in|for|is|was|has|says?|via)\b|"
    r"\b(?i:published|posted|updated|last modified|filed|under|follow|view|more|share|email|comments?|read more|about)\b"
)
_CALENDAR: Final = re.compile(
    r"\s(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|"
    r"november|december|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|märz|oktober|dezember|lundi|"
    r"mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b.*",
    re.IGNORECASE,
)
_OFFICE: Final = re.compile(
    r"\b(?:editor|reporter|correspondent|staff|writer|columnist|producer|journalist|contributor|director|professor|analyst|manager|engineer|founder|president|archives?|topics|profile|"
    r"redakteur\w*|redaktion|korrespondent\w*|journaliste|rédact\w+|redactor\w*|redazione|news|media|magazine|times|post|"
    r"press|associated|agency|inc|ltd|llc|gmbh|com|photo\w*|foto\w*|image|getty|reuters|guest post|ph\.?d|md|jr|sr)\b",
    re.IGNORECASE,
)
_PARTICLES: Final = frozenset((
    "de", "da", "di", "do", "dos", "das", "del", "della", "van", "von", "vom", "der", "den", "dem", "des", "du", "la",
    "le", "les", "el", "al", "bin", "ibn", "ben", "y", "e", "i", "ten", "ter", "zu", "zur", "af", "av", "und", "o'", "d'",
    "mc", "st", "abu", "san",
))  # fmt: skip
_AFTER_NAME: Final = re.compile(
    r"\s(?:associated press|reuters|ap|afp|dpa|bloomberg|news|sports|staff writer|senior|chief|political|science|business)?\s?"
    r"(?:associated press|reuters|ap|afp|dpa|bloomberg|news|reporter|correspondent|editor|writer|columnist|redakteur(?:in)?)$",
    re.IGNORECASE,
)
_NOBODY: Final = frozenset((
    "admin", "administrator", "webmaster", "editor", "guest", "anonymous", "anonym", "unknown", "author", "authors",
    "staff", "root", "user", "none", "null", "undefined", "name", "by", "superuser", "redaktion", "editors", "default",
    "webadmin", "moderator", "system", "test", "n/a", "na",
))  # fmt: skip


def names_in(texts: Iterable[str]) -> tuple[str, ...]:
    """Returns the authors that some bylines name, each once."""
    found: dict[str, str] = {}
    for text in texts:
        for name in _names(text):
            found.setdefault(name.casefold(), name)
    return tuple(found.values())[:_MOST_NAMES]


def has_introduction(text: str) -> bool:
    """Returns whether the text begins as a byline does."""
    return bool(_INTRODUCTION.match(text[:_MOST_CHARS].lower()))


def _names(byline: str) -> list[str]:
    text = " ".join(byline[:_MOST_CHARS].replace("\n", " | ").split())
    while (introduction := _INTRODUCTION.match(text.lower())) and introduction.end():
        text = text[introduction.end() :]
    parts = [part for part in _SEPARATOR.split(text) if part]
    names = []
    for place, part in enumerate(parts):
        end = _END.search(part)
        name = _trimmed(part[: end.start()] if end else part)
        if _is_name(name) and not (place and (_OFFICE.search(part) or " " not in name)):
            names.append(_capitalised(name))
        elif place:
            break
        if end:
            break
    return names


def _trimmed(part: str) -> str:
    """Returns a part of a byline without the date, the office or the agency that follows a name without a comma."""
    name = _CALENDAR.sub("", part)
    office = _AFTER_NAME.search(name.rstrip())
    if office and len(name[: office.start()].split()) > 1:
        name = name[: office.start()]
    return name.strip(" .,:–—-*\"'“”„／|")


def _is_name(name: str) -> bool:
    words = name.split()
    if not 1 <= len(words) <= _NAME_WORDS or len(name) > _NAME_CHARS or name.casefold() in _NOBODY:
        return False
    if _CALENDAR.fullmatch(f" {name}"):
        return False
    small = [word for word in words if word.islower() and word not in _PARTICLES]
    return len(name) > 1 and any(char.isalpha() for char in name) and (not small or len(words) == 1)


def _capitalised(name: str) -> str:
    """Returns JANE DOE as Jane Doe; short names in capitals may be initials."""
    return name.title() if name.isupper() and len(name) > 5 and " " in name else name
