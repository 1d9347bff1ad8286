"""Visits to pages that were fetched before: which are due, what is asked, and what becomes of the answer.

Rules:
* A visit is a lease like any other (`Lease.again`), with the same politeness. It ends in one transaction with what it found.
* The request says what is known (ETag, Last-Modified), so that the server can answer that nothing has changed.
* A page counts as the same if the server says so, if its bytes are the same, or if hardly a word of its text is another. Then
  nothing is stored again; the first two leave a WARC record of their own.
* A page that has changed is stored as its new version, and the former one goes into the history. The corpus has the newest.
* A page that is gone, has moved, is forbidden or does not answer stays as it is, and that is noted. One that is gone or has
  moved is not visited again.
"""

from typing import Final

import numpy as np

from opilio.core.clock import iso_time
from opilio.core.items import Fetched, Gleaned, Lease, Record
from opilio.core.outcome import Drop, Outcome
from opilio.core.tables import Keep
from opilio.enqueue import Frontier
from opilio.fetch import TERMS, Terms
from opilio.folder.tally import Tally
from opilio.keep import Found, Original, Visited, payload_digest, revisit_record
from opilio.model.visit_history import VisitHistory, due_pages

from .documents import Documents

_GONE_STATUSES: Final = frozenset({404, 410})
_TEXTLESS_DROPS: Final = frozenset({Drop.NO_TEXT, Drop.SCRIPT_SHELL, Drop.LISTING})
_RUN: Final = 3  # words
_SAME_SHARE: Final = 0.98  # of all runs of words of two texts, from which on they count as the same


