"""What each HTML element means to the walk: one small number per tag, and the flags that its descendants inherit.

The tree gives tags as numbers, which cost half as much as names. At import the parser itself is asked which number is
which, so an update of the parser cannot shift the table. Elements that are not listed are inline.
"""

from typing import Final

from selectolax.lexbor import LexborHTMLParser

TEXT: Final = 2
COMMENT: Final = 4
INLINE, BLOCK, ANCHOR, SKIP, BREAK, IMAGE, HEAD = range(7)  # the walk looks below the first three

# Flags that say where in the page a block is, by tags; UNSEEN is what attributes hide from readers. Words in class and id have
# the higher bits (see `hints`).
IN_NAV, IN_FRAME, IN_ASIDE, IN_FORM, IN_ARTICLE, IN_LIST, IN_TABLE, IN_FIGURE, IN_QUOTE, UNSEEN = (
    1 << n for n in range(10)
)

_KIND_NAMES: Final = {
    BLOCK: "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav noframes ol p plaintext pre"
    " search section summary table tbody td tfoot th thead tr ul xmp",
    SKIP: "script style noscript template svg math iframe object embed canvas audio video select textarea button datalist input"
    " progress meter colgroup col rt rp rtc",
    ANCHOR: "a area",
    BREAK: "br",
    IMAGE: "img",
    HEAD: "title meta link base",
}
_FLAG_NAMES: Final = {
    IN_NAV: "nav menu dir",
    IN_FRAME: "header footer",
    IN_ASIDE: "aside dialog",
    IN_FORM: "form fieldset",
    IN_ARTICLE: "article main",
    IN_LIST: "li dt",
    IN_TABLE: "td th",
    IN_FIGURE: "figure figcaption caption",
    IN_QUOTE: "blockquote pre",
}
# A block's container is the nearest of these: paragraphs, headings and lists of one container belong together.
_CONTAINER_NAMES: Final = (
    "html body div section article main td th aside header footer nav form center details dialog search"
)
# Lists and tables are containers too, whose blocks stand or fall together; their prose counts as their parents'.
_GROUP_NAMES: Final = "ul ol dl table"


def ids(names: str) -> list[int]:
    maker = LexborHTMLParser("")
    return [maker.create_node(name).tag_id for name in names.split()]


# Known tags have small numbers, so tables are lists; a higher number is an invented tag, which is inline.
KNOWN_TAGS: Final = 256
_KINDS: Final = {tag: kind for kind, names in _KIND_NAMES.items() for tag in ids(names)} | {COMMENT: SKIP}
_FLAGS: Final = {tag: flag for flag, names in _FLAG_NAMES.items() for tag in ids(names)}
KIND: Final = [_KINDS.get(tag, INLINE) for tag in range(KNOWN_TAGS)]
FLAGS: Final = [_FLAGS.get(tag, 0) for tag in range(KNOWN_TAGS)]
PRE_TAGS: Final = frozenset(ids("pre listing xmp plaintext"))
CONTAINERS: Final = frozenset(ids(f"{_CONTAINER_NAMES} {_GROUP_NAMES}"))
_NAMES: Final = {tag: name for names in _KIND_NAMES.values() for name in names.split() for tag in ids(name)}
NAME: Final = [_NAMES.get(tag, "") for tag in range(KNOWN_TAGS)]
GROUPS: Final = frozenset(ids(_GROUP_NAMES))
PAGE_TAGS: Final = frozenset(ids("html body"))
CELLS: Final = frozenset(ids("td th"))
A, AREA, TITLE, META, LINK, BASE, HTML, LI, TR, H1 = ids("a area title meta link base html li tr h1")
