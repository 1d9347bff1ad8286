"""What the class and id of an element suggest: words in them become flags that every block below it inherits.

Names repeat on every page of a site, so the flags of a pair (class, id) are cached: 0.1 µs instead of 5 µs.
"""

import re
from functools import lru_cache
from typing import Final

# These flags use bits from 16 up; the lower bits belong to the tags.
CHROME, SOCIAL, RELATED, COMMENT, PROMO, BYLINE, CAPTION, CONTENT, BODY, HIDDEN, BOX, LEGEND = (
    1 << n for n in range(16, 28)
)

# Each string is a list of regular expressions separated by spaces.
_WORDS: Final = {
    CHROME: r"nav(?!y) menu header masthead foot(?:er)?\b footer crumb side-?bar rail\b topbar toolbar widget pagination pager"
    r" search login sign-?in copyright legal siteinfo skip catlinks toc\b site-?top (?:right|left)-?col",
    SOCIAL: r"share sharing social follow facebook twitter addthis tools\b print email like-?button",
    RELATED: r"related recommend popular trending most-? more- read-?more read-?next also latest recent teaser outbrain"
    r" taboola links\b list-?item archive card\b carousel slider headlines categories next-?prev prev-?next",
    COMMENT: r"comment disqus respond reply replies discussion livefyre fb_iframe",
    PROMO: r"promo advert \bads?\b [-_]ads?\b \bads?[-_] sponsor banner newsletter subscri cookie consent gdpr modal popup"
    r" overlay paywall signup donat cta\b alert notice message disclaimer shop product-?",
    BYLINE: r"author by-?line date time(?!line) meta posted info tags?\b labels?\b category credit kicker dek\b bio\b"
    r" profile topic",
    CAPTION: r"caption figure image photo gallery thumb media video player infobox slide picture",
    CONTENT: r"article content post\b entry story main\b page\b blog single hentry detail",
    BODY: r"body text (?:entry|post|article)-?content paragraph prose copy\b description",
    HIDDEN: r"hidden hide\b sr-only screen-?reader visually invisible no-?display offscreen",
    # These two are for rules (see `corrections`), and so plainer than what the weights are fitted on.
    BOX: r"cookie consent gdpr onetrust didomi usercentrics paywall regwall newsletter sign-?up donat \bcta\b modal popup"
    r" advert \bad[-_]?(?:slot|unit|label|container|wrapper|box) share(?!d|holder) sharing addthis sociable"
    r" author[-_]?(?:box|bio|card) about[-_]?(?:the[-_]?)?author \bbio\b related recommend read[-_]?(?:more|next|also)"
    r" outbrain taboola popular trending most-?(?:read|view|pop) pagination pager post-?nav breadcrumb (?<!b)log-?in\b"
    r" sign-?in\b \btags\b tag-?list post-?tags entry-?tags",
    LEGEND: r"(?<!thumb)caption",  # those of encyclopedias are part of their subject
}
# Blog engines name a post by its subjects as well: a recipe may be "category-cookies".
_SUBJECTS: Final = re.compile(r"\b(?:tag|category)-\S+")
_PATTERNS: Final = tuple((flag, re.compile("|".join(words.split()))) for flag, words in _WORDS.items())
_BOX_PATTERN: Final = dict(_PATTERNS)[BOX]
_MOST_CHARS: Final = 200


@lru_cache(maxsize=16_384)
def hint_flags(css_class: str, css_id: str) -> int:
    names = f"{css_class} {css_id}"[:_MOST_CHARS].lower()
    flags = 0
    for flag, pattern in _PATTERNS:
        if pattern.search(names):
            flags |= flag
    if flags & BOX and not _BOX_PATTERN.search(_SUBJECTS.sub("", names)):
        flags ^= BOX
    return flags
