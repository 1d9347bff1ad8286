"""Is a page an empty shell, whose text a script would write? Scripts are not run, so such a page has nothing to keep.

A shell has next to no words, a script, and either an element in which frameworks show their pages or a word to people whose
browser runs no scripts.
"""

import re
from typing import Final

_MOST_WORDS: Final = 30
_SCRIPT: Final = re.compile(r"<script\b", re.IGNORECASE)
_APPLICATION: Final = re.compile(
    r"""\bid\s*=\s*["']?(?:root|app|__next|__nuxt|__layout|___gatsby|svelte|ember-app|react-?(?:root|app)|vue-?app|q-app|app-?root|"""
    r"""application|main-app|app-(?:mount|container|shell)|single-spa[\w-]*)["'\s>]|<(?:app-root|[a-z]{2,20}-app|router-outlet|"""
    r"""flutter-view|app-shell)\b|\bng-(?:app|version)\s*=|\bdata-reactroot\b""",
    re.IGNORECASE,
)
_NO_SCRIPT: Final = re.compile(
    r"<noscript\b[^>]{0,200}>[^<]{0,300}(?:<[^>]{1,300}>[^<]{0,300}){0,5}javascript", re.IGNORECASE
)


def is_shell(source: str, words: int) -> bool:
    """`words` is how many the whole page shows. Only pages with few of them are looked at more closely."""
    if words > _MOST_WORDS or not _SCRIPT.search(source):
        return False
    return bool(_APPLICATION.search(source) or _NO_SCRIPT.search(source))
