"""The cash of OPIC+COMMD (Neunerdt et al.): how much of it each page holds in a layer, and who gets it in the next one.

There is one unit of cash. In each layer, every fetched page i that is relevant gives what it holds, c(i), and its part R of what
all others hold, to the pages that it links to:

    c(j) of the next layer = Σ_i t(i,j) / n(i) · (c(i) + R)        R = (1 - Σ_i c(i)) / number of givers

t is how often i links to j, n(i) the sum of t over j; links of a page to itself do not count. A giver is a page that is
fetched in this layer, is relevant, and has a link. So R takes in the cash of irrelevant pages, and also that of relevant pages
without links, and of those that were not fetched in this layer: cut by topN, fetched earlier, refused, broken, redirected. In
a layer without a giver the cash is shared equally by all links that wait.

Seeds share the cash equally. That needs no code of its own: whatever equal part each seed holds, each of g givers has 1/g to
give, just as if all held nothing and R were 1/g. So seeds hold nothing here, and neither do pages after an equal share.

Invariant: after `settle` the cash of a layer is 1, except for rounding. Memory: a few numbers for each page that the layer
links to; the R of a layer is known only at its end, so what a link gets is kept as a sum and a factor of R.
"""

from collections.abc import Mapping

import msgspec


class Cash(msgspec.Struct):
    layer: int = 0  # the one that is being fetched
    held: dict[int, float] = {}  # page of this layer → cash (msgspec copies defaults)
    equal: float = 0.0  # the share of every link that waited at the last boundary, if there was no giver
    givers: int = 0
    given: float = 0.0  # cash of the givers
    sums: dict[int, float] = {}  # link → Σ t/n · c(i)
    parts: dict[int, float] = {}  # link → Σ t/n

    def visit(self, page: int, links: Mapping[int, int], *, relevant: bool) -> None:
        """Counts a fetched page of this layer. `links` says how often it links to each page, which may be itself."""
        total = sum(links.values()) - links.get(page, 0)
        if not relevant or not total:
            return
        cash = self.held.get(page, 0.0)
        self.givers += 1
        self.given += cash
        for link, times in links.items():
            if link != page:
                part = times / total
                self.sums[link] = self.sums.get(link, 0.0) + part * cash
                self.parts[link] = self.parts.get(link, 0.0) + part

    def settle(self, waiting: int) -> None:
        """Ends the layer. `waiting` is the number of links that wait for the next one."""
        returned = (1.0 - self.given) / self.givers if self.givers else 0.0
        self.held = {link: cash + returned * self.parts[link] for link, cash in self.sums.items()}
        self.equal = 0.0 if self.givers or not waiting else 1.0 / waiting
        self.layer += 1
        self.givers, self.given, self.sums, self.parts = 0, 0.0, {}, {}

    def gain(self, link: int) -> float:
        """Returns what a link that waited at the last boundary got there."""
        return self.held.get(link, self.equal)
