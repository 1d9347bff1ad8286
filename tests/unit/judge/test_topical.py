"""The topic judge on the demo's prose: cats and technology, in English and German."""

import re
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.core.items import Verdict
from opilio.core.plugin import Context, Sample, build_plugin
from opilio.core.saved import pack, unpack
from opilio.judge import Topical
from opilio.judge.texts import page_words
from opilio.judge.topic_ground import reader_of
from opilio.judge.topical import State
from opilio.model.similarity import bag_of, count_terms
from opilio.model.terms import terms
from tests.builders import demo_texts, page

NETWORKS = Path(__file__).parents[2] / "fixtures" / "networks.en"
NO_VERDICT = Verdict(0.0, belongs=False)
CATS, TECH, GERMAN = demo_texts("cats.en"), demo_texts("tech.en"), demo_texts("cats.de")
SAMPLES = tuple(Sample(f"cat {number}", text) for number, text in enumerate(CATS[:5]))
MET_TEXTS = [text for trio in zip(TECH[:12], GERMAN[:12], CATS[10:22], strict=True) for text in trio]
ASKED = [page(text) for text in (*CATS[30:35], *TECH[30:35], *GERMAN[30:35])]

needs_vectors = pytest.mark.skipif(find_spec("wordllama") is None, reason="the extra `vectors` is not installed")
with_and_without_vectors = pytest.mark.parametrize("vectors", ["none", pytest.param("", marks=needs_vectors)])


def build(
    samples: Iterable[Sample] = SAMPLES, state: bytes | None = None, vectors: str = "none", **options: Any
) -> Topical:
    return Topical.build(Context(load_config(), None, tuple(samples), state), vectors=vectors, **options)


def meet(judge: Topical, pages: Sequence[str], first: int = 1) -> list[int]:
    """Says after which pages it was fitted."""
    met = ((number, page(text, number)) for number, text in enumerate(pages, first))
    return [number for number, each in met if judge.watch(each, judge.judge(each))]


def share(judge: Topical, pages: Sequence[str]) -> float:
    return sum(judge.judge(page(text)).belongs for text in pages) / len(pages)


def scores(judge: Topical) -> list[float]:
    return [judge.judge(one).score for one in ASKED]


def measure(judge: Topical, text: str, title: str = "") -> float:
    found = judge.judge(page(text, title=title)).opinions[0].measure
    assert found is not None
    return found


@with_and_without_vectors
@pytest.mark.parametrize("met", [0, 36])
def test_what_belongs_is_told_from_the_first_page_on(met: int, vectors: str) -> None:
    judge = build(vectors=vectors)
    meet(judge, MET_TEXTS[:met])
    assert share(judge, CATS[22:]) > 0.6
    assert share(judge, TECH[12:]) < 0.1
    assert share(judge, GERMAN[12:]) < 0.1


def test_it_is_fitted_after_each_of_three_pages_and_then_when_their_number_has_grown_by_two_fifths() -> None:
    assert meet(build(), [*TECH[:14], *CATS[10:24]]) == [1, 2, 3, 5, 7, 10, 14, 20, 28]


def test_between_two_fits_pages_met_change_nothing() -> None:
    judge = build()
    meet(judge, MET_TEXTS[:5])
    before = judge.judge(page(CATS[30]))
    assert not judge.watch(page(TECH[30], "new"), NO_VERDICT)
    assert judge.judge(page(CATS[30])) == before


@with_and_without_vectors
@pytest.mark.parametrize("met", [0, 4, 5])
def test_a_copy_from_the_state_judges_and_goes_on_alike(met: int, vectors: str) -> None:
    judge = build(vectors=vectors)
    meet(judge, MET_TEXTS[:met])
    copy = build((), judge.state(), vectors)
    assert [copy.judge(one) for one in ASKED] == [judge.judge(one) for one in ASKED]
    assert meet(copy, MET_TEXTS[met:], met + 1) == meet(judge, MET_TEXTS[met:], met + 1)
    assert scores(copy) == pytest.approx(scores(judge), abs=1e-6)


@pytest.mark.parametrize("mark", ["\n\n", "\n", " "])
def test_one_file_with_several_texts_says_the_same_as_several_files(mark: str) -> None:
    assert build([Sample("one", mark.join(CATS[:5]))])._state == build()._state


