"""The documents of a crawl. Here, and nowhere else, the corpus and the tally's count of it change together."""

from opilio.core.items import Gleaned, Page, Record
from opilio.folder.tally import Tally
from opilio.keep import Corpus, CorpusReader


class Documents:
    def __init__(self, corpus: Corpus, reader: CorpusReader, tally: Tally) -> None:
        self._corpus = corpus
        self._reader = reader
        self._tally = tally

    def keep(self, link: int, gleaned: Gleaned, page: Page) -> None:
        self._corpus.add(link, gleaned, page.language)
        self._count(1, gleaned.tokens, page.text)

    def read(self, link: int) -> Record:
        self._corpus.sync()  # a document that is not written yet cannot be read
        record = self._reader.get(link)
        assert record is not None  # every kept page has one
        return record

    def set_aside(self, link: int) -> Record:
        """Takes a document out of the corpus; its bytes stay where they are."""
        record = self.read(link)
        self._corpus.set_aside(link)
        self._count(-1, record.tokens, record.text)
        return record

    def take_back(self, link: int) -> Record | None:
        """Returns a document that was set aside to the corpus. Returns None if there is no such document."""
        if not self._corpus.take_back(link):
            return None
        record = self.read(link)
        self._count(1, record.tokens, record.text)
        return record

    def _count(self, documents: int, tokens: int, text: str) -> None:
        self._tally.kept += documents
        self._tally.tokens += documents * tokens
        self._tally.kept_bytes += documents * len(text.encode())
