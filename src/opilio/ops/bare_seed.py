"""A seed without a scheme, such as `example.org`: what it is taken for, or what to say of it.

Rules: a name whose ending is in the public-suffix list is a host, and is asked by https. `localhost`, addresses, and names with
a port other than 443 are asked by http, since what listens there is mostly a server for development. A name that ends like a
file is never taken for a host: `seeds.txt` is far more often a file that was misspelt.
"""

import re
from pathlib import Path
from typing import Final

from opilio.core.outcome import Drop
from opilio.core.url import Url, has_known_suffix, parse
from opilio.fetch.address import is_literal

_BARE: Final = re.compile(r"(?P<host>\[[0-9a-fA-F:.]+\]|[^\s/:?#@\\]+)(?::(?P<port>\d{1,5}))?(?P<path>[/?#]\S*)?")
_FILE_ENDING: Final = re.compile(
    r"(?:csv|gz|html?|jsonl?|list|lst|md|toml|tsv|txt|urls|warc|xml|yaml|zip|zst)", re.IGNORECASE
)
_MOST_CHARS: Final = 200  # of a seed that are shown


def complete(raw: str) -> Url | None:
    """Returns the URL that is meant, or None if that cannot be told."""
    bare = _BARE.fullmatch(raw)
    if bare is None or _is_file_name(bare):
        return None
    is_local = bare["host"].lower() == "localhost" or _is_address(bare["host"])
    scheme = "http" if is_local or bare["port"] not in (None, "443") else "https"
    url = parse(f"{scheme}://{raw}")
    return None if isinstance(url, Drop) or not (is_local or has_known_suffix(url.host)) else url


def complain(raw: str, drop: Drop) -> str:
    """Returns a sentence, without its end, on a seed that cannot be used."""
    shown, bare = f'"{raw[:_MOST_CHARS]}"', _BARE.fullmatch(raw)
    if bare is None or "." not in bare["host"]:
        return f"{shown} is not {'an http or https' if drop is Drop.SCHEME and not bare else 'a valid'} URL"
    if not _is_file_name(bare):
        return f"{shown} is not a valid URL; if it is a host, write https://{raw[:_MOST_CHARS]}"
    if len(raw) <= _MOST_CHARS and Path(raw).is_file():
        return f"{shown} is a file, and not a URL; write --seeds {raw}"
    return f"{shown} is not a URL, and there is no such file"


def _is_file_name(bare: re.Match[str]) -> bool:
    return not bare["port"] and not bare["path"] and bool(_FILE_ENDING.fullmatch(bare["host"].rpartition(".")[2]))


def _is_address(host: str) -> bool:
    """Returns whether it is an address in full: the URL parser would take a mere number for one too."""
    return is_literal(host) and (host.startswith("[") or host.count(".") == 3)
