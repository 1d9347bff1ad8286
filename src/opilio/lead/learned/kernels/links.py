"""The signals of links, from what is known of them and of the crawl.

A row costs about half a microsecond, most of it for cache misses. So a row lies in one piece, its words are prefetched, and
numbers have 32 bits.

A new signal is declared in `signals.Signal`, and `measure` fills its place.
"""

import numpy as np

from opilio.lead.learned.facts import PathFact, WordFact
from opilio.lead.learned.signals import Signal
from opilio.model.compiling import njit
from opilio.model.kernels.prefetching import prefetch

_WORD_FACTS = len(WordFact)
_PREFETCH_ROWS = 2  # rows: how far ahead words are prefetched
_ONE, _TWO, _THREE, _TEN = np.float32(1.0), np.float32(2.0), np.float32(3.0), np.float32(10.0)
_ZERO, _LEAST_SHARE, _MOST_SHARE = np.float32(0.0), np.float32(0.005), np.float32(0.995)
_LEAST_CASH = np.float32(1e-9)


@njit(cache=True)
def _leaning(total, count, base, weight):
    """Returns the log odds of a share that leans to the base rate while little is known, minus those of the base rate. `base` is
    that rate and its log odds."""
    share = min(max((total + weight * base[0]) / (count + weight), _LEAST_SHARE), _MOST_SHARE)
    return np.log(share / (_ONE - share)) - base[1]


@njit(cache=True)
def _neighbours(row, siblings, pages, base):
    """Returns the total and the count of the blocks where the link stood; the sum of the log odds of the pages, and how many good
    pages they lead to."""
    total, count, odds, cited = _ZERO, _ZERO, _ZERO, _ZERO
    for k in range(row.stands):
        group = siblings[row.groups[k]]
        total += group[0]
        count += group[1]
    for k in range(row.sights):
        page = pages[row.pages[k]]
        odds += _leaning(page[0], page[1], base, _THREE)
        cited += page[0]
    return total, count, odds, cited


@njit(cache=True)
def _of_anchor(row, facts):
    like, central, high, links, own = _ZERO, _ZERO, _ZERO, _ZERO, _ZERO
    for k in range(row.anchor):
        fact = facts[np.uint32(row.anchor_words[k])]
        like += fact[WordFact.ODDS]
        central += fact[WordFact.CENTRE]
        high += fact[WordFact.HIGHEST]
        links += fact[WordFact.ANCHOR_ODDS]
        own += fact[WordFact.ANCHOR_WEIGHT]
    return like, central, high, links, own


@njit(cache=True)
def _around(row, facts):
    like, central, links = _ZERO, _ZERO, _ZERO
    for k in range(row.context):
        fact = facts[np.uint32(row.context_words[k])]
        like += fact[WordFact.ODDS]
        central += fact[WordFact.CENTRE]
        links += fact[WordFact.CONTEXT_ODDS]
    return like, central, links


@njit(cache=True)
def _of_address(row, facts):
    links, own = _ZERO, _ZERO
    for k in range(row.address):
        fact = facts[np.uint32(row.address_words[k])]
        links += fact[WordFact.ADDRESS_ODDS]
        own += fact[WordFact.ADDRESS_WEIGHT]
    return links, own


@njit(cache=True)
def _of_paths(row, paths):
    links, own = _ZERO, _ZERO
    for k in range(row.ways):
        fact = paths[row.paths[k]]
        links += fact[PathFact.ODDS]
        own += fact[PathFact.WEIGHT]
    return links, own


@njit(cache=True)
def _fetch(row, flat):
    """Prefetches what is known of a row's words, while the rows before it are measured."""
    for k in range(row.anchor):
        prefetch(flat, _WORD_FACTS * np.uint64(row.anchor_words[k]))
    for k in range(row.context):
        prefetch(flat, _WORD_FACTS * np.uint64(row.context_words[k]))
    for k in range(row.address):
        prefetch(flat, _WORD_FACTS * np.uint64(row.address_words[k]))


