"""What settles the settings of a run, as a table: each row is what stands, what is said, and what comes of it."""

from collections.abc import Mapping
from typing import Any

import pytest

from opilio.core.config import NO_CUT, Config, Layer, load_config
from opilio.core.errors import ConfigError
from opilio.ops.settings import Known, Said, settle

EMPTY = Known()
TOML = "crawl.toml"


def own(**tables: Mapping[str, Any]) -> Layer:
    return Layer(TOML, tables)


def began(recipe: str, *settings: str) -> Config:
    return load_config(recipe=recipe, settings=settings)


LIKE_OLD = 'corpus.like=["/old.txt"]'
LEARNED = began("learned", LIKE_OLD)
GERMAN = 'corpus.languages=["de"]'
ASKING = ('corpus.languages=["de"]', "corpus.other_languages=true")  # as a crawl that is older than the filter
TUNED = ("judge.threshold=0.7", "policy.cut=-900")

# what stands, what is said → the recipe, and some settings of the result
TABLE: list[tuple[str, Known, Said, str, dict[str, Any]]] = [
    ("nothing is said: no focus", EMPTY, Said(), "breadth-first", {"lead.name": "breadth-first"}),
    ("samples choose their recipe", EMPTY, Said(like=("/a.txt",)), "learned", {"corpus.like": ("/a.txt",)}),
    ("samples as a setting choose it too", EMPTY, Said(settings=('corpus.like=["/a.txt"]',)), "learned", {}),
    (
        "unless a lead is named",
        EMPTY,
        Said(settings=('corpus.like=["/a.txt"]', "lead.name=random")),
        "breadth-first",
        {"lead.name": "random"},
    ),
    (
        "or the caller brings one",
        EMPTY,
        Said(settings=('corpus.like=["/a.txt"]',), fallback="breadth-first"),
        "breadth-first",
        {},
    ),
    ("samples in crawl.toml choose it", Known(own(corpus={"like": ["a.txt"]})), Said(), "learned", {}),
    ("a recipe that is said wins over samples", EMPTY, Said("random", like=("/a.txt",)), "random", {}),
    ("a recipe as a setting is one", EMPTY, Said(settings=("crawl.recipe=random",), like=("/a.txt",)), "random", {}),
    ("crawl.toml names the recipe", Known(own(crawl={"recipe": "quality"})), Said(), "quality", {}),
    (
        "what is said wins over crawl.toml",
        Known(own(fetch={"delay_s": 3})),
        Said(settings=("fetch.delay_s=4",)),
        "breadth-first",
        {"fetch.delay_s": 4.0},
    ),
    (
        "crawl.toml wins over the recipe",
        Known(own(policy={"choice": "weighted"})),
        Said("perplexity"),
        "perplexity",
        {"policy.choice": "weighted"},
    ),
    (
        "the last of two settings counts",
        EMPTY,
        Said(settings=("stop.pages=1", "stop.pages=2")),
        "breadth-first",
        {"stop.pages": 2},
    ),
    (
        "a crawl goes on as it was",
        Known(stored=began("quality", "scope.max_depth=3", "crawl.seed=5")),
        Said(),
        "quality",
        {"scope.max_depth": 3, "crawl.seed": 5},
    ),
    (
        "but for its bounds and the machine",
        Known(stored=began("quality", "stop.pages=9", "crawl.workers=3")),
        Said(),
        "quality",
        {"stop.pages": 0, "crawl.workers": 0},
    ),
    (
        "crawl.toml forgets the last run",
        Known(own(), began("quality", "scope.max_depth=3")),
        Said(),
        "breadth-first",
        {"scope.max_depth": 100},
    ),
    (
        "a new recipe brings its own focus",
        Known(stored=began("perplexity", "judge.threshold=0.9", "scope.max_depth=3")),
        Said("quality"),
        "quality",
        {"scope.max_depth": 3, "judge.threshold": None},
    ),
    (
        "the same samples go on with their recipe",
        Known(stored=began("perplexity", LIKE_OLD)),
        Said(like=("/old.txt",)),
        "perplexity",
        {},
    ),
    (
        "even beside a crawl.toml",
        Known(own(), began("perplexity", LIKE_OLD)),
        Said(like=("/old.txt",)),
        "perplexity",
        {},
    ),
    (
        "other samples begin with learned",
        Known(stored=began("perplexity", LIKE_OLD)),
        Said(like=("/new.txt",)),
        "learned",
        {"corpus.like": ("/new.txt",)},
    ),
    (
        "a focused crawl.toml keeps its recipe",
        Known(own(crawl={"recipe": "skyline"})),
        Said(like=("/a.txt",)),
        "skyline",
        {},
    ),
    ("an unfocused one does not", Known(own(crawl={"recipe": "breadth-first"})), Said(like=("/a.txt",)), "learned", {}),
    (
        "changes made while it ran are kept",
        Known(stored=began("breadth-first", "fetch.delay_s=7"), changed=("fetch.delay_s=7",)),
        Said(),
        "breadth-first",
        {"fetch.delay_s": 7.0},
    ),
    (
        "over crawl.toml",
        Known(own(fetch={"delay_s": 3}), changed=("fetch.delay_s=7",)),
        Said(),
        "breadth-first",
        {"fetch.delay_s": 7.0},
    ),
    (
        "and under what is said now",
        Known(changed=("fetch.delay_s=7",)),
        Said(settings=("fetch.delay_s=8",)),
        "breadth-first",
        {"fetch.delay_s": 8.0},
    ),
    (
        "another judge has options of its own",
        Known(stored=LEARNED, changed=("judge.threshold=0.3",)),
        Said(settings=("judge.name=keywords", 'judge.words=["x"]')),
        "learned",
        {"judge.name": "keywords", "judge.threshold": None},
    ),
    (
        "changes are laid one by one",
        Known(own(crawl={"recipe": "learned"}), changed=("judge.threshold=0.4", "judge.name=everything")),
        Said(),
        "learned",
        {"judge.name": "everything", "judge.threshold": None},
    ),
    (
        "a crawl that goes on has its changes already",
        Known(
            stored=began("learned", "judge.name=everything"), changed=("judge.threshold=0.4", "judge.name=everything")
        ),
        Said(),
        "learned",
        {"judge.name": "everything", "judge.threshold": None},
    ),
    (
        "except those of what is for one run",
        Known(stored=began("quality"), changed=("stop.pages=9", "judge.languages=[]")),
        Said(),
        "quality",
        {"stop.pages": 9},
    ),
    (
        "changes to a judge and a policy end with their recipe",
        Known(stored=began("perplexity", *TUNED), changed=TUNED),
        Said("breadth-first"),
        "breadth-first",
        {"judge.name": "everything", "judge.threshold": None, "policy.cut": NO_CUT},
    ),
    (
        "and with their samples",
        Known(stored=began("learned", LIKE_OLD, *TUNED), changed=TUNED),
        Said(like=("/new.txt",)),
        "learned",
        {"judge.threshold": LEARNED.judge.get("threshold"), "policy.cut": NO_CUT},
    ),
    (
        "while changes to other tables go on",
        Known(stored=began("perplexity", "fetch.delay_s=7"), changed=("fetch.delay_s=7", *TUNED)),
        Said("breadth-first"),
        "breadth-first",
        {"fetch.delay_s": 7.0, "judge.threshold": None},
    ),
    (
        "naming the same recipe again keeps its changes",
        Known(stored=began("perplexity", *TUNED), changed=TUNED),
        Said("perplexity"),
        "perplexity",
        {"judge.threshold": 0.7, "policy.cut": -900.0},
    ),
    (
        "a crawl.toml keeps changes to the focus that it names",
        Known(own(crawl={"recipe": "perplexity"}), began("perplexity", *TUNED), TUNED),
        Said(),
        "perplexity",
        {"judge.threshold": 0.7, "policy.cut": -900.0},
    ),
    (
        "until it names another judge",
        Known(own(judge={"name": "keywords"}), began("perplexity", *TUNED), TUNED),
        Said("perplexity"),
        "perplexity",
        {"judge.name": "keywords", "judge.threshold": None, "policy.cut": began("perplexity").policy.cut},
    ),
    (
        "or another recipe is named now",
        Known(own(crawl={"recipe": "perplexity"}), began("perplexity", *TUNED), TUNED),
        Said("breadth-first"),
        "breadth-first",
        {"judge.name": "everything", "judge.threshold": None, "policy.cut": NO_CUT},
    ),
    (
        "samples never give their bounds to a caller's lead",
        EMPTY,
        Said(like=("/a.txt",), fallback="breadth-first"),
        "breadth-first",
        {"policy.bounds": ()},
    ),
    (
        "labelled pages bring their judge",
        EMPTY,
        Said(positive=("/yes",)),
        "learned",
        {"judge.name": "classifier", "judge.positive": ["/yes"]},
    ),
    (
        "even to a crawl that has begun",
        Known(stored=LEARNED),
        Said(negative=("/no",)),
        "learned",
        {"judge.name": "classifier", "judge.negative": ["/no"]},
    ),
    (
        "a judge without samples wants both",
        EMPTY,
        Said("comments", like=("/a.txt",)),
        "comments",
        {"judge.name": "all-of"},
    ),
    (
        "a language chooses the recipe of samples",
        EMPTY,
        Said(languages=("de",)),
        "learned",
        {"judge.name": "language", "lead.name": "learned", "corpus.only": ("de",)},
    ),
    (
        "as a setting too",
        EMPTY,
        Said(settings=(GERMAN,)),
        "learned",
        {"judge.name": "language", "corpus.only": ("de",)},
    ),
    ("and in crawl.toml", Known(own(corpus={"languages": ["de"]})), Said(), "learned", {"judge.name": "language"}),
    ("unless others are welcome", EMPTY, Said(settings=ASKING), "breadth-first", {"judge.name": "everything"}),
    (
        "beside samples the judge is theirs",
        EMPTY,
        Said(like=("/a.txt",), languages=("de",)),
        "learned",
        {"judge.name": "topic", "corpus.only": ("de",)},
    ),
    (
        "beside labelled pages the judge is theirs",
        EMPTY,
        Said(positive=("/yes",), languages=("de",)),
        "learned",
        {"judge.name": "classifier", "corpus.only": ("de",)},
    ),
    (
        "a judge that is named stays",
        EMPTY,
        Said(settings=("judge.name=comments",), languages=("de",)),
        "learned",
        {"judge.name": "comments", "lead.name": "learned", "corpus.only": ("de",)},
    ),
    (
        "and so does a recipe",
        EMPTY,
        Said("breadth-first", languages=("de",)),
        "breadth-first",
        {"judge.name": "everything", "corpus.only": ("de",)},
    ),
    (
        "a language that is said now replaces an unfocused recipe of crawl.toml",
        Known(own(crawl={"recipe": "breadth-first"})),
        Said(languages=("de",)),
        "learned",
        {"lead.name": "learned"},
    ),
    (
        "and that of a crawl that kept everything",
        Known(stored=began("breadth-first", "scope.max_depth=3")),
        Said(languages=("de",)),
        "learned",
        {"judge.name": "language", "lead.name": "learned", "scope.max_depth": 3},
    ),
    (
        "a crawl with a focus keeps it behind the filter",
        Known(stored=began("perplexity", LIKE_OLD, "judge.threshold=0.7")),
        Said(languages=("de",)),
        "perplexity",
        {"judge.name": "perplexity", "judge.threshold": 0.7, "corpus.only": ("de",)},
    ),
    (
        "saying the same language again changes nothing",
        Known(stored=began("breadth-first", GERMAN)),
        Said(languages=("de",)),
        "breadth-first",
        {"judge.name": "everything", "corpus.only": ("de",)},
    ),
    (
        "new samples keep the language",
        Known(stored=began("learned", GERMAN)),
        Said(like=("/a.txt",)),
        "learned",
        {"judge.name": "topic", "corpus.only": ("de",)},
    ),
    (
        "another language goes on with the same judge",
        Known(stored=began("learned", GERMAN)),
        Said(languages=("fr",)),
        "learned",
        {"judge.name": "language", "corpus.only": ("fr",)},
    ),
    (
        "a crawl that only asks for a language goes on asking",
        Known(stored=began("breadth-first", *ASKING)),
        Said(),
        "breadth-first",
        {"corpus.languages": ("de",), "corpus.only": ()},
    ),
    (
        "even beside a crawl.toml that names it",
        Known(own(corpus={"languages": ["de"]}), began("breadth-first", *ASKING)),
        Said(),
        "breadth-first",
        {"corpus.languages": ("de",), "corpus.only": ()},
    ),
    (
        "until crawl.toml says otherwise",
        Known(own(corpus={"languages": ["de"], "other_languages": False}), began("breadth-first", *ASKING)),
        Said(),
        "learned",
        {"corpus.only": ("de",)},
    ),
    (
        "or --language does",
        Known(own(corpus={"languages": ["de"]}), began("breadth-first", *ASKING)),
        Said(languages=("de",)),
        "learned",
        {"corpus.only": ("de",)},
    ),
    (
        "or --language does where there is no crawl.toml",
        Known(stored=began("breadth-first", *ASKING)),
        Said(languages=("de",)),
        "learned",
        {"corpus.only": ("de",), "judge.name": "language"},
    ),
]


