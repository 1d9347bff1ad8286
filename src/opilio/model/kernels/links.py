"""The signals of links, from what is known of them and of the crawl. Every row costs about half a microsecond."""

import numpy as np
from numba import njit


@njit(cache=True)
def _leaning(total, count, base, weight):
    """Log odds of a share that leans to the base while little is known, minus those of the base."""
    share = min(max((total + weight * base) / (count + weight), 0.005), 0.995)
    return np.log(share / (1.0 - share)) - np.log(base / (1.0 - base))


@njit(cache=True)
def measure(rows, table, texts, fates, weights, base, shifts, found):
    """Fills `found`, one line of signals for each row, and gives what the tokens' own weights add up to. `shifts` are added to
    each word's log odds: of texts, and of links."""
    numbers, sights, counts, words = table
    odds, centre, highest, anchors, contexts, addresses, paths = texts
    siblings, pages, folders, hosts, hints = fates
    of_anchors, of_addresses, of_paths = weights
    text_shift, link_shift = shifts
    sums = np.zeros(len(rows))
    for at in range(len(rows)):
        row = rows[at]
        parents, total, best = numbers[row, 0], numbers[row, 1], numbers[row, 2]
        seen = counts[row, 0]
        sibling_total, sibling_count, page_odds = 0.0, 0.0, 0.0
        for k in range(seen):
            group, page = sights[row, 2 * k], sights[row, 2 * k + 1]
            sibling_total += siblings[group, 0]
            sibling_count += siblings[group, 1]
            page_odds += _leaning(pages[page, 0], pages[page, 1], base, 3.0)
        like, central, high, anchor = 0.0, 0.0, 0.0, 0.0
        start, end = 0, counts[row, 1]
        for k in range(start, end):
            word = words[row, k]
            like += odds[word] + text_shift
            central += centre[word]
            high += highest[word]
            anchor += anchors[word] + link_shift
            sums[at] += of_anchors[word]
        root = np.sqrt(max(1, end))
        start, end = counts[row, 2], counts[row, 3]
        around, around_central, around_links = 0.0, 0.0, 0.0
        for k in range(start, end):
            word = words[row, k]
            around += odds[word] + text_shift
            around_central += centre[word]
            around_links += contexts[word] + link_shift
        many = max(1, end - start)
        start, end = counts[row, 4], counts[row, 5]
        address = 0.0
        for k in range(start, end):
            word = words[row, k]
            address += addresses[word] + link_shift
            sums[at] += of_addresses[word]
        path = counts[row, 6]
        sums[at] += of_paths[path]
        folder, host = counts[row, 7], counts[row, 8]
        line = found[at]
        line[0] = _leaning(total, parents, base, 2.0)
        line[1] = best
        line[2] = np.log1p(total)
        line[3] = np.log1p(max(0.0, parents - total))
        line[4] = _leaning(sibling_total, sibling_count, base, 2.0)
        line[5] = page_odds / max(1, seen)
        line[6] = 10.0 * central / root
        line[7] = 10.0 * around_central / np.sqrt(many)
        line[8] = 10.0 * high / root
        line[9] = like / root
        line[10] = around / many
        line[11] = anchor / root
        line[12] = around_links / many
        line[13] = address
        line[14] = paths[path] + link_shift
        line[15] = _leaning(folders[folder, 0], folders[folder, 1], base, 3.0)
        line[16] = _leaning(hosts[host, 0], hosts[host, 1], base, 3.0)
        line[17] = hints[counts[row, 9]]
        line[18] = 0.5 * hints[counts[row, 10]]
        line[19] = numbers[row, 3]
        line[20] = numbers[row, 4]
        line[21] = numbers[row, 5]
        line[22] = 1.0
    return sums
