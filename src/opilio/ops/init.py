"""The verb `init`: a commented crawl.toml for a new folder."""

from importlib import resources
from pathlib import Path
from typing import Final

import msgspec

from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.core.recipes import recipe_names

_TEMPLATE: Final = """\
# One crawl. Settings that are missing here have their defaults; `opilio init --defaults` explains every setting.

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
like = []            # samples of what you want (text, Markdown, HTML, WARC, URLs): ["article.txt"]
languages = []       # only pages in these languages: ["de", "french"]

[crawl]
# recipe = "learned"   # not set: "learned" with samples or languages, else "breadth-first", no focus; all: {recipes}

[stop]
pages = 0            # 0: no limit; also documents, size_bytes, tokens, seconds
"""


def init(folder: str | Path, contact: str, seeds: str | Path | None = None) -> Path:
    """Writes a commented crawl.toml into the folder, which is created if necessary, and returns its path."""
    path = Path(folder) / "crawl.toml"
    refuse_existing(path)
    if "@" not in contact and not contact.startswith(("http://", "https://")):
        raise ConfigError(f'"{contact}" is neither a URL nor an e-mail address. Hosts must be able to reach you.')
    quoted = msgspec.json.encode(contact).decode()
    files = msgspec.json.encode([str(Path(seeds).resolve())] if seeds else []).decode()
    text = _TEMPLATE.format(contact=quoted, files=files, recipes=", ".join(recipe_names()))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}.") from error
    load_config(path)
    return path


def refuse_existing(path: Path) -> None:
    if path.exists():
        raise ConfigError(f"{path} exists already. Edit it, or choose another folder.")


def defaults() -> str:
    """Returns every setting with its default and what follows from changing it, as commented TOML."""
    return resources.files("opilio").joinpath("core", "defaults.toml").read_text("utf-8")
