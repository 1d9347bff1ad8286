"""Options that several verbs have, declared once."""

from pathlib import Path
from typing import Annotated

import typer

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The crawl's folder.")]
Like = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE", help="A sample of what you want: text, HTML, WARC or a folder of such files; may be repeated."
    ),
]
Seeds = Annotated[
    list[Path] | None, typer.Option(metavar="FILE", help="A file with a seed URL per line; may be repeated.")
]
Url = Annotated[list[str] | None, typer.Option(metavar="URL", help="A seed URL; may be repeated.")]
Web = Annotated[
    list[Path] | None,
    typer.Option(metavar="WARC", help="Use these WARC files instead of the network; may be repeated."),
]
Workers = Annotated[int | None, typer.Option(help="Number of processes; with 1, pages come in a fixed order.")]
Setting = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="table.key=value; may be repeated.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON.")]
Where = Annotated[
    str,
    typer.Option(
        metavar="EXPR", help="Only those for which it is true, such as 'language == \"de\" and tokens > 200'."
    ),
]