def test_a_long_text_counts_by_itself_beside_others() -> None:
    page_text = " ".join(CATS[5:10])
    several = build([*SAMPLES, Sample("page", page_text)])._state.samples
    assert several[1] == bag_of(count_terms(page_text))
    assert several[2:] == build()._state.samples[1:]


def test_the_reason_tells_where_the_page_lies_and_where_the_line_is() -> None:
    judge = build()
    assert "by a guess" in judge.judge(page(CATS[30])).opinions[0].reason
    meet(judge, MET_TEXTS)
    [opinion] = judge.judge(page(CATS[30])).opinions
    assert opinion.judge == "topic"
    assert re.search(r"the samples and \d+ pages like them; the line is at \d\d%", opinion.reason)
    assert f"score {opinion.score:.2f}, 0.35 is needed" in opinion.reason


def test_a_title_counts_as_text() -> None:
    judge = build()
    assert measure(judge, TECH[30], "The cat, a kitten") > measure(judge, TECH[30])


def test_common_words_say_nothing() -> None:
    words = "the of and in is to a was it with for on by as an that from"
    assert build().judge(page(words)).score < 0.1


def test_pages_in_another_language_are_not_ordinary_pages() -> None:
    judge, before = build(), build().state()
    assert not any(judge.watch(page(text), NO_VERDICT) for text in GERMAN[:5])
    assert judge.state() == before
    assert judge.watch(page(TECH[0]), NO_VERDICT)


@pytest.mark.parametrize("number", [2, 3, 6])
def test_in_a_language_of_which_little_is_known_other_topics_are_not_near(number: int) -> None:
    cats, technology = demo_texts("cats.de"), demo_texts("tech.de")
    judge = build([Sample(str(place), cats[place]) for place in range(number)], vectors="")
    met = [text for pair in zip(cats[8:30], technology[:22], strict=True) for text in pair]
    meet(judge, met)
    assert share(judge, cats[30:]) >= 0.8
    assert share(judge, technology[22:]) <= 0.1


def test_pages_that_repeat_each_other_count_once() -> None:
    judge = build()
    meet(judge, [*MET_TEXTS, *(f"{CATS[10]} Print version {number}." for number in range(9))])
    assert 9 <= judge._state.topic.belonging <= 12  # the pages on cats, without the versions of one
    assert share(judge, CATS[22:]) > 0.6


@needs_vectors
def test_installed_vectors_are_used_for_english_samples_alone() -> None:
    english, german = build(vectors=""), build([Sample("cat", GERMAN[0])], vectors="")
    assert [len(judge._state.topic.parts) for judge in (english, german)] == [2, 1]


@pytest.mark.parametrize("belongs", [True, False])
def test_a_page_that_is_marked_moves_the_line(belongs: bool) -> None:
    judge = build()
    meet(judge, MET_TEXTS)
    before = judge._state.topic.line
    assert judge.teach(page(TECH[13] if belongs else CATS[14], "marked"), belongs)
    assert (judge._state.topic.line < before) is belongs


def test_the_same_mark_twice_teaches_nothing_new() -> None:
    judge = build()
    assert judge.teach(page(CATS[14]), True)
    assert not judge.teach(page(CATS[14]), True)
    assert judge.teach(page(CATS[14]), False)


def test_a_page_marked_yes_does_not_shut_out_what_belonged_beside_a_single_sample() -> None:
    judge = build([Sample("one", "\n".join(CATS[:5]))])
    meet(judge, MET_TEXTS)
    before = share(judge, CATS[22:])
    assert judge.teach(page(CATS[20]), belongs=True)
    assert share(judge, CATS[22:]) > 0.5 * before


def test_copies_of_samples_are_not_counted_as_pages_that_belong() -> None:
    judge = build()
    before = scores(judge)
    meet(judge, CATS[:5])
    assert "by a guess" in judge.describe()[0].line
    assert scores(judge) == pytest.approx(before, abs=0.1)


def test_a_copy_of_a_single_long_sample_is_not_counted_as_a_page_that_belongs() -> None:
    judge = build([Sample("long", "\n".join(CATS[:5]))])
    meet(judge, ["\n".join(CATS[:5]), *TECH[:3]])
    assert judge._state.topic.belonging == 0


