"""Reads calendar dates as people and machines write them, in about thirty languages, without a clock or a calendar of its own.

Rules: a date has a year from `_FIRST_YEAR` on, a month and a day; a year alone is not a date. What is in doubt is decided
by the text's language: 3/4/2012 is March in American English and April elsewhere; with dots the day always comes first.
The time of day and its zone are ignored: the date is that of whoever wrote it.
"""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Final

_FIRST_YEAR: Final = 1990  # the web is not older
_LAST_YEAR: Final = 2099
_MOST_CHARS: Final = 300  # of a text that are looked at
_MONTH_FIRST_LANGUAGES: Final = ("", "en", "en-us", "en_us", "en-ca")
# Names of the months: whole words, or the beginnings of words where a "*" follows. An empty line ends a month.
_NAMES: Final = """
jan january januar* janua* janv janvier janeiro enero ene gen gennaio gener xaneiro styczn* sty ledn* led
январ* янв січ* януари ιαν* ocak oca tammik* ianuarie ian siječ* sausi* sausis jaanuar* janvār* urtarril*
يناير jän jänner

feb febru* febr* fév* fev febbraio febrer* febbr luty lutego lut únor* úno феврал* фев лют* φεβ* şubat şub
helmik* velja* vasari* veebruar* otsail* فبراير feber

mar march märz mär mrz mars marzo marz març* março maart mrt marc* mart* březn* bře март* мар берез* μαρ*
maalisk* ožuj* kovo kovas märts* martie martxo* مارس maret mac

apr april* avr* abr abril* aprile kwie* dub dubn* апрел* апр квіт* απρ* nis nisan huhtik* travn* baland*
aprīl* apirilak április أبريل

may mai maj maja mayo maggio mag maio mei maig máj* květ* kvě мая май трав* μαΐ* μαι* mayıs toukok* svib*
geguž* maij* maiatz* مايو

jun june juin juni junio giugno giu junho juny červn* čvn czerw* cze июн* черв* ιουν* haz haziran kesäk*
lipnja birželi* juun* jūnij* iunie ekain* يونيو június jún

jul july juil* juli julio luglio lug julho juliol července červenec čvc lip lipc* июл* лип* ιουλ* tem temmuz
heinäk* srpnja liepos liepa juul* jūlij* iulie uztail* يوليو július júl

aug august* août aoû ago agosto agost srp srpn* sie sierp* авг* серп* αυγ* ağu ağustos elok* kolovoz* rugpj*
augusztus avgust* ogos abuztu* أغسطس

sep sept septem* setem* set settembre sett septiembre setiembre septembre wrz wrześ* zář* сент* сен верес*
σεπ* eyl eylül syysk* ruj* rugsėj* szeptember* irail* سبتمبر

oct octob* okt oktob* octu* ott ottobre out outubro okto* paź* říj* окт* жовт* οκτ* eki ekim lokak* spal*
octubre outubr* październik* urri* أكتوبر

nov novem* noiem* novie* novembre lis listop* ноя* листоп* νοε* νοέ* kas kasım marrask* studen* lapkri* azaro*
نوفمبر noyabr*

dec decem* dez dezem* déc* dic dici* diciembre dicembre desem* dezembro gru grud* pros* дек* груд* δεκ* ara
aralık jouluk* gruod* detsem* abendu* ديسمبر des décembre disember dis
"""
_WORDS: Final = {
    name: month for month, line in enumerate(_NAMES.split("\n\n"), 1) for name in line.split() if name[-1] != "*"
}
_STEMS: Final = {
    name[:-1]: month for month, line in enumerate(_NAMES.split("\n\n"), 1) for name in line.split() if name[-1] == "*"
}
_YEAR: Final = r"((?:19|20)\d\d)"
_MONTH: Final = r"([^\W\d_]{3,14})"
_DAY: Final = r"(\d{1,2})"
_LINK: Final = r"(?:(?:st|nd|rd|th|er|º|ª|°|-?(?:го|е))(?!\w))?[.,]?\s{0,3}(?:(?:de|del|of|d’|d')\s{1,3}|[-/]\s{0,2})?"
_ISO: Final = re.compile(rf"(?<!\d){_YEAR}([-/.])(\d\d?)\2(\d\d?)(?!\d)")
_EAST: Final = re.compile(rf"(?<!\d){_YEAR}\s?[年년]\s?{_DAY}\s?[月월]\s?{_DAY}\s?[日일]?")
_DAY_MONTH: Final = re.compile(rf"(?<!\d){_DAY}{_LINK}{_MONTH}{_LINK}{_YEAR}(?!\d)", re.IGNORECASE)
_MONTH_DAY: Final = re.compile(rf"(?<!\w){_MONTH}\.?\s{{0,3}}{_DAY}{_LINK}{_YEAR}(?!\d)", re.IGNORECASE)
_YEAR_MONTH: Final = re.compile(rf"(?<!\d){_YEAR}\.?[\s-]{{1,3}}{_MONTH}\.?[\s-]{{1,3}}{_DAY}(?!\d)", re.IGNORECASE)
_NUMBERS: Final = re.compile(rf"(?<![\d./-]){_DAY}([-/.])\s?{_DAY}\2\s?((?:19|20)?\d\d)(?![\d]|[-/.]\d)")
_LATE_YEAR: Final = re.compile(
    rf"(?<!\w){_MONTH}\s{{1,3}}{_DAY}\s\d\d:\d\d(?::\d\d)?\s(?:[A-Z+-][\w:+-]{{1,5}}\s)?{_YEAR}"
)
_COMPACT: Final = re.compile(rf"(?<!\d){_YEAR}([01]\d)([0-3]\d)(?:[T_ ]?\d{{4,6}}Z?)?(?!\d)")
# Nothing else can be a date. All of it begins with a digit, so that other characters cost next to nothing.
_MAYBE: Final = re.compile(r"\d(?:(?<=1)9\d\d|(?<=2)0\d\d|[./-]\s?\d|\d{9})")
_STAMP: Final = re.compile(r"1[0-9]{9}(?:[0-9]{3})?")


