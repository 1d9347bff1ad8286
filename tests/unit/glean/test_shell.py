"""An empty shell is told from a page that has text, and from one that simply has none."""

import pytest

from opilio.glean.shell import is_shell

SCRIPT = "<script src=/app.js></script>"


@pytest.mark.parametrize(
    "source",
    [
        f'<div id="root"></div>{SCRIPT}',
        f"<div id=app>Loading…</div>{SCRIPT}",
        f'<div id="__next"></div>{SCRIPT}',
        f"<app-root></app-root>{SCRIPT}",
        f"<noscript>You need to enable JavaScript to run this app.</noscript><div></div>{SCRIPT}",
        f"<noscript><p>Bitte <b>aktivieren</b> Sie JavaScript.</p></noscript>{SCRIPT}",
    ],
)
def test_a_shell_is_told(source: str) -> None:
    assert is_shell(f"<html><body>{source}</body></html>", 5)


def test_a_page_with_words_or_without_scripts_is_none() -> None:
    assert not is_shell(f'<div id="root"><p>…</p></div>{SCRIPT}', 500)
    assert not is_shell('<div id="root"></div>', 0)
    assert not is_shell(f"<p>Nothing here.</p>{SCRIPT}", 2)