class Revisits:
    def __init__(self, frontier: Frontier, documents: Documents, tally: Tally) -> None:
        self._frontier = frontier
        self._documents = documents
        self._visits = documents.corpus.visits
        self._tally = tally

    def begin(self, count: int, now_s: float) -> int:
        """Queues at most this many pages of the corpus that are due, unless an earlier run has left some. Returns how many are
        queued now."""
        if left := self._frontier.schedule.due:
            return left
        links, history = self._history(now_s)
        chosen = [links[page] for page in due_pages(history, count).tolist()]
        self._frontier.visit_again(chosen, now_s)
        return len(chosen)

    def terms(self, lease: Lease) -> Terms:
        """Returns the terms of a request that asks for the page only if it has changed."""
        etag, last_modified = self._validators(lease.id)
        asked = (("If-None-Match", etag), ("If-Modified-Since", last_modified))
        return TERMS._replace(headers=tuple((name, value) for name, value in asked if value))

    def end_without_page(self, lease: Lease, fetched: Fetched, keep: Keep, now_s: float) -> bool:
        """Ends a visit whose answer has no other page than the one that is stored. Returns False if it has one."""
        record = self._record(lease)
        is_same = fetched.outcome is Outcome.OK and payload_digest(fetched.body) == record.body_digest
        if is_same or fetched.outcome is Outcome.NOT_MODIFIED:
            original = Original(record.warc_record, record.fetched, record.body_digest)
            when = iso_time(fetched.started_s)
            warc = revisit_record(
                lease.url, when, fetched.address, fetched.status, fetched.headers, original, keep.gzip_level
            )
            self.note(lease, Found.SAME, now_s, fetched, warc if record.warc_record else b"")
        elif fetched.outcome is Outcome.REDIRECT:
            self.note(lease, Found.MOVED, now_s)
        elif fetched.outcome is not Outcome.OK:
            self.note(lease, Found.GONE if fetched.status in _GONE_STATUSES else Found.FAILED, now_s)
        else:
            return False
        return True

    def compare(self, lease: Lease, gleaned: Gleaned) -> Found:
        """Returns what a visit has found whose answer has a body of its own. A page that opts out has always changed; one that
        has lost its text has not brought a page."""
        if gleaned.drop is Drop.OPTED_OUT:
            return Found.CHANGED
        if gleaned.page is None or gleaned.drop in _TEXTLESS_DROPS:
            return Found.FAILED
        return Found.SAME if are_same(self._record(lease).text, gleaned.page.text) else Found.CHANGED

    def renew(self, visit: Visited, gleaned: Gleaned, drop: Drop | None, keep: Keep) -> None:
        """Puts a new version in the place of the former one."""
        self._tally.visited(visit.found)
        self._documents.renew(visit, gleaned, drop, keep.refused)

    def note(self, lease: Lease, found: Found, now_s: float, fetched: Fetched | None = None, warc: bytes = b"") -> None:
        """Ends a visit that brought no other page."""
        visit = self.visit(lease, found, now_s, fetched)
        if self._frontier.finish_as_before(lease, now_s):
            self._tally.visited(found)
            self._documents.corpus.note(visit, warc)

    def _history(self, now_s: float) -> tuple[list[int], VisitHistory]:
        """Returns the links of the pages that may be visited, and what is known of these."""
        kept = [link for link, _, _ in self._documents.corpus.rows.kept_after(-1, -1)]
        facts = dict(zip(kept, self._frontier.links.fetch_times(kept), strict=True))
        last_s = {link: fetched_s for link, (_, fetched_s) in facts.items()}
        intervals: list[tuple[int, float, bool]] = []
        lost: set[int] = set()
        for visit in self._visits.all():
            if visit.link in facts:
                last_s[visit.link] = max(last_s[visit.link], visit.visited_s)
                if visit.found.tells:
                    intervals.append((visit.link, visit.visited_s - visit.since_s, visit.found is Found.CHANGED))
                lost.update([visit.link] if visit.found in (Found.GONE, Found.MOVED) else ())
        links = [link for link in kept if link not in lost]
        pages = {link: page for page, link in enumerate(links)}
        hosts = np.unique([facts[link][0] for link in links], return_inverse=True)[1]
        seen = [(pages[link], seconds, changed) for link, seconds, changed in intervals if link in pages]
        at, seconds, changed = zip(*seen, strict=True) if seen else ((), (), ())
        return links, VisitHistory(
            hosts,
            np.array([max(0.0, now_s - last_s[link]) for link in links]),
            np.array(at, np.int64),
            np.array(seconds, np.float64),
            np.array(changed, np.bool_),
        )

    def _record(self, lease: Lease) -> Record:
        page = self._documents.find(lease.id)
        assert page is not None  # only stored pages are visited again
        return self._documents.corpus.read(page)

    def _validators(self, link: int) -> tuple[str, str]:
        told = [visit for visit in self._visits.of(link) if visit.found.tells]
        page = self._documents.find(link)
        if told or page is None:
            return (told[-1].etag, told[-1].last_modified) if told else ("", "")
        record = self._documents.corpus.read(page)
        return record.etag, record.last_modified

    def visit(self, lease: Lease, found: Found, now_s: float, fetched: Fetched | None) -> Visited:
        """Returns the visit's row. To be called before the link is finished anew, since it says when the page was fetched before.
        An answer of 304 may leave out validators that still hold."""
        before = [visit.visited_s for visit in self._visits.of(lease.id) if visit.found.tells]
        since_s = before[-1] if before else self._frontier.links.fetch_times([lease.id])[0][1]
        known = self._validators(lease.id) if fetched is not None and fetched.status == 304 else ("", "")
        etag = fetched.header("etag") if fetched is not None else ""
        modified = fetched.header("last-modified") if fetched is not None else ""
        return Visited(lease.id, now_s, since_s, found, etag or known[0], modified or known[1])


def are_same(old: str, new: str) -> bool:
    """Returns whether two texts have nearly all runs of words in common."""
    if old == new:
        return True
    first, second = _runs(old), _runs(new)
    return len(first & second) >= _SAME_SHARE * len(first | second)


def _runs(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    return set(zip(*(words[start:] for start in range(min(_RUN, max(1, len(words))))), strict=False))
