"""Languages as people name them, and the codes that the language identifier gives them.

Rules: a language is named by a code (de, deu), with or without a region or script (de-AT, zh_Hant), by its English name or by
its own (German, Deutsch), in any case and with or without accents. A region is left out, because the identifier tells languages
apart and not their regions. Only languages that the identifier can tell are known: any other could never be found on a page.

`languages.tsv` has a line for each: the identifier's code, the English name, and other names.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final
from unicodedata import combining, normalize

from .errors import ConfigError
from .suggestion import did_you_mean

_CODE_CHARS: Final = 3  # codes have no more, and are so short that any two are alike
# A name must be this much like the one that is suggested: there are so many that one is always a little alike.
_LEAST_LIKENESS: Final = 0.7
_LEAST_LIKENESS_OF_CODE: Final = 0.5  # of a code and the beginning of a name
_WHAT_TO_WRITE: Final = "Write a code such as de, or an English name such as German."
_REGION: Final = re.compile(r"([a-z]{2,3})[-_][\w-]+")


def language_codes(names: Iterable[str]) -> tuple[str, ...]:
    """Returns the codes of languages in the order in which they are named. A name may be several, separated by commas. Names that
    are all empty are refused, because a crawl in any language would follow from them."""
    names = tuple(names)
    each = (name.strip() for several in names for name in several.split(","))
    codes = tuple(dict.fromkeys(_code(name) for name in each if name))
    if names and not codes:
        raise ConfigError(f'"{names[0]}" is not a language. {_WHAT_TO_WRITE}')
    return codes


def known_codes(names: Iterable[str]) -> tuple[str, ...]:
    """Returns the codes of the languages that are known, and leaves out the others."""
    return tuple(dict.fromkeys(code for name in names if (code := find_code(name))))


def find_code(name: str) -> str | None:
    """Returns the code of a language, or None if it is not known."""
    region = _REGION.fullmatch(name.strip().lower())
    return _known().get(_key(name)) or (_known().get(region[1]) if region else None)


def language_name(code: str) -> str:
    """Returns the English name, or the code itself if it is not known."""
    return _names().get(code, code)


def long_codes(code: str) -> tuple[str, ...]:
    """Returns the codes of three letters that other programs have for a language, or its own if there is none."""
    others = next((others.split(", ") for known, _, others in _rows() if known == code), [])
    return tuple(name for name in others if len(name) == 3 and name.isascii() and name.islower()) or (code,)


def list_languages(codes: Iterable[str]) -> str:
    """Returns "German", "German or French", "German, French or Dutch"."""
    *others, last = map(language_name, codes)
    return f"{', '.join(others)} or {last}" if others else last


def _code(name: str) -> str:
    if (code := find_code(name)) is not None:
        return code
    several = [find_code(part) for part in re.split(r"[\s;]+", name)]
    if len(several) > 1 and all(several):
        options = " ".join(f"--language {code}" for code in several)
        raise ConfigError(f'"{name}" is more than one language. Write {options}.')
    names = [known for known in _known() if len(known) > _CODE_CHARS]
    least = _LEAST_LIKENESS if len(name) > _CODE_CHARS else _LEAST_LIKENESS_OF_CODE
    raise ConfigError(
        f'"{name}" is not a language that Opilio can identify.{did_you_mean(_key(name), names, least=least)} {_WHAT_TO_WRITE}'
    )


def _key(name: str) -> str:
    """Returns the form in which names are compared."""
    plain = normalize("NFKD", name.strip().casefold()).replace("-", " ").replace("_", " ")
    return "".join(char for char in plain if not combining(char))


@cache
def _rows() -> list[list[str]]:
    lines = resources.files("opilio").joinpath("core", "languages.tsv").read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines]


@cache
def _names() -> Mapping[str, str]:
    return MappingProxyType({code: name for code, name, _ in _rows()})


@cache
def _known() -> Mapping[str, str]:
    named = ((code, (code, name, *others.split(", "))) for code, name, others in _rows())
    return MappingProxyType({_key(each): code for code, names in named for each in names if each})
