"""What judges by terms read: the texts of the samples, and the text of a page."""

from collections.abc import Sequence
from typing import Final

from opilio.core.errors import ConfigError
from opilio.core.items import Page
from opilio.core.plugin import Sample
from opilio.model.commonness import language_of
from opilio.model.terms import terms

_BEGINNING_CHARS: Final = 1_200
_WORD_CHARS: Final = 100  # of the longest words; a text without a space in as many has none between words


def page_words(page: Page) -> str:
    """Returns the text of a page as it counts: its title and its beginning stand there three times, because most pages say first
    what they are about."""
    beginning = page.prose[:_BEGINNING_CHARS]
    if len(page.prose) > _BEGINNING_CHARS and (end := beginning.rfind(" ")) > _BEGINNING_CHARS - _WORD_CHARS:
        beginning = beginning[:end]
    return f"{page.title} {beginning} {page.title} {beginning} {page.title} {page.prose}"


def sample_texts(samples: Sequence[Sample], judge: str) -> tuple[list[str], str]:
    """Returns the texts of the samples, without those that repeat another, and their language. `judge` is the name that the
    message gives if there is no word in them."""
    texts = {" ".join(found): sample.text for sample in samples if (found := terms(sample.text))}
    if not texts:
        names = ", ".join(sample.name for sample in samples) or "none were given"
        raise ConfigError(
            f"the {judge} judge compares pages with samples, and there is no word in them ({names}). Name texts of the kind you "
            "want with --like FILE, or in corpus.like; five pages are good, one is enough."
        )
    return list(texts.values()), language_of(" ".join(texts).split(" "))