@njit(cache=True)
def measure(rows, table, facts, paths, fates, base_rate, shifts, found):
    """Fills `found`, one line of signals for each row, and returns the sums of the tokens' own weights. `facts` has a row for
    each word, `paths` for each tag path. `shifts` are added to the log odds of each word: one for texts, one for links."""
    siblings, pages, folders, hosts, hints = fates
    of_texts, of_links = shifts
    base = base_rate, np.log(base_rate / (_ONE - base_rate))
    sums = np.empty(len(rows))
    flat = facts.reshape(facts.size)
    for at in range(len(rows)):
        if at + _PREFETCH_ROWS < len(rows):
            _fetch(table[rows[at + _PREFETCH_ROWS]], flat)
        row, line = table[rows[at]], found[at]
        near, near_count, page_odds, cited = _neighbours(row, siblings, pages, base)
        like, central, high, of_anchors, own = _of_anchor(row, facts)
        around, around_central, of_contexts = _around(row, facts)
        of_addresses, address_own = _of_address(row, facts)
        of_paths, path_own = _of_paths(row, paths)
        folder, host = folders[row.folder], hosts[row.host]
        words, context, ways = np.float32(row.anchor), np.float32(row.context), np.float32(row.ways)
        root, many = np.sqrt(max(_ONE, words)), max(_ONE, context)
        line[Signal.PARENTS_SHARE] = _leaning(row.total, row.parents, base, _TWO)
        line[Signal.BEST_PARENT] = row.best
        line[Signal.GOOD_PARENTS] = np.log1p(row.total)
        line[Signal.OTHER_PARENTS] = np.log1p(max(_ZERO, row.parents - row.total))
        line[Signal.PARENT_TITLE] = row.title
        line[Signal.BLOCK_YIELD] = _leaning(near, near_count, base, _TWO)
        line[Signal.PARENTS_YIELD] = page_odds / np.float32(max(1, row.sights))
        line[Signal.GOOD_SIBLINGS] = np.log1p(cited)
        line[Signal.ANCHOR_LIKE_SAMPLES] = _TEN * central / root
        line[Signal.CONTEXT_LIKE_SAMPLES] = _TEN * around_central / np.sqrt(many)
        line[Signal.ANCHOR_LIKE_PAGE] = _TEN * high / root
        line[Signal.ANCHOR_IN_TEXTS] = (like + words * of_texts) / root
        line[Signal.CONTEXT_IN_TEXTS] = (around + context * of_texts) / many
        line[Signal.ANCHOR_WORDS] = (of_anchors + words * of_links) / root
        line[Signal.CONTEXT_WORDS] = (of_contexts + context * of_links) / many
        line[Signal.ADDRESS_WORDS] = of_addresses + np.float32(row.address) * of_links
        line[Signal.TAG_PATH] = (of_paths + ways * of_links) / np.sqrt(max(_ONE, ways))
        line[Signal.FOLDER_YIELD] = _leaning(folder[0], folder[1], base, _THREE)
        line[Signal.HOST_YIELD] = _leaning(host[0], host[1], base, _THREE)
        line[Signal.NAMED_LANGUAGE] = hints[row.hint]
        line[Signal.DOMAIN_LANGUAGE] = 0.5 * hints[row.domain]
        line[Signal.DEPTH] = row.depth
        line[Signal.DISTANCE] = row.distance
        line[Signal.IMPORTANCE] = np.log(max(_LEAST_CASH, row.cash)) / _TEN
        line[Signal.BOILERPLATE] = row.boilerplate
        line[Signal.POSITION] = row.position
        line[Signal.EVERY_LINK] = 1.0
        sums[at] = own + address_own + path_own
    return sums


@njit(cache=True)
def which_moved(scores, old, near, least, far):
    """Returns the places of scores that have moved by more than `far`, or by more than `least` where the old or the new one is
    at least `near`."""
    found = np.empty(len(scores), np.int64)
    size = 0
    for at in range(len(scores)):
        moved = abs(scores[at] - old[at])
        if moved > far or (moved > least and max(scores[at], old[at]) >= near):
            found[size] = at
            size += 1
    return found[:size]


@njit(cache=True)
def with_others(rows, start, count, ids, marks):
    """Returns these rows, and those of the `count` rows from `start` on that hold a link. `marks` are False before and after."""
    found = np.empty(len(rows) + count, np.int64)
    size = len(rows)
    for at in range(size):
        found[at] = rows[at]
        marks[rows[at]] = True
    for place in range(start, start + count):
        row = place % len(ids)
        if ids[row] > 0 and not marks[row]:
            found[size] = row
            size += 1
    for row in rows:
        marks[row] = False
    return found[:size]
