"""A web's answer to one request: a status, header fields and a body as it is sent."""

import html
from typing import NamedTuple

from opilio.core.items import Headers


class Answer(NamedTuple):
    status: int
    headers: Headers
    body: bytes

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key.lower() == name), "")


def html_answer(markup: str, *fields: tuple[str, str], status: int = 200) -> Answer:
    return Answer(status, (("Content-Type", "text/html; charset=utf-8"), *fields), markup.encode())


def text_answer(text: str, kind: str = "text/plain", status: int = 200) -> Answer:
    return Answer(status, (("Content-Type", f"{kind}; charset=utf-8"),), text.encode())


def redirect_answer(status: int, location: str) -> Answer:
    body = f'<p>Moved: <a href="{html.escape(location)}">{html.escape(location)}</a></p>'.encode()
    return Answer(status, (("Content-Type", "text/html; charset=utf-8"), ("Location", location)), body)


NOT_FOUND = text_answer("There is nothing here.\n", status=404)
