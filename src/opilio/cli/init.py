"""`opilio init DIR`: a commented crawl.toml, with the operator's contact asked for."""

from pathlib import Path
from typing import Annotated

import typer

_TEMPLATE = """\
# One crawl. What is not set here has its default; `opilio init --defaults` shows every setting with its reason.

[operator]
contact = {contact}  # URL or e-mail, sent with every request; hosts can reach you instead of blocking you

[seeds]
urls = []            # ["https://example.org/"]
files = {files}  # a URL per line

[scope]
domains = []         # stay under these registered domains; empty: go wherever links lead
exclude = []         # regular expressions of URLs never to fetch
max_depth = 100

[corpus]
like = []            # sample texts of what you want (text, HTML, WARC): ["article.txt"]
languages = []       # ["de"]: asked for with Accept-Language

[crawl]
# recipe = "learned"   # not set: "learned" if there are samples, else "breadth-first", no focus; all: {recipes}

[stop]
pages = 0            # 0: no limit; also kept, size_bytes, tokens, seconds
"""


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The crawl's folder; made if need be.")] = Path(),
    contact: Annotated[str | None, typer.Option(help="URL or e-mail of the operator; asked for if not given.")] = None,
    seeds: Annotated[Path | None, typer.Option(help="A file with a seed URL per line.")] = None,
    defaults: Annotated[bool, typer.Option("--defaults", help="Show every setting and its default instead.")] = False,
) -> None:
    """Write a commented crawl.toml into a folder.

    Example: opilio init my-corpus --contact https://example.org/about-our-crawl
    """
    from importlib import resources

    import msgspec

    from opilio.core.config import load_config, recipe_names
    from opilio.core.errors import ConfigError

    if defaults:
        typer.echo(resources.files("opilio").joinpath("core", "defaults.toml").read_text("utf-8"), nl=False)
        return
    path = folder / "crawl.toml"
    if path.exists():
        raise ConfigError(f"{path} exists already. Edit it, or choose another folder.")
    if contact is None:
        contact = typer.prompt("Your contact for webmasters (URL or e-mail)", err=True)
    if "@" not in contact and not contact.startswith(("http://", "https://")):
        raise ConfigError(f'"{contact}" is neither a URL nor an e-mail address. Hosts must be able to reach you.')
    quoted = msgspec.json.encode(contact).decode()
    files = msgspec.json.encode([str(seeds.resolve())] if seeds else []).decode()
    text = _TEMPLATE.format(contact=quoted, files=files, recipes=", ".join(recipe_names()))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}.") from error
    load_config(path)
    typer.echo(f"Wrote {path}. Name seeds in it, then run: opilio crawl {folder}", err=True)
