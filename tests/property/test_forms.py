"""Whatever form a text has been given, its samples have the same words."""

import html
import textwrap
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opilio.engine.samples import plain_texts, read_samples
from opilio.model.terms import terms

_LANGUAGES = (
    "the shepherd leads his flock over a hill before evening comes don't well-known 1,200 sheep Peter",
    "der Schäfer führt seine Herde vor dem Abend über die Hügel und Hund läuft voran größte Straße",
    "يقود الراعي قطيعه فوق التل قبل أن يحل المساء ويركض الكلب أمامهم جميعا",
    "Ο βοσκός οδηγεί το κοπάδι του πάνω από λόφο πριν έρθει βράδυ και σκύλος τρέχει",
)


@st.composite
def _paragraphs(draw: st.DrawFn) -> list[list[str]]:
    """Paragraphs of sentences, without full stops."""
    words = st.sampled_from(draw(st.sampled_from(_LANGUAGES)).split())
    sentence = st.lists(words, min_size=1, max_size=30).map(" ".join)
    return draw(st.lists(st.lists(sentence, min_size=1, max_size=6), min_size=1, max_size=6))


def _forms(texts: list[list[str]], width: int) -> dict[str, str]:
    prose = [". ".join(sentences) + "." for sentences in texts]
    bold = [text.replace(" ", " **", 1) + "**" if " " in text else text for text in prose]
    return {
        "blank lines": "\n\n".join(prose),
        "one sentence a line": "\n".join(sentence for sentences in texts for sentence in sentences),
        "one sentence a line, between blank lines": "\n\n".join("\n".join(sentences) for sentences in texts),
        "one paragraph a line": "\r\n".join(prose),
        "wrapped": "\n\n".join(textwrap.fill(text, width) for text in prose),
        "wrapped without blank lines": "\n".join(textwrap.fill(text, width) for text in prose),
        "indented": "\n".join(textwrap.fill(text, width, initial_indent="    ") for text in prose),
        "Markdown": "---\ntitle: hidden\n---\n\n"
        + "\n\n".join(f"- {text} <!-- hidden -->" for text in bold)
        + "\n\n```\nhidden\n```\n",
    }


@settings(max_examples=100)
@given(texts=_paragraphs(), width=st.integers(40, 120))
def test_every_form_of_a_plain_text_has_the_same_words(texts: list[list[str]], width: int) -> None:
    words = [term for sentences in texts for sentence in sentences for term in terms(sentence)]
    for form, text in _forms(texts, width).items():
        assert terms("\n".join(plain_texts(text))) == words, form


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=_paragraphs())
def test_markup_of_ones_own_has_the_same_words(tmp_path: Path, texts: list[list[str]]) -> None:
    path = tmp_path / "own.html"
    path.write_text("<html><body>" + "".join(f"<p>{html.escape('. '.join(each))}.</p>" for each in texts), "utf-8")
    words = [term for sentences in texts for sentence in sentences for term in terms(sentence)]
    assert [term for sample in read_samples([path]) for term in terms(sample.text)] == words


@settings(max_examples=50)
@given(
    text=st.text(alphabet="羊飼いは夕方に丘を越えて群れを導く。、犬", min_size=1, max_size=400),
    width=st.integers(20, 60),
)
def test_wrapped_japanese_has_the_words_of_one_line_where_the_width_is_seen(text: str, width: int) -> None:
    lines = [text[start : start + width] for start in range(0, len(text), width)]
    if len(lines) > 5:
        assert plain_texts("\n".join(lines)) == [text]


@settings(max_examples=200)
@given(text=st.text(max_size=200) | st.text(alphabet="#*_`[]()<>-=~|&;\\!:/. \n1a", max_size=120))
def test_any_text_is_read(text: str) -> None:
    for each in plain_texts(text):
        assert isinstance(each, str)
