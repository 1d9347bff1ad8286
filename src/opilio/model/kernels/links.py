"""The signals of links, from what is known of them and of the crawl. Every row costs about half a microsecond."""

import numpy as np
from numba import njit

# What is known of a word, side by side: a word is one miss of the cache, where five tables would be five.
ODDS, CENTRE, HIGHEST, OF_ANCHORS, ANCHOR_WEIGHT, OF_CONTEXTS, OF_ADDRESSES, ADDRESS_WEIGHT = range(8)


@njit(cache=True)
def _leaning(total, count, base, base_odds, weight):
    """Log odds of a share that leans to the base while little is known, minus those of the base."""
    share = min(max((total + weight * base) / (count + weight), 0.005), 0.995)
    return np.log(share / (1.0 - share)) - base_odds


@njit(cache=True)
def _neighbours(row, seen, sights, siblings, pages, base, base_odds):
    """Of the blocks: total and count; of the pages: the sum of their log odds."""
    total, count, odds = 0.0, 0.0, 0.0
    for k in range(seen):
        group, page = sights[row, 2 * k], sights[row, 2 * k + 1]
        total += siblings[group, 0]
        count += siblings[group, 1]
        odds += _leaning(pages[page, 0], pages[page, 1], base, base_odds, 3.0)
    return total, count, odds


@njit(cache=True)
def _of_anchor(row, end, words, facts, shifts):
    like, central, high, anchor, own = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(end):
        fact = facts[words[row, k]]
        like += fact[ODDS] + shifts[0]
        central += fact[CENTRE]
        high += fact[HIGHEST]
        anchor += fact[OF_ANCHORS] + shifts[1]
        own += fact[ANCHOR_WEIGHT]
    return like, central, high, anchor, own


@njit(cache=True)
def _around(row, start, end, words, facts, shifts):
    like, central, links = 0.0, 0.0, 0.0
    for k in range(start, end):
        fact = facts[words[row, k]]
        like += fact[ODDS] + shifts[0]
        central += fact[CENTRE]
        links += fact[OF_CONTEXTS] + shifts[1]
    return like, central, links


@njit(cache=True)
def _of_address(row, start, end, words, facts, shifts, own):
    address = 0.0
    for k in range(start, end):
        fact = facts[words[row, k]]
        address += fact[OF_ADDRESSES] + shifts[1]
        own += fact[ADDRESS_WEIGHT]
    return address, own


@njit(cache=True)
def measure(rows, table, facts, paths, fates, base, shifts, found):
    """Fills `found`, one line of signals for each row, and gives what the tokens' own weights add up to. `facts` has a line
    for each word, `paths` log odds and weights; `shifts` are added to each word's log odds: of texts, and of links."""
    numbers, sights, counts, words = table
    siblings, pages, folders, hosts, hints = fates
    sums = np.zeros(len(rows))
    base_odds = np.log(base / (1.0 - base))
    for at in range(len(rows)):
        row = rows[at]
        count, line = counts[row], found[at]
        parents, total, best = numbers[row, 0], numbers[row, 1], numbers[row, 2]
        near = _neighbours(row, count[0], sights, siblings, pages, base, base_odds)
        near_total, near_count, page_odds = near
        like, central, high, anchor, own = _of_anchor(row, count[1], words, facts, shifts)
        around, around_central, around_links = _around(row, count[2], count[3], words, facts, shifts)
        address, own = _of_address(row, count[4], count[5], words, facts, shifts, own)
        path, folder, host = count[6], count[7], count[8]
        sums[at] = own + paths[1][path]
        root, many = np.sqrt(max(1, count[1])), max(1, count[3] - count[2])
        line[0] = _leaning(total, parents, base, base_odds, 2.0)
        line[1] = best
        line[2] = np.log1p(total)
        line[3] = np.log1p(max(0.0, parents - total))
        line[4] = _leaning(near_total, near_count, base, base_odds, 2.0)
        line[5] = page_odds / max(1, count[0])
        line[6] = 10.0 * central / root
        line[7] = 10.0 * around_central / np.sqrt(many)
        line[8] = 10.0 * high / root
        line[9] = like / root
        line[10] = around / many
        line[11] = anchor / root
        line[12] = around_links / many
        line[13] = address
        line[14] = paths[0][path] + shifts[1]
        line[15] = _leaning(folders[folder, 0], folders[folder, 1], base, base_odds, 3.0)
        line[16] = _leaning(hosts[host, 0], hosts[host, 1], base, base_odds, 3.0)
        line[17] = hints[count[9]]
        line[18] = 0.5 * hints[count[10]]
        line[19:22] = numbers[row, 3:6]
        line[22] = 1.0
    return sums


@njit(cache=True)
def _take(row, words, start, end, held, first, size, room):
    """Puts those that the row does not hold yet behind what it holds, while there is room; where that ends."""
    for at in range(start, end):
        if size >= room:
            break
        known = False
        for k in range(first, size):
            known = known or held[row, k] == words[at]
        if not known:
            held[row, size] = words[at]
            size += 1
    return size


@njit(cache=True)
def see(rows, seen, words, ends, table, rooms):
    """Adds sightings to their rows. `seen`: block, page, score, boilerplate, position."""
    numbers, sights, counts, held = table
    most, anchor_room, context_room = rooms
    for at in range(len(seen)):
        row = rows[at]
        number, count = numbers[row], counts[row]
        number[0] += 1.0
        number[1] += seen[at, 2]
        number[2] = max(number[2], seen[at, 2])
        number[4] = min(number[4], seen[at, 3])
        number[5] = min(number[5], seen[at, 4])
        if count[0] < most:
            sights[row, 2 * count[0]] = int(seen[at, 0])
            sights[row, 2 * count[0] + 1] = int(seen[at, 1])
            count[0] += 1
        start = ends[2 * at - 1] if at else 0
        count[1] = _take(row, words, start, ends[2 * at], held, 0, count[1], anchor_room)
        count[3] = _take(row, words, ends[2 * at], ends[2 * at + 1], held, count[2], count[3], context_room)