def find_date(text: str, language: str = "") -> date | None:
    """Returns the first date in the text that can be one."""
    text = text[:_MOST_CHARS]
    return next(_found(text.strip(), language.lower()), None) if _MAYBE.search(text) else None


def _found(text: str, language: str) -> Iterator[date]:
    candidates = [
        *((at.start(), _date(at[1], at[3], at[4])) for at in _ISO.finditer(text)),
        *((at.start(), _date(at[1], at[2], at[3])) for at in _EAST.finditer(text)),
        *((at.start(), _date(at[3], at[2], at[1])) for at in _DAY_MONTH.finditer(text)),
        *((at.start(), _date(at[3], at[1], at[2])) for at in _MONTH_DAY.finditer(text)),
        *((at.start(), _date(at[1], at[2], at[3])) for at in _YEAR_MONTH.finditer(text)),
        *((at.start(), _date(at[3], at[1], at[2])) for at in _LATE_YEAR.finditer(text)),
        *((at.start(), _numbers(at, language)) for at in _NUMBERS.finditer(text)),
        *((at.start(), _date(at[1], at[2], at[3])) for at in _COMPACT.finditer(text)),
    ]
    if _STAMP.fullmatch(text):
        candidates.append((0, datetime.fromtimestamp(int(text[:10]), UTC).date()))
    yield from (found for _, found in sorted((one for one in candidates if one[1]), key=lambda one: one[0]) if found)


def _numbers(at: re.Match[str], language: str) -> date | None:
    first, separator, second, year = at.groups()
    year = year if len(year) == 4 else f"20{year}"
    if separator != "." and language in _MONTH_FIRST_LANGUAGES:
        return _date(year, first, second) or _date(year, second, first)
    return _date(year, second, first) or _date(year, first, second)


def _date(year: str, month: str, day: str) -> date | None:
    number = int(month) if month.isdecimal() else _month(month.lower())
    if not number or not _FIRST_YEAR <= int(year) <= _LAST_YEAR:
        return None
    try:
        return date(int(year), number, int(day))
    except ValueError:
        return None


@lru_cache(maxsize=4_096)
def _month(word: str) -> int:
    """Returns the number of a month, or 0."""
    if word in _WORDS:
        return _WORDS[word]
    return next((_STEMS[word[:size]] for size in range(len(word), 2, -1) if word[:size] in _STEMS), 0)
