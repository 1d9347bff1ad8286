"""A small language for choosing rows: `language == "de" and tokens > 200`.

    expression  either or either or …
    either      each and each and …
    each        not each | ( expression ) | FIELD | FIELD OPERATOR VALUE | FIELD [not] in [VALUE, VALUE, …]
    OPERATOR    == != < <= > >= contains startswith endswith, the last three also with not before them
    VALUE       "text" or 'text', a number, true, false

Where a field is one of many, as `signals.name` is, one value that fits is enough (`fields.py`). `!=` and the operators with
`not` are always the negation of those without, so a value that is missing is unequal to everything. A field that is true or
false needs no operator. Texts are compared as they are, except by contains, startswith and endswith, which ignore case. Where a
field has a fixed set of values, as `drop` has, one that does not exist is an error, and the words by which tables show a value
mean it too: "fetch failed", "not in this web".

Everything that can be wrong is found when the expression is read, and named with its column: no row can raise. Nothing is
evaluated but what stands above, and both the length and the depth of an expression are bounded.
"""

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from .errors import ConfigError
from .fields import Field, fields
from .suggestion import did_you_mean

Predicate = Callable[[Any], bool]
Value = str | float | bool
_Test = Callable[[Any, Any], bool]

_LONGEST: Final = 10_000  # characters
_DEEPEST: Final = 50  # brackets and nots inside each other
_TOKEN: Final = re.compile(
    r"""\s*(?:
    (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
  | (?P<number>[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]))
  | (?P<word>[^\W\d][\w.]*)
  | (?P<sign>==|!=|<=|>=|<|>|\(|\)|\[|\]|,)
  | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
_EQUAL: Final[Mapping[str, _Test]] = {"==": operator.eq, "in": lambda value, wanted: value in wanted}
_ORDER: Final[Mapping[str, _Test]] = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_WITHIN: Final[Mapping[str, _Test]] = {
    "contains": lambda value, wanted: wanted in value.casefold(),
    "startswith": lambda value, wanted: value.casefold().startswith(wanted),
    "endswith": lambda value, wanted: value.casefold().endswith(wanted),
}
_TESTS: Final = {**_EQUAL, **_ORDER, **_WITHIN}
_WORDS: Final = ("and", "or", "not", "true", "false", "in", *_WITHIN)
_MEANT: Final = {"=": "==", "&": "and", "|": "or", "!": "not", "~": "contains"}  # what other languages write
_KINDS: Final = {str: "a text", float: "a number", bool: "true or false"}


class PredicateError(ConfigError):
    """`column` is where reading failed, counted from 1."""

    def __init__(self, expression: str, column: int, message: str) -> None:
        shown = expression if len(expression) <= 200 else f"{expression[:200]}…"
        super().__init__(f"cannot read the expression {shown!r}, column {column}: {message}")
        self.column = column


class Token(NamedTuple):
    kind: str
    text: str
    column: int


def predicate(expression: str, rows: type) -> Predicate:
    """Reads an expression about rows of this type: a class with annotated fields, such as `Record`."""
    return _Reader(expression, fields(rows)).read()


class _Reader:
    """Reads an expression from left to right, one token ahead."""

    def __init__(self, expression: str, known: Mapping[str, Field]) -> None:
        self._expression = expression
        self._fields = known
        if len(expression) > _LONGEST:
            raise self._error(_LONGEST + 1, f"it is longer than {_LONGEST:,} characters.")
        self._place = 0
        self._depth = 0
        self._next = self._token()

    def read(self) -> Predicate:
        found = self._any()
        if self._next.kind != "end":
            raise self._unexpected("and, or, or the end")
        return found

    # --- the grammar

    def _any(self) -> Predicate:
        parts = [self._all()]
        while self._take("or"):
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else lambda row: any(part(row) for part in parts)

    def _all(self) -> Predicate:
        parts = [self._one()]
        while self._take("and"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else lambda row: all(part(row) for part in parts)

    def _one(self) -> Predicate:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._error(self._next.column, f"more than {_DEEPEST} brackets are open.")
        if self._take("not"):
            found = _negated(self._one())
        elif self._take("("):
            found = self._any()
            self._need(")")
        else:
            found = self._comparison()
        self._depth -= 1
        return found

    def _comparison(self) -> Predicate:
        place = self._next
        field = self._field()
        negated = self._take("not")
        sign = self._next
        if sign.text not in (("in", *_WITHIN) if negated else ("!=", *_TESTS)):
            if negated:
                raise self._unexpected("in, contains, startswith or endswith")
            return self._flag(field, place)
        self._advance()
        self._check(field, place, sign)
        read = self._value if sign.text in (*_WITHIN, *_ORDER) else self._exact
        wanted = self._list(field, place) if sign.text == "in" else read(field, place)
        if sign.text in _WITHIN:
            wanted = str(wanted).casefold()
        test = _compare(field, _TESTS["==" if sign.text == "!=" else sign.text], wanted)
        return _negated(test) if negated or sign.text == "!=" else test

    def _field(self) -> Field:
        token = self._next
        if token.kind != "word" or token.text in _WORDS:
            raise self._unexpected("a field")
        if token.text not in self._fields:
            known = ", ".join(self._fields)
            hint = did_you_mean(token.text, self._fields)
            raise self._error(token.column, f'there is no field "{token.text}".{hint} Fields: {known}.')
        self._advance()
        return self._fields[token.text]

    def _flag(self, field: Field, place: Token) -> Predicate:
        if field.kind is not bool:
            if self._next.kind == "end" or self._next.text in (")", "and", "or"):
                raise self._error(place.column, f"{place.text} is {_KINDS[field.kind]}: compare it with something.")
            raise self._unexpected("an operator: " + ", ".join(("!=", *_TESTS)))
        return lambda row: any(field.values(row))

    def _check(self, field: Field, place: Token, sign: Token) -> None:
        if sign.text in _WITHIN and field.kind is not str:
            raise self._error(sign.column, f"{sign.text} is for texts, and {place.text} is {_KINDS[field.kind]}.")
        if sign.text in _ORDER and field.kind is bool:
            raise self._error(sign.column, f"{place.text} is true or false, which has no order.")

    def _list(self, field: Field, place: Token) -> tuple[Value, ...]:
        self._need("[")
        values = [self._exact(field, place)]
        while self._take(","):
            values.append(self._exact(field, place))
        self._need("]")
        return tuple(values)

    def _exact(self, field: Field, place: Token) -> Value:
        """Reads a value that must be one of the field's, if these are a fixed set; or "", which none of them is."""
        token, value = self._next, self._value(field, place)
        if not field.choices or not value:
            return value
        name = str(value).replace(" ", "_")
        for choice in field.choices:
            if name == choice or value == getattr(choice, "words", choice):
                return choice
        known = ", ".join(field.choices)
        hint = did_you_mean(name, field.choices)
        raise self._error(token.column, f"{place.text} is never {token.text}.{hint} Values: {known}.")

    def _value(self, field: Field, place: Token) -> Value:
        token = self._next
        value: Value
        if token.kind == "text":
            value = re.sub(r"\\(.)", r"\1", token.text[1:-1], flags=re.DOTALL)
        elif token.kind == "number":
            value = float(token.text)
        elif token.text in ("true", "false"):
            value = token.text == "true"
        else:
            raise self._unexpected(_KINDS[field.kind] + (" in quotes" if field.kind is str else ""))
        if type(value) is not field.kind:
            message = f"{place.text} is {_KINDS[field.kind]}, and {token.text} is {_KINDS[type(value)]}."
            raise self._error(token.column, message)
        self._advance()
        return value

    # --- tokens

    def _token(self) -> Token:
        found = _TOKEN.match(self._expression, self._place)
        if found is None:
            rest = self._expression[self._place :]
            column = self._place + len(rest) - len(rest.lstrip()) + 1
            raise self._error(column, _strange(rest.lstrip()))
        self._place = found.end()
        kind = found.lastgroup or ""
        text = found[kind].lower() if found[kind].lower() in _WORDS else found[kind]
        return Token(kind, text, found.start(kind) + 1)

    def _advance(self) -> None:
        self._next = self._token()

    def _take(self, text: str) -> bool:
        taken = self._next.text == text
        if taken:
            self._advance()
        return taken

    def _need(self, text: str) -> None:
        if not self._take(text):
            raise self._unexpected(f'"{text}"')

    def _unexpected(self, wanted: str) -> PredicateError:
        found = "the end" if self._next.kind == "end" else f"{self._next.text[:50]}"
        hint = did_you_mean(self._next.text, _WORDS) if self._next.kind == "word" else ""
        return self._error(self._next.column, f"expected {wanted}, found {found}.{hint}")

    def _error(self, column: int, message: str) -> PredicateError:
        return PredicateError(self._expression, column, message)


def _compare(field: Field, test: _Test, wanted: Any) -> Predicate:
    return lambda row: any(test(value, wanted) for value in field.values(row))


def _negated(part: Predicate) -> Predicate:
    return lambda row: not part(row)


def _strange(rest: str) -> str:
    first = rest[0]
    if first in "\"'":
        return f"this text has no closing {first}."
    meant = f" Did you mean {_MEANT[first]}?" if first in _MEANT else ""
    return f"{first!r} means nothing here.{meant}"