@pytest.mark.parametrize(
    ("known", "said", "recipe", "settings"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_the_table_of_rules(known: Known, said: Said, recipe: str, settings: dict[str, Any]) -> None:
    config = settle(known, said).config
    assert config.crawl.recipe == recipe
    for key, value in settings.items():
        table, _, name = key.partition(".")
        found = getattr(config, table)
        assert (found.get(name) if isinstance(found, dict) else getattr(found, name)) == value, key


def test_settling_is_pure() -> None:
    known, said = Known(own(corpus={"like": ["a.txt"]}), LEARNED, ("fetch.delay_s=7",)), Said(like=("/b.txt",))
    assert settle(known, said) == settle(known, said)
    assert known.own == own(corpus={"like": ["a.txt"]})


def test_settling_what_was_settled_changes_nothing() -> None:
    once = settle(EMPTY, Said("comments", ('judge.keywords=["remark"]',), ("/a.txt",))).config
    again = settle(Known(stored=once), Said())
    assert (again.config.judge, again.config.lead, again.config.policy) == (once.judge, once.lead, once.policy)
    assert again.warnings == ()


def test_a_crawl_that_goes_on_as_another_one_is_warned_of() -> None:
    [warning] = settle(Known(own(), LEARNED), Said()).warnings
    assert 'had the recipe "learned"' in warning
    assert 'goes on with "breadth-first"' in warning
    moved = settle(Known(stored=began("perplexity", "judge.threshold=0.3")), Said(settings=("judge.threshold=0.4",)))
    assert moved.warnings == ()
    [other] = settle(Known(stored=began("learned", GERMAN)), Said(languages=("fr", "nl"))).warnings
    assert "only German" in other
    assert "only French or Dutch" in other


def test_a_crawl_that_only_asks_for_a_language_says_so_until_it_is_decided() -> None:
    asking = began("breadth-first", *ASKING)
    for known in (Known(stored=asking), Known(own(corpus={"languages": ["de"]}), asking)):
        [warning] = settle(known, Said()).warnings
        assert "other languages than German are kept too" in warning
        assert "--language de" in warning
    decided = Known(own(corpus={"languages": ["de"], "other_languages": True}), asking)
    assert settle(decided, Said()).warnings == ()
    assert settle(Known(stored=began("language", *ASKING)), Said()).warnings == ()
    assert all("kept too" not in said for said in settle(Known(stored=asking), Said(languages=("de",))).warnings)


def test_labelled_pages_never_replace_a_judge_that_somebody_has_named() -> None:
    with pytest.raises(ConfigError, match=r'names the judge "keywords".*Leave out --positive'):
        settle(Known(own(judge={"name": "keywords", "words": ["x"]})), Said(positive=("/yes",)))


@pytest.mark.parametrize("setting", ["corpus=5", "corpus.like=5", "judge=5", "crawl=5", "stop.page=1"])
def test_what_cannot_be_used_is_refused_in_words(setting: str) -> None:
    for known in (EMPTY, Known(stored=LEARNED), Known(own())):
        with pytest.raises(ConfigError):
            settle(known, Said(settings=(setting,)))
