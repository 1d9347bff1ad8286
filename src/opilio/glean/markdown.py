"""Takes Markdown off a plain text, so that only the words of its prose are left.

It is done in three steps, because line breaks mean something only while the lines are as they were written: `remove_blocks`
before a file is divided into texts, `separate_blocks` before lines are joined (`plain`), `remove_marks` after that.

Rules: front matter, comments, code blocks, images, targets of links and bare addresses are removed. Of links, emphasis, code
in a line and tags, the words stay. Headings, items, quotations and rows of tables lose their marks and become blocks of their
own. What a mark means is decided where it stands, so nobody has to say that a text is Markdown.

Invariant: a text without these marks keeps all of its words.
"""

import re
from collections.abc import Sequence
from html import unescape
from typing import Final

NEW_TEXT: Final = "\f"  # stands where front matter was: another text begins there

# in their order, each pattern with what takes the place of what it finds
_Rules = Sequence[tuple[re.Pattern[str], str]]

_ADDRESS: Final = r"(?:https?://|www\.)[^\s<>]*[^\s<>.,;:!?)\]}'\"*_]"
_TARGET: Final = r"(?:<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)?)(?:\s+[\"'][^\"'\n]*[\"'])?"
_INLINE_TAGS: Final = "a|abbr|b|big|code|del|em|font|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|u"
_BLOCK_TAGS: Final = (
    "blockquote|br|center|d[dlt]|details|div|figure|h[1-6]|hr|img|li|[ou]l|p|pre|summary|t[dhr]|table|tbody|thead"
)
_NOT_PROSE: Final[_Rules] = (
    (re.compile(r"(?m)^(---|\+\+\+)[ \t]*\n(?:\w[\w-]* *[:=].*\n(?:[ \t#-].*\n|\n)*)+(?:\1|\.\.\.)[ \t]*$"), NEW_TEXT),
    (re.compile(r"(?s)<!--.*?-->"), ""),
    (re.compile(r"(?m)^ {0,3}(`{3,})[^`\n]*\n(?:.*\n)*? {0,3}\1`*[ \t]*$"), "\n"),
)
_LINE_MARKS: Final[_Rules] = (
    (re.compile(r"(?m)^ {0,3}(?:> ?)+"), ""),
    (re.compile(r"(?m)^[ \t]*[|:=*_~+#-][ \t|:=*_~+#-]{2,}$"), "\n"),  # an underline, a rule, the second row of a table
    (re.compile(r"(?m)^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$"), r"\n\1\n"),
    (re.compile(r"(?m)^[ \t]*[-*+•][ \t]+(?:\[[ xX]\][ \t]+)?"), "\n"),
    (re.compile(r"(?m)^(?=[ \t]*\|)"), "\n"),
    (re.compile(r"(?m)^ {0,3}\[[^\]\n]+\]:[ \t]*(?:<|\w+:|[./#]).*$"), "\n"),  # the target of a link elsewhere
    (re.compile(rf"(?i)</?(?:{_BLOCK_TAGS})(?:\s[^<>]*)?/?>"), "\n\n"),
)
_MARKS: Final[_Rules] = (
    (re.compile(r"\[\^[^\]\s]+\]:?"), ""),  # a footnote
    (re.compile(rf"!\[[^\[\]]*\](?:\({_TARGET}\)|\[[^\[\]]*\])"), ""),
    (re.compile(rf"\[([^\[\]]*)\](?:\({_TARGET}\)|\[[^\[\]]*\])"), r"\1"),
    (re.compile(rf"<(?:mailto:)?[\w.+-]+@[\w.-]+>|<{_ADDRESS}>|{_ADDRESS}"), ""),
    (re.compile(rf"(?i)</?(?:{_INLINE_TAGS})(?:\s[^<>]*)?>"), ""),
    (re.compile(r"(`{1,2})([^`\n]+)\1"), r"\2"),
    (re.compile(r"(?<![\w*\\])(\*{1,3}|~~|==)(?=\S)([^*~=\n]{1,300}?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<=[^\W\d_])(\*{1,3})(?=\S)([^*\n]{1,300}?)(?<=\S)\1(?=\w)"), r"\2"),
    (re.compile(r"(?<!\w)(_{1,3})(?=\S)([^_\n]{1,300}?)(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"\\([\\`*_{}\[\]()#+.!~|-])"), r"\1"),
)
_NUMBER: Final = re.compile(r"(?m)^[ \t]*(\d{1,3})[.)][ \t]+")
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});")


def remove_blocks(text: str) -> str:
    """Removes what is not prose. Line breaks must be plain ones."""
    return _apply(_NOT_PROSE, text)


def separate_blocks(text: str) -> str:
    """Puts headings, items and other blocks between blank lines, without their marks."""
    return _apply(_LINE_MARKS, _without_numbers(text))


def remove_marks(text: str) -> str:
    """Removes marks within paragraphs, each of which is a line."""
    return _ENTITY.sub(lambda found: unescape(found[0]), _apply(_MARKS, text))


def _apply(rules: _Rules, text: str) -> str:
    for pattern, instead in rules:
        text = pattern.sub(instead, text)
    return text


def _without_numbers(text: str) -> str:
    """Separates numbered items. A number without a neighbour belongs to its sentence ("am\\n3. Oktober")."""
    found = list(_NUMBER.finditer(text))
    numbers = [0, *(int(each[1]) for each in found), 0]
    ends = [0]
    pieces = []
    for each, (before, number, after) in zip(found, zip(numbers, numbers[1:], numbers[2:], strict=False), strict=True):
        if number - 1 == before > 0 or number + 1 == after or number == 1 in (before, after):
            pieces += [text[ends[-1] : each.start()], "\n"]
            ends.append(each.end())
    return "".join([*pieces, text[ends[-1] :]])
