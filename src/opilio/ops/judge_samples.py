"""The verb `judge samples`: what was made of the samples, before anything is spent on a crawl.

Each text is shown with its words and language, then what the judge has made of all of them, and what speaks against them:
too few words, several languages, texts that repeat each other, and texts that are about different things.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from opilio.core.account import SamplesAccount, SampleText
from opilio.core.errors import ConfigError
from opilio.core.plugin import Sample
from opilio.engine.sample_languages import find_mismatch, sample_language
from opilio.engine.samples import count_words, sample_reader, warn_small
from opilio.folder import CrawlFolder
from opilio.judge import Judge
from opilio.model.commonness import commonness, language_of
from opilio.model.resemblance import resembling
from opilio.model.terms import LENGTH, terms

from .judge_try import choose_judge
from .names import Names, paths

_FEW_WORDS: Final = 200  # of all texts: then one subject has room to show
_SHORT_WORDS: Final = 20
_REPEATED_SHARE: Final = 0.8  # of the different terms of both texts
# A term that this share of ordinary pages has names no subject, whatever a judge does with it.
_ORDINARY_SHARE: Final = 0.25
_KEYWORDS: Final = 20
_WORD: Final = re.compile(r"[^\W_]+")


def judge_samples(
    folder: str | Path | None = None,
    *,
    like: Names = (),
    language: str | Iterable[str] = (),
    recipe: str | None = None,
    web: Names = (),
    settings: Iterable[str] = (),
) -> SamplesAccount:
    """Returns what was made of samples: those of a crawl's folder, or others. Samples that are URLs are fetched, or taken from
    the WARC files in `web`."""
    place = CrawlFolder(Path(folder)) if folder is not None else None
    chosen = choose_judge(place, recipe=recipe, settings=[*settings], like=like, language=language, web=paths(web))
    found = chosen.samples or sample_reader(place.path if place else Path())(chosen.config.corpus.like)
    samples = [sample._replace(name=sample.name.removeprefix(f"{Path.cwd()}/")) for sample in found]
    if not samples:
        raise ConfigError("there are no samples. Name texts of the kind you want with --like FILE, or in corpus.like.")
    texts = [SampleText(sample.name, count_words(sample.text), sample_language(sample.text)) for sample in samples]
    accounts = list(Judge.adopt(chosen.judge).describe())
    languages = Counter[str]()
    for text in texts:
        languages[text.language] += text.words
    return SamplesAccount(
        texts,
        languages.total(),
        dict(languages.most_common()),
        _whole_words([term for account in accounts for term in account.keywords], samples),
        accounts,
        list(_warnings(samples, texts, chosen.config.corpus.only)),
    )


def _whole_words(keywords: Sequence[str], samples: Sequence[Sample]) -> list[str]:
    """Returns for each term the word of the samples that has it most often, without words of ordinary pages."""
    common = commonness(language_of([term for sample in samples for term in terms(sample.text)]))
    words = Counter(word for sample in samples for word in _WORD.findall(sample.text.lower()))
    whole: dict[str, str] = {}
    for word, _ in words.most_common():
        whole.setdefault(word[:LENGTH], word)
    telling = [term for term in dict.fromkeys(keywords) if common.get(term, 0.0) < _ORDINARY_SHARE]
    return [whole.get(term, term) for term in telling][:_KEYWORDS]


def _warnings(samples: Sequence[Sample], texts: Sequence[SampleText], only: Sequence[str]) -> Iterator[str]:
    words = sum(text.words for text in texts)
    if small := warn_small(samples):
        yield small
    elif words < _FEW_WORDS:
        yield (
            f"The samples have {words} words in all, which is little to tell a subject from its neighbours. Name more texts "
            "with --like; five of a page each are good."
        )
    if short := [text.name for text in texts if text.words < _SHORT_WORDS] if len(texts) > 1 else []:
        yield f"Some texts have fewer than {_SHORT_WORDS} words and say next to nothing: {', '.join(short)}. Leave them out."
    if mismatch := find_mismatch(samples, only):
        yield mismatch.words[:1].upper() + mismatch.words[1:]
    else:
        yield from _several_languages(texts)
    repeated = list(_repeated(samples))
    for one, other in repeated:
        yield f"{samples[other].name} repeats {samples[one].name}. Leave one of them out: it adds nothing."
    yield from _different_things(samples, texts, {other for _, other in repeated})


def _several_languages(texts: Sequence[SampleText]) -> Iterator[str]:
    names: dict[str, list[str]] = {}
    for text in texts:
        if text.language:
            names.setdefault(text.language, []).append(text.name)
    if len(names) > 1:
        listed = "; ".join(f"{language}: {', '.join(found)}" for language, found in names.items())
        yield (
            f"The samples are in several languages ({listed}). Words are compared as they are written, so one crawl for each "
            "language finds more. Leave out the texts of the other languages."
        )


def _repeated(samples: Sequence[Sample]) -> Iterator[tuple[int, int]]:
    """Yields each text that repeats an earlier one, after the earlier one."""
    found = [frozenset(terms(sample.text)) for sample in samples]
    for other, different in enumerate(found):
        for one in range(other):
            if len(found[one] & different) >= _REPEATED_SHARE * len(found[one] | different):
                yield one, other
                break


def _different_things(samples: Sequence[Sample], texts: Sequence[SampleText], repeated: set[int]) -> Iterator[str]:
    """Compares the texts of the most frequent language that are long enough and not repeated."""
    main = Counter(text.language for text in texts).most_common(1)[0][0]
    compared = [
        sample
        for place, (sample, text) in enumerate(zip(samples, texts, strict=True))
        if text.language == main and text.words >= _SHORT_WORDS and place not in repeated
    ]
    groups = resembling([sample.text for sample in compared])
    if len(groups) > 1:
        listed = "; ".join(", ".join(compared[place].name for place in group) for group in groups)
        yield (
            f"The samples seem to be about {len(groups)} different things: {listed}. If they are, make a crawl for each; if not, "
            "a text that is about both brings them together."
        )
