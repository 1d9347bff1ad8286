"""The signals of links, from what is known of them and of the crawl. Every row costs about half a microsecond, most of it for
misses of the cache; so a row lies in one piece, its words are asked for early, and numbers have 32 bits.

A signal is added where `measure` fills a line, in the order of the lead's list of signals.
"""

import numpy as np

from opilio.model.compiling import njit

from .prefetching import prefetch

# What is known of a word, side by side: a word is one miss of the cache, where five tables would be five.
ODDS, CENTRE, HIGHEST, OF_ANCHORS, ANCHOR_WEIGHT, OF_CONTEXTS, OF_ADDRESSES, ADDRESS_WEIGHT = range(8)
_AHEAD = 2  # rows whose words are asked for early
_ONE, _TWO, _THREE, _TEN = np.float32(1.0), np.float32(2.0), np.float32(3.0), np.float32(10.0)
_NONE, _LEAST, _MOST = np.float32(0.0), np.float32(0.005), np.float32(0.995)
_POOREST = np.float32(1e-9)


@njit(cache=True)
def _leaning(total, count, base, weight):
    """Log odds of a share that leans to the base while little is known, minus those of the base, which is a pair of both."""
    share = min(max((total + weight * base[0]) / (count + weight), _LEAST), _MOST)
    return np.log(share / (_ONE - share)) - base[1]


@njit(cache=True)
def _neighbours(row, siblings, pages, base):
    """Of the blocks: total and count; of the pages: the sum of their log odds, and how many good pages they lead to."""
    total, count, odds, cited = _NONE, _NONE, _NONE, _NONE
    for k in range(row.sights):
        group, page = siblings[row.groups[k]], pages[row.pages[k]]
        total += group[0]
        count += group[1]
        odds += _leaning(page[0], page[1], base, _THREE)
        cited += page[0]
    return total, count, odds, cited


@njit(cache=True)
def _of_anchor(row, facts):
    like, central, high, links, own = _NONE, _NONE, _NONE, _NONE, _NONE
    for k in range(row.anchor):
        fact = facts[np.uint32(row.anchor_words[k])]
        like += fact[ODDS]
        central += fact[CENTRE]
        high += fact[HIGHEST]
        links += fact[OF_ANCHORS]
        own += fact[ANCHOR_WEIGHT]
    return like, central, high, links, own


@njit(cache=True)
def _around(row, facts):
    like, central, links = _NONE, _NONE, _NONE
    for k in range(row.context):
        fact = facts[np.uint32(row.context_words[k])]
        like += fact[ODDS]
        central += fact[CENTRE]
        links += fact[OF_CONTEXTS]
    return like, central, links


@njit(cache=True)
def _of_address(row, facts):
    links, own = _NONE, _NONE
    for k in range(row.address):
        fact = facts[np.uint32(row.address_words[k])]
        links += fact[OF_ADDRESSES]
        own += fact[ADDRESS_WEIGHT]
    return links, own


@njit(cache=True)
def _fetch(row, flat):
    """Asks for what is known of a row's words, while the rows before it are measured."""
    for k in range(row.anchor):
        prefetch(flat, 8 * np.uint64(row.anchor_words[k]))
    for k in range(row.context):
        prefetch(flat, 8 * np.uint64(row.context_words[k]))
    for k in range(row.address):
        prefetch(flat, 8 * np.uint64(row.address_words[k]))


@njit(cache=True)
def measure(rows, table, facts, paths, fates, base_rate, shifts, found):
    """Fills `found`, one line of signals for each row, and gives what the tokens' own weights add up to. `facts` has a line
    for each word, `paths` for each tag path; `shifts` are added to each word's log odds: of texts, and of links."""
    siblings, pages, folders, hosts, hints = fates
    of_texts, of_links = shifts
    base = base_rate, np.log(base_rate / (_ONE - base_rate))
    sums = np.empty(len(rows))
    flat = facts.reshape(facts.size)
    for at in range(len(rows)):
        if at + _AHEAD < len(rows):
            _fetch(table[rows[at + _AHEAD]], flat)
        row, line = table[rows[at]], found[at]
        near, near_count, page_odds, cited = _neighbours(row, siblings, pages, base)
        like, central, high, of_anchors, own = _of_anchor(row, facts)
        around, around_central, of_contexts = _around(row, facts)
        of_addresses, address_own = _of_address(row, facts)
        folder, host = folders[row.folder], hosts[row.host]
        words, context = np.float32(row.anchor), np.float32(row.context)
        root, many = np.sqrt(max(_ONE, words)), max(_ONE, context)
        line[0] = _leaning(row.total, row.parents, base, _TWO)
        line[1] = row.best
        line[2] = np.log1p(row.total)
        line[3] = np.log1p(max(_NONE, row.parents - row.total))
        line[4] = row.title
        line[5] = _leaning(near, near_count, base, _TWO)
        line[6] = page_odds / np.float32(max(1, row.sights))
        line[7] = np.log1p(cited)
        line[8] = _TEN * central / root
        line[9] = _TEN * around_central / np.sqrt(many)
        line[10] = _TEN * high / root
        line[11] = (like + words * of_texts) / root
        line[12] = (around + context * of_texts) / many
        line[13] = (of_anchors + words * of_links) / root
        line[14] = (of_contexts + context * of_links) / many
        line[15] = of_addresses + np.float32(row.address) * of_links
        line[16] = paths[row.path, 0] + of_links
        line[17] = _leaning(folder[0], folder[1], base, _THREE)
        line[18] = _leaning(host[0], host[1], base, _THREE)
        line[19] = hints[row.hint]
        line[20] = 0.5 * hints[row.domain]
        line[21] = row.depth
        line[22] = row.distance
        line[23] = np.log(max(_POOREST, row.cash)) / _TEN
        line[24] = row.boilerplate
        line[25] = row.position
        line[26] = 1.0
        sums[at] = own + address_own + paths[row.path, 1]
    return sums


@njit(cache=True)
def which_moved(scores, old, near, least, far):
    """Places of the scores that have moved by more than `far`, or by more than `least` where one of both is at least `near`."""
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
    """Those rows, and of `count` others from `start` on all that hold a link. `marks` are False before and after."""
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
