"""The stored pages of a crawl. Here, and nowhere else, the corpus and the tally's count of it change together."""

import msgspec

from opilio.core.items import Gleaned, Record, Verdict
from opilio.core.outcome import Drop
from opilio.folder.tally import Tally
from opilio.keep import Corpus, StoredPage, pack

from .refusal import with_verdict


class Documents:
    def __init__(self, corpus: Corpus, tally: Tally) -> None:
        self._corpus = corpus
        self._tally = tally

    def store(self, link: int, gleaned: Gleaned, drop: Drop | None, refused: str = "bytes") -> None:
        """Stores a page: in the corpus if it is not dropped, else as much of it as the setting keep.refused says."""
        if drop is not None and refused == "nothing":
            return
        if drop is not None and refused == "text":
            gleaned = msgspec.structs.replace(gleaned, warc=b"")
        self._corpus.add(link, gleaned, drop)
        if drop is None and gleaned.page is not None:
            self._count(1, gleaned.tokens, len(gleaned.page.text.encode()))

    def find(self, link: int) -> StoredPage | None:
        return self._corpus.rows.get(link)

    def read(self, page: StoredPage) -> Record:
        return self._corpus.read(page)

    def kept_twin(self, page: StoredPage) -> int:
        """Returns the link of another page of the corpus that has the same text, or 0."""
        twin = self._corpus.find_key(page.text_key)
        found = self.find(twin) if twin != page.link else None
        return twin if found is not None and found.drop is None else 0

    def replace(self, page: StoredPage, drop: Drop | None, record: bytes, score: float, text_bytes: int) -> None:
        """Stores a page with another verdict, in the corpus or outside of it."""
        self._corpus.replace(page, drop, score, record)
        moved = (drop is None) - (page.drop is None)
        self._count(moved, page.tokens, text_bytes)

    def overrule(self, page: StoredPage, drop: Drop | None, record: Record, verdict: Verdict) -> None:
        new = with_verdict(record, verdict)
        self.replace(page, drop, pack(new), verdict.score, len(record.text.encode()))

    def sync(self) -> None:
        self._corpus.sync()

    def close(self) -> None:
        self._corpus.close()

    def _count(self, documents: int, tokens: int, text_bytes: int) -> None:
        self._tally.kept += documents
        self._tally.tokens += documents * tokens
        self._tally.kept_bytes += documents * text_bytes
