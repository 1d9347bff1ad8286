"""What was made of samples, for the terminal: a table of the texts, what is true of all of them, and warnings."""

from collections.abc import Iterator

from rich.table import Table
from rich.text import Text

from opilio.core.account import SamplesAccount

from .tables import printable, two_columns


def samples_tables(made: SamplesAccount) -> Iterator[Table]:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("text", overflow="fold")
    table.add_column("words", justify="right")
    table.add_column("language")
    for text in made.texts:
        table.add_row(Text(printable(text.name)), f"{text.words:,}", text.language or "unknown")
    yield table
    languages = ", ".join(f"{code or 'unknown'} {words:,}" for code, words in made.languages.items())
    facts = {
        "texts": f"{len(made.texts):,}, {made.words:,} words",
        "language": languages,
        "keywords": ", ".join(made.keywords) or "the judge names none",
    }
    yield two_columns([*facts.items(), *((account.judge, account.line) for account in made.judges)])
    if made.warnings:
        yield two_columns([("warning", warning) for warning in made.warnings])