def test_a_long_text_without_spaces_is_cut_into_parts_too() -> None:
    text = "".join(chr(0x4E00 + number % 1_500) for number in range(4_000))
    assert len(build([Sample("zh", text)])._state.samples) > 10


def test_two_samples_that_hardly_differ_do_not_shut_out_other_pages() -> None:
    alone = build([Sample("one", CATS[0])])
    judge = build([Sample("one", CATS[0]), Sample("two", f"{CATS[0]} Written on Monday.")])
    for each in (alone, judge):
        meet(each, MET_TEXTS)
    assert share(judge, CATS[22:]) >= 0.5 * share(alone, CATS[22:])


def test_hundreds_of_samples_are_taken_together() -> None:
    judge = build([Sample(str(number), f"{CATS[number % 20]} {number}") for number in range(200)])
    whole, *parts = judge._state.samples
    assert sum(whole.amounts) == sum(len(terms(CATS[number])) + 1 for number in range(20))  # one version of each
    assert len(parts) <= 30
    assert share(judge, CATS[22:]) >= 0.5


def test_a_sample_that_differs_in_spaces_only_is_the_same() -> None:
    once, twice = build(SAMPLES[:1]), build([SAMPLES[0], Sample("copy", f" {CATS[0]}\n")])
    assert once.judge(page(CATS[30])) == twice.judge(page(CATS[30]))


def test_the_same_sample_twice_is_one() -> None:
    once, twice = build(SAMPLES), build((*SAMPLES, SAMPLES[0]))
    assert once.judge(page(CATS[30])) == twice.judge(page(CATS[30]))


def test_samples_of_a_language_that_is_not_known_will_do() -> None:
    judge = build([Sample(str(number), f"qapla batlh{number} tlhingan") for number in range(3)])
    assert judge.judge(page("qapla tlhingan")).score > judge.judge(page("blorb flumph")).score


def test_changed_samples_replace_those_of_the_state() -> None:
    judge = build()
    meet(judge, MET_TEXTS)
    other = build([Sample(str(number), text) for number, text in enumerate(TECH[14:19])], judge.state())
    assert other.judge(page(TECH[20])).score > judge.judge(page(TECH[20])).score


@needs_vectors
@pytest.mark.parametrize("samples", [(), SAMPLES])
def test_a_crawl_goes_on_where_the_vectors_are_missing(samples: Sequence[Sample]) -> None:
    judge = build(vectors="")
    meet(judge, MET_TEXTS)
    without = build(samples, judge.state(), "none")
    assert share(without, CATS[22:]) > 0.6
    assert share(build(samples, without.state(), ""), CATS[22:]) > 0.6


@pytest.mark.parametrize("samples", [(), (Sample("empty", " … "),)])
def test_no_word_to_compare_with_is_the_operators_mistake(samples: Sequence[Sample]) -> None:
    with pytest.raises(ConfigError, match="--like"):
        build(samples)


def test_a_threshold_that_is_not_a_score_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"judge\.threshold"):
        build(threshold=1.5)


@pytest.mark.parametrize("text", ["", "…"])
def test_a_page_without_words_does_not_belong_and_teaches_nothing(text: str) -> None:
    judge = build()
    meet(judge, MET_TEXTS[:3])
    before = scores(judge)
    assert judge.judge(page(text)).score == 0.0
    for number in range(3):
        judge.watch(page(text, f"empty {number}"), NO_VERDICT)
    assert not judge.teach(page(text), True)
    assert scores(judge) == before


def test_a_page_that_is_met_twice_is_no_trouble() -> None:
    judge = build()
    for text in MET_TEXTS[:9]:
        judge.watch(page(text), NO_VERDICT)
    assert share(judge, CATS[22:]) > share(judge, TECH[12:])


def test_words_of_judged_pages_are_forgotten_and_no_verdict_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    lasting, forgetful = build(), build()
    monkeypatch.setattr("opilio.judge.topical._MOST_TERMS", 0)
    reader_of.cache_clear()
    forgetful._use_reader()
    most = 0
    for number in range(50):
        text = " ".join(f"w{number}n{each}" for each in range(2_000)) + MET_TEXTS[0]
        verdicts = [judge.judge(page(text)).score for judge in (lasting, forgetful)]
        assert verdicts[0] == pytest.approx(verdicts[1], abs=1e-6)
        most = max(most, len(forgetful._reader.index))
    meet(lasting, MET_TEXTS)
    meet(forgetful, MET_TEXTS)
    assert scores(lasting) == pytest.approx(scores(forgetful), abs=1e-6)
    assert most < len(lasting._reader.index) - 20_000


