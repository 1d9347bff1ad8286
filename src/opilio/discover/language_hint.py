"""What a URL says about a language that the identifier confuses with another one (Barbaresi 2013).

A hint is the code of a language as a label of the host or as the first segment of the path, or else a top-level domain with one
dominant language. It counts only between languages that are known to be confused, and only if the identifier is not sure: most
hosts under .de that read like English are English.
"""

from typing import Final

from opilio.core.languages import find_code
from opilio.core.url import Url
from opilio.model.url_language import language_of_domain

_SURE: Final = 0.95
_CODES: Final = {"nb": "no"}  # code of a top-level domain's language → code of the language identifier
# Languages so close, or written so alike, that short texts are taken for each other; and Chinese, which identifiers invent for
# Japanese and for text whose encoding was lost, as on Russian hosts.
_CONFUSED: Final = tuple(
    frozenset(group.split())
    for group in (
        "id ms jv su", "hr sr bs sl sh", "no nn da sv", "cs sk", "gl pt es ast an", "ca es oc", "bg mk", "ru uk be", "zh ja",
        "zh ru", "zh yue wuu", "af nl", "de lb nds als", "fa tg ckb", "hi mr ne", "ur hi", "et fi", "lo th",
    )
)  # fmt: skip


def settle_language(url: Url, language: str, confidence: float) -> str:
    """Returns the language that the URL suggests in place of the identified one, or "" if it has nothing to say."""
    if confidence >= _SURE or not language:
        return ""
    hint = _hint(url)
    return hint if hint != language and any({hint, language} <= group for group in _CONFUSED) else ""


def _hint(url: Url) -> str:
    labels = url.host.split(".")[:-2]
    first = url.path.split("/")[1].partition("-")[0]
    codes = (find_code(part) for part in (*labels[:1], first) if 1 < len(part) < 4)
    return next((code for code in codes if code), "") or _CODES.get(native := language_of_domain(url.href), native)
