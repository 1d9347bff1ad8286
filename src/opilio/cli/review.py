"""`opilio review DIR`: asks about the pages that the judge is least sure of."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from .options import AsJson, Folder, Where

if TYPE_CHECKING:
    from rich.console import Console

    from opilio.ops.review import Question

_PROMPT = "Does it belong? y(es)  n(o)  s(kip)  q(uit) "


def review(
    folder: Folder,
    where: Where = "",
    limit: Annotated[int, typer.Option(min=0, help="End after this many answers; 0: no limit.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Show the pages that the judge is least sure of, one key each; judge and lead learn at once, even while the crawl runs.

    Keys: y, n, s (skip), q (quit). If standard input is not a terminal, a letter is read from each line.

    Example: opilio review my-corpus --where 'language == "de"'
    """
    import msgspec
    from rich.console import Console

    from opilio.ops.review import review as ask

    console = Console(stderr=True, highlight=False)
    reviewed = ask(folder, lambda question: _answer(console, question), where=where, limit=limit)
    yes = sum(marked.belongs for marked in reviewed.marks)
    console.print(
        f"{len(reviewed.marks)} answers: {yes} yes, {len(reviewed.marks) - yes} no; {reviewed.skipped} skipped.",
        soft_wrap=True,
    )
    for reason in {marked.not_learned for marked in reviewed.marks if marked.not_learned}:
        console.print(f"opilio: {reason}", markup=False, soft_wrap=True)
    if as_json:
        typer.echo(msgspec.json.encode(reviewed._asdict()).decode())


def _answer(console: "Console", question: "Question") -> str:
    from opilio.core.errors import ConfigError
    from opilio.ops.review import Answer
    from opilio.report.pages import question_lines

    from .keys import read_key

    for line in question_lines(question.number, question.page, question.text, console.width, console.height):
        console.print(line, soft_wrap=True)
    console.print(_PROMPT, end="", markup=False)
    while key := read_key():
        for answer in Answer:
            if answer.startswith(key):
                console.print(answer, markup=False)
                return answer
        if not sys.stdin.isatty():
            raise ConfigError(f'"{key}" is not an answer: y, n, s and q are. The answers before it hold.')
    return Answer.QUIT
