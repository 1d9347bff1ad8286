"""Pages whose letters are easily lost: what a header, a declaration and the bytes say, in every combination that is
met.

A case is right if the page has its text letter by letter, dropped if the page is refused, and garbled otherwise. A
case without a text cannot be read by anybody, so it is right if it is dropped.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple
from unicodedata import normalize

from .charset_others import SAID, TEXTS
from .charset_texts import SAMPLES

_SCRIPT: Final = '<script>var menu = {open: false, items: ["home", "about", "contact"], depth: 3};</script>'
_MENU: Final = "".join(
    f'<li class="menu-item-{n}"><a href="/section/{n}/index.html">Link {n}</a></li>' for n in range(60)
)
_TONES: Final = frozenset("\u0300\u0301\u0303\u0309\u0323")  # windows-1258 has these by themselves


class Case(NamedTuple):
    name: str
    content_type: str
    body: bytes
    text: str | None  # None: the page cannot be read and must be dropped


def encode(text: str, codec: str) -> bytes:
    """Encodes as programs of the time did: Romanian with cedillas, Vietnamese with the tones after the letters."""
    if codec == "cp1250":
        text = text.translate({ord("ș"): "ş", ord("ț"): "ţ", ord("Ș"): "Ş", ord("Ț"): "Ţ"})
    if codec == "cp1258":
        text = "".join(map(_with_tone, text))
    return text.encode(codec)


def _with_tone(char: str) -> str:
    parts = normalize("NFD", char)
    tone = "".join(mark for mark in parts if mark in _TONES)
    return normalize("NFC", "".join(part for part in parts if part not in tone)) + tone


def page(text: str, codec: str, declaration: str = "", *, before: str = "", markup: bool = False) -> bytes:
    """Returns an HTML page. With `markup` nearly all of it is ASCII."""
    noise = (_SCRIPT * 20, f"<ul>{_MENU}</ul>") if markup else ("", "")
    head = f"<head>{before}{declaration}<title>index</title>{noise[0]}</head>"
    html = f"<!DOCTYPE html>\n<html>{head}<body>{noise[1]}<div><p>{text}</p></div></body></html>\n"
    return encode(html, codec)


def meta(label: str) -> str:
    return f'<meta charset="{label}">'


def old_meta(label: str) -> str:
    return f'<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={label}">'


def cases() -> list[Case]:
    groups = (
        _declared(), _in_header(), _undeclared(), _short(), _in_markup(), _contradicted(), _in_utf16(), _in_xml(), _as_browsers(),
        _hidden(), _plain(), _mojibake(), _in_other_languages(),
    )  # fmt: skip
    return [case for group in groups for case in group]


def text_of(language: str, codec: str = "utf-8", sentences: int = 3) -> str:
    """Returns the text as it comes back from the codec."""
    text = SAMPLES[language].text
    stop = "。" if "。" in text else ". "
    text = (stop.join(text.split(stop)[:sentences]) + stop).strip() if sentences < 3 else text
    return normalize("NFC", encode(text, codec).decode(codec))


_LABELS: Final = (
    ("de", "mac_roman", "x-mac-roman"), ("fr", "cp1252", "iso-ir-100"), ("pl", "iso8859_2", "csISOLatin2"),
    ("cs", "cp1250", "x-cp1250"), ("ro", "iso8859_16", "ISO-8859-16"), ("ru", "koi8_r", "csKOI8R"), ("ru", "cp866", "866"),
    ("ru", "mac_cyrillic", "x-mac-ukrainian"), ("uk", "koi8_u", "koi8-ru"), ("sr", "iso8859_5", "iso-ir-144"),
    ("el", "iso8859_7", "sun_eu_greek"), ("tr", "cp1254", "latin5"), ("he", "iso8859_8", "csISO88598I"),
    ("ar", "iso8859_6", "ecma-114"), ("lt", "iso8859_13", "iso885913"), ("th", "cp874", "dos-874"),
    ("zh-hans", "gb18030", "GB_2312-80"), ("zh-hant", "big5", "x-x-big5"), ("ja", "cp932", "MS_Kanji"),
    ("ja", "euc_jp", "x-euc-jp"), ("ko", "cp949", "ks_c_5601-1987"), ("vi", "cp1258", "windows-1258"),
)  # fmt: skip


def _declared() -> Iterator[Case]:
    for language, codec, label in _LABELS:
        text = text_of(language, codec)
        yield Case(f"declared {language} as {label}", "text/html", page(text, codec, old_meta(label)), text)


def _in_header() -> Iterator[Case]:
    for language, codec, label in (
        ("bg", "cp1251", "windows-1251"), ("hu", "iso8859_2", '"iso_8859-2"'), ("ja", "iso2022_jp", "ISO-2022-JP"),
        ("zh-hans", "gb2312", "gb2312"), ("is", "cp1252", "ISO-8859-1"), ("he", "cp1255", "Windows-1255"),
    ):  # fmt: skip
        text = text_of(language, codec)
        yield Case(f"header {language} {label}", f"text/html; charset={label}", page(text, codec), text)


def _undeclared() -> Iterator[Case]:
    for language, sample in SAMPLES.items():
        for codec in sample.codecs:
            text = text_of(language, codec)
            yield Case(f"undeclared {language} {codec}", "text/html", page(text, codec), text)


_LEGACY: Final = (
    ("de", "cp1252"), ("pl", "cp1250"), ("ru", "cp1251"), ("el", "cp1253"), ("ja", "cp932"), ("ko", "cp949"),
    ("zh-hans", "gb18030"), ("zh-hant", "big5"), ("th", "cp874"), ("he", "cp1255"), ("ar", "cp1256"), ("tr", "cp1254"),
)  # fmt: skip


def _short() -> Iterator[Case]:
    for language, codec in _LEGACY:
        text = text_of(language, codec, sentences=1)
        yield Case(f"short {language} {codec}", "", page(text, codec), text)


def _in_markup() -> Iterator[Case]:
    for language, codec in _LEGACY:
        text = text_of(language, codec, sentences=2)
        yield Case(f"in markup {language} {codec}", "text/html", page(text, codec, markup=True), text)


def _in_other_languages() -> Iterator[Case]:
    for language, codec, header, declared in SAID:
        text = TEXTS[language]
        content_type = f"text/html; charset={header}" if header else "text/html"
        name = f"{language} {codec}, header {header or 'none'}, declared {declared or 'nothing'}"
        yield Case(name, content_type, page(text, codec, meta(declared) if declared else ""), text)


def _contradicted() -> Iterator[Case]:
    for language, label in (
        ("de", "iso-8859-1"), ("ru", "windows-1252"), ("zh-hans", "gbk"), ("ja", "shift_jis"), ("pl", "iso-8859-2"),
        ("el", "windows-1251"),
    ):  # fmt: skip
        text = text_of(language)
        yield Case(f"utf-8 {language} declared {label}", "text/html", page(text, "utf-8", meta(label)), text)
        yield Case(f"utf-8 {language}, header {label}", f"text/html; charset={label}", page(text, "utf-8"), text)
    for language, codec in _LEGACY[:9]:
        text = text_of(language, codec)
        yield Case(f"{codec} {language} declared utf-8", "text/html", page(text, codec, meta("utf-8")), text)
    for language, codec, right in (
        ("ru", "cp1251", "windows-1251"),
        ("ja", "cp932", "shift_jis"),
        ("pl", "iso8859_2", "l2"),
    ):
        text, wrong = text_of(language, codec), "text/html; charset=iso-8859-1"
        yield Case(f"meta {right} {language} against header latin-1", wrong, page(text, codec, meta(right)), text)
        wrong = "text/html; charset=utf-8"
        yield Case(f"meta {right} {language} against header utf-8", wrong, page(text, codec, meta(right)), text)
        header = f"text/html; charset={right}"
        yield Case(f"header {right} {language} against meta latin-1", header, page(text, codec, meta("latin1")), text)
    for language, codec in (
        ("ru", "koi8_r"),
        ("el", "iso8859_7"),
        ("ko", "cp949"),
        ("zh-hant", "big5"),
        ("he", "cp1255"),
    ):
        text = text_of(language, codec)
        yield Case(f"{codec} {language} declared latin-1", "text/html", page(text, codec, meta("iso-8859-1")), text)


def _in_utf16() -> Iterator[Case]:
    for language in ("de", "ru", "zh-hans", "ar"):
        text = text_of(language)
        for codec, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")):
            yield Case(f"{codec} {language} with mark", "text/html; charset=utf-8", mark + page(text, codec), text)
            yield Case(f"{codec} {language} without mark", "text/html", page(text, codec), text)
    text = text_of("ja")
    yield Case("utf-16 ja, plain, without mark", "text/plain", text.encode("utf-16-le"), text)
    yield Case(
        "utf-8 with mark, header cp1251", "text/html; charset=cp1251", b"\xef\xbb\xbf" + page(text, "utf-8"), text
    )


def _in_xml() -> Iterator[Case]:
    for language, codec, label in (
        ("pl", "iso8859_2", "ISO-8859-2"),
        ("ru", "cp1251", "windows-1251"),
        ("ja", "euc_jp", "euc-jp"),
    ):
        text = text_of(language, codec)
        body = f"<?xml version='1.0' encoding='{label}'?>\n".encode() + page(text, codec)
        yield Case(f"xhtml {label} {language}", "application/xhtml+xml", body, text)


def _as_browsers() -> Iterator[Case]:
    for name, label, raw, text in (
        ("the euro of windows-1252 in latin-1", "iso-8859-1", b"Der Eintritt kostet 12 \x80 \x96 f\xfcr alle.", "12 € – für"),
        ("a control of windows-1252", "windows-1252", b"caf\xe9 \x81 cr\xe8me br\xfbl\xe9e", "café \x81 crème"),
        ("a circled number in euc-jp", "euc-jp", b"\xad\xa1" + "こんにちは、世界。".encode("euc_jp"), "①こんにちは"),
        ("the euro of gbk", "gbk", "价格".encode("gbk") + b" 15 \x80 " + "每天早上".encode("gbk"), "价格 15 € 每天"),
        ("short u in koi8-u", "koi8-u", b"\xd7\xcf\xae \xc4\xcf\xcd \xc9 \xcc\xc5\xd3", "воў дом и лес"),
        ("hangul outside of ks x 1001", "euc-kr", "똠방각하와 펲시콜라".encode("cp949"), "똠방각하와 펲시콜라"),
        ("half-width kana in iso-2022-jp", "iso-2022-jp", b"\x1b(I6@6E\x1b(B kana", "ｶﾀｶﾅ kana"),
        ("user-defined means windows-1252", "x-user-defined", b"caf\xe9 cr\xe8me \xe0 la carte", "café crème à la"),
    ):  # fmt: skip
        yield Case(name, "text/html", page("\0", "ascii", meta(label)).replace(b"\0", raw), text)


def _hidden() -> Iterator[Case]:
    text = text_of("ru", "cp1251")
    for name, before in (
        ("in a comment", "<!-- <meta charset=koi8-r> -->"),
        ("in an attribute", '<link title="<meta charset=koi8-r>" rel=x>'),
        ("as a name", '<meta name="charset" content="koi8-r">'),
        ("without http-equiv", '<meta content="text/html; charset=koi8-r">'),
    ):
        body = page(text, "cp1251", meta("windows-1251"), before=before)
        yield Case(f"a charset {name} does not count", "text/html", body, text)
    late = page(text, "cp1251", meta("windows-1251"), before=_SCRIPT * 15)
    yield Case("a declaration after 1024 bytes", "text/html", late, text)


def _plain() -> Iterator[Case]:
    for language, codec in (("ru", "cp1251"), ("de", "cp1252"), ("ja", "euc_jp"), ("cs", "cp1250")):
        text = text_of(language, codec)
        yield Case(f"plain {language} {codec}", "text/plain", encode(text, codec), text)


def _mojibake() -> Iterator[Case]:
    for language in ("de", "ru", "fr", "ja"):
        text = text_of(language)
        twice = text.encode().decode("cp1252" if language in ("de", "fr") else "latin-1")
        yield Case(f"utf-8 twice, {language}", "text/html; charset=utf-8", page(twice, "utf-8"), text)
    text = text_of("ru", "cp1251")
    stored = text.encode("cp1251").decode("cp1252")
    yield Case("cp1251 stored as windows-1252, then utf-8", "text/html; charset=utf-8", page(stored, "utf-8"), text)
    lost = text.encode().decode("ascii", "replace")
    yield Case("letters lost for ever", "text/html; charset=utf-8", page(lost, "utf-8"), None)
    marks = "".join("?" if char.isalpha() else char for char in text)
    yield Case("letters that became question marks", "text/html", page(marks, "utf-8"), None)
    for label in ("iso-2022-kr", "hz-gb-2312", "iso-2022-cn"):
        yield Case(f"{label}, which browsers refuse", "text/html", page("~{<:Ky2;~}", "ascii", meta(label)), None)