@pytest.mark.parametrize("verb", ["watch", "teach"])
def test_a_page_is_remembered_by_its_own_words_where_the_index_begins_anew(verb: str) -> None:
    judge = build()
    judge.judge(page(" ".join(f"x{number}y" for number in range(500)), "first"))
    judge._most_terms = 0
    text = f"{TECH[0]} zebra quokka"
    words = bag_of(count_terms(page_words(page(text, "second"))))
    if verb == "watch":
        judge.watch(page(text, "second"), NO_VERDICT)
        [remembered] = judge._state.met.drawn
        assert remembered.bag == words
    else:
        judge.teach(page(text, "second"), belongs=True)
        [(_, bag)] = judge._state.taught.values()
        assert bag == words


def test_the_index_stays_bounded_where_judges_are_renewed_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opilio.judge.topical._MOST_TERMS", 30_000)
    judge = build()
    for number in range(30):
        judge.judge(page(" ".join(f"w{number}n{each}" for each in range(3_000)), f"{number}"))
        judge = build((), judge.state())
        assert len(judge._reader.index) < 40_000


def test_the_keywords_are_about_the_subject() -> None:
    [account] = build().describe()
    assert account.judge == "topic"
    assert {"cats", "kittens", "meow"} & set(account.keywords[:10])


def test_the_judge_has_a_name() -> None:
    context = Context(load_config(), None, SAMPLES)
    assert isinstance(build_plugin("judge", {"name": "topic", "vectors": "none"}, context), Topical)


def test_only_the_first_terms_of_a_long_page_are_remembered() -> None:
    judge = build()
    judge.teach(page(" ".join(f"w{each}n" for each in range(4_000)), "long"), belongs=True)
    [(_, bag)] = judge._state.taught.values()
    assert len(bag.amounts) == 3_000
    assert bag.joined.endswith("w2999n")


@pytest.mark.parametrize("version", [2, 3, 4])
def test_a_state_of_an_earlier_version_is_fitted_anew(version: int) -> None:
    judge = build()
    meet(judge, MET_TEXTS)
    former = msgspec.to_builtins(unpack(judge.state(), State, "the judge"), builtin_types=(bytes,)) | {
        "version": version
    }
    again = build((), pack(former))
    judge._fit()  # its last fit was some pages ago
    assert scores(again) == pytest.approx(scores(judge))


SERVER_SENTENCES = """\
This directive sets the path of a file that the server reads when it starts.
The module must be loaded before the directive can be used in the configuration.
Each request is handled by a thread of a child process of the server.
The handler decides which module answers the request for a resource.
A virtual host has a name, a port and an address of its own.
The client sends a header with each request, and the server answers with a status.
Access is denied by default, and has to be granted in a section of the configuration.
The limit applies to each connection of a client, not to the whole server.
The value is given in seconds; a value of zero disables the timeout of the connection.
Errors are written to the log of the host, with the level that the directive sets.
The proxy passes the request to a backend server and returns its response.
Output filters of a module change the response before it is sent to the client.
The context of the directive is the server configuration, a virtual host or a directory.
The module keeps a cache of responses in shared memory, whose size can be set.
A regular expression is matched against the path of the request.
The variable is set in the environment of scripts that the server runs.
A password file holds the names and passwords of users who may access the directory.
The certificate and its private key are read from files when the server is started.
""".splitlines()


@with_and_without_vectors
def test_meeting_only_a_neighbour_of_the_topic_does_not_make_it_the_topic(vectors: str) -> None:
    """All pages of a manual read alike and share words with the samples, but they are on another subject."""
    samples = [Sample(path.name, path.read_text("utf-8")) for path in sorted(NETWORKS.iterdir())]
    judge = build(samples, vectors=vectors)
    draw = Random(1)
    manual = [" ".join(draw.sample(SERVER_SENTENCES, 9)) for _ in range(100)]
    manual.sort(key=lambda text: -judge.judge(page(text)).score)  # as a focused crawl meets them
    meet(judge, manual[:60])
    assert share(judge, manual[60:]) == 0.0
    assert share(judge, [sample.text for sample in samples]) == 1.0
