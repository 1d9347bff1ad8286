"""The stored pages of a crawl. Here, and nowhere else, the corpus and the tally's count of it change together."""

import msgspec

from opilio.core.items import Gleaned, Record
from opilio.core.outcome import Drop
from opilio.folder.tally import Tally
from opilio.keep import Corpus, StoredPage, Visited, unpack


class Documents:
    """`corpus` may be used directly for whatever does not change what is in it."""

    def __init__(self, corpus: Corpus, tally: Tally) -> None:
        self.corpus = corpus
        self._tally = tally

    def store(self, link: int, gleaned: Gleaned, drop: Drop | None, refused: str = "bytes") -> None:
        """Stores a page: in the corpus if it is not dropped, else as much of it as the setting keep.refused says."""
        if (storable := _storable(gleaned, drop, refused)).record:
            self.corpus.add(link, storable, drop)
        if drop is None:
            self._count(1, gleaned.tokens, gleaned.text_bytes)

    def renew(self, visit: Visited, gleaned: Gleaned, drop: Drop | None, refused: str) -> None:
        """Puts the new version of a stored page in the place of the former one, in the corpus or outside of it."""
        old = self.find(visit.link)
        if old is not None and old.drop is None:
            self._count(-1, old.tokens, len(self.corpus.read(old).text.encode()))
        self.corpus.renew(visit, _storable(gleaned, drop, refused), drop)
        if drop is None:
            self._count(1, gleaned.tokens, gleaned.text_bytes)

    def find(self, link: int) -> StoredPage | None:
        return self.corpus.rows.get(link)

    def twin(self, page: StoredPage) -> int:
        """Returns the link of another page with the same text that is in the corpus, or is marked no; or 0. While pages are
        judged again, only those count that have had their turn."""
        found = self.corpus.find_key(page.text_key)
        return found if found != page.link else 0

    def kept_twin(self, page: StoredPage) -> int:
        """Returns the link of another page of the corpus that has the same text, or 0."""
        twin = self.twin(page)
        found = self.find(twin)
        return twin if found is not None and found.drop is None else 0

    def replace(self, page: StoredPage, drop: Drop | None, record: bytes, score: float, text_bytes: int) -> None:
        """Stores a page with another verdict, in the corpus or outside of it."""
        if not page.title:  # kept by a version that did not note titles
            page = page._replace(title=unpack(record).title)
        self.corpus.replace(page, drop, score, record)
        self._count((drop is None) - (page.drop is None), page.tokens, text_bytes)

    def rewrite(self, page: StoredPage, before: Record, after: Record, packed: bytes) -> None:
        """Gives a page of the corpus the document `after`, with another text, in place of the one `before`."""
        new = page._replace(title=after.title, language=after.language, tokens=after.tokens)
        self.corpus.replace(new, page.drop, page.score, packed)
        self._tally.tokens += after.tokens - before.tokens
        self._tally.kept_bytes += len(after.text.encode()) - len(before.text.encode())

    def carry(self, page: StoredPage) -> None:
        """Stores a page anew as it is."""
        self.corpus.replace(page, page.drop, page.score, self.corpus.packed(page, with_warc=False).record)

    def _count(self, documents: int, tokens: int, text_bytes: int) -> None:
        self._tally.kept += documents
        self._tally.tokens += documents * tokens
        self._tally.kept_bytes += documents * text_bytes


def _storable(gleaned: Gleaned, drop: Drop | None, refused: str) -> Gleaned:
    """Leaves out what is not to be stored of a page that is dropped: its bytes, or everything."""
    if drop is None or refused == "bytes":
        return gleaned
    return msgspec.structs.replace(gleaned, warc=b"", record=b"" if refused == "nothing" else gleaned.record)
