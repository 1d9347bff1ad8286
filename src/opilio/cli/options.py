"""Options that several verbs have, declared once."""

from pathlib import Path
from typing import Annotated

import typer

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The crawl's folder.")]
Like = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FILE|URL",
        help="A sample of what you want: text, Markdown, HTML, WARC, a folder, a URL, a list of URLs; may be repeated.",
    ),
]
Language = Annotated[
    list[str] | None,
    typer.Option(metavar="CODE|NAME", help="Keep only pages in this language, such as de or German; may be repeated."),
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

# --- experiments

LabWeb = Annotated[list[Path], typer.Option(metavar="WARC", help="A recorded web; may be repeated.")]
LabLabels = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="url, TAB, label; one for each web. If not given: WEB.labels.tsv beside it."),
]
LabTopic = Annotated[
    list[str] | None,
    typer.Option(help='A label; may be repeated. "all": all. If not given: those of --texts, or all.'),
]
LabTopicPages = Annotated[str, typer.Option(metavar="LOW:HIGH", help="Only topics with this many pages.")]
LabTopics = Annotated[int, typer.Option(min=0, help="Only this many topics, drawn at random; 0: all.")]
LabJson = Annotated[Path | None, typer.Option(metavar="FILE", help="All runs as JSON.")]
Processes = Annotated[int, typer.Option(min=0, help="0: one per core.")]
Texts = Annotated[
    Path | None,
    typer.Option(metavar="JSONL", help="Samples of your own: a topic and a text in each line."),
]
