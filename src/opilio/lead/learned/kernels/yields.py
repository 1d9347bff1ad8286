"""Passes the scores of pages on to the blocks and pages where their links stood. The tables are those of `Yields`."""

from opilio.model.compiling import njit


@njit(cache=True)
def slot_of(first, second, size):
    """Returns the slot of two numbers in a table of this size, a power of two. Neighbouring numbers are spread."""
    mixed = (first * 0x9E3779B1 + (second + 1) * 0x85EBCA6B) & 0xFFFFFFFFFFFF
    return (mixed ^ (mixed >> 15)) & (size - 1)


@njit(cache=True)
def add(table, slot, score):
    table[slot, 0] += score
    table[slot, 1] += 1.0


@njit(cache=True)
def look_back(parent, blocks, targets, links, fates, siblings, pages):
    """Counts the links of a page whose targets were judged before the page was. `targets` are their slots in `fates`. The first
    `links` entries have one place of each link, and those after them the other places."""
    page = slot_of(parent, 0, len(pages))
    for at in range(len(targets)):
        fate = fates[targets[at]]
        if fate[1] > 0.0:
            add(siblings, slot_of(parent, blocks[at], len(siblings)), fate[0])
            if at < links:
                add(pages, page, fate[0])


@njit(cache=True)
def tell(row, table, score, siblings, pages):
    """Counts the score of a link's target for the blocks and pages where the link was seen."""
    seen = table[row]
    for k in range(seen.stands):
        add(siblings, seen.groups[k], score)
    for k in range(seen.sights):
        add(pages, seen.pages[k], score)
