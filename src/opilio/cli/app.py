"""The `opilio` command and its list of verbs."""

import errno
import importlib
import resource
import sys
from typing import Annotated, Any, Final

import typer
from typer.main import get_command

from opilio.core.collector import collect_rarely
from opilio.core.errors import OpilioError

from .group import Group
from .streams import secure_streams

# heading → verb → one line of help; the module of the verb's name is imported only when the verb is used
_HEADINGS: Final = {
    "Start": {
        "scout": "Look for seeds: URLs from many sources, each probed.",
        "init": "Write a commented crawl.toml into a folder.",
        "demo": "Serve the embedded demo web, crawl it and show what came out.",
    },
    "Crawl": {
        "crawl": "Start or resume a crawl.",
        "revisit": "Visit pages again that are likely to have changed.",
        "cycle": "Crawl in cycles, each for what the corpus lacks.",
        "control": "Pause, resume, stop or change a running crawl.",
        "pilot": "Crawl a little, and propose bounds for a focused crawl.",
        "tune": "Show or move the thresholds of a focused crawl, even while it runs.",
    },
    "Look and correct": {
        "status": "Show how a crawl stands.",
        "why": "Tell the whole story of a URL.",
        "pages": "List the stored pages, kept or not.",
        "review": "Answer for the pages that the judge is least sure of, so that it learns.",
        "mark": "Mark a page as belonging or not, even while the crawl runs.",
        "judge": "Try a judge on pages, run it over WARC files, or judge a crawl's pages again.",
    },
    "Corpus": {
        "corpus": "Extract the texts of the corpus again, from the stored pages.",
        "export": "Write the corpus as JSON lines, Parquet, text or Markdown.",
        "sample": "Draw a near-uniform sample of pages or hosts.",
    },
    "Research": {
        "lab": "Compare strategies on recorded webs.",
        "lm": "Train, apply, mix and export n-gram language models.",
    },
}
_LEAST_FILES: Final = 16
_FEW_FILES: Final = (
    "too few files may be open at a time; allow more with `ulimit -n 1024`, then run the same command again."
)
_VERBS: Final = {verb: line for verbs in _HEADINGS.values() for verb, line in verbs.items()}


class _Verbs(Group):
    """Imports the module of a verb only when the verb is called; the list of verbs is shown without any import."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(_VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        if cmd_name not in _VERBS:
            return None
        found = getattr(importlib.import_module(f"opilio.cli.{cmd_name}"), cmd_name)
        if isinstance(found, typer.Typer):  # a verb with verbs of its own
            return get_command(found)
        verb = typer.Typer(add_completion=False, rich_markup_mode=None)
        verb.command(cmd_name)(found)
        return get_command(verb)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        widest = max(map(len, _VERBS))
        for heading, verbs in _HEADINGS.items():
            with formatter.section(heading):
                formatter.write_dl([(verb.ljust(widest), line) for verb, line in verbs.items()])


_app = typer.Typer(cls=_Verbs, add_completion=False, rich_markup_mode=None, no_args_is_help=True)


def _show_version(wanted: bool) -> None:
    if wanted:
        from opilio.core.version import __version__

        typer.echo(f"opilio {__version__}")
        raise typer.Exit


@_app.callback(invoke_without_command=True)
def _opilio(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """A focused web crawler that builds text corpora."""


def _check_files() -> None:
    """Says that too few files may be open, where the interpreter would fail in ways that hide it."""
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < _LEAST_FILES:
        raise OpilioError(_FEW_FILES)


def _refusal(error: OSError) -> str:
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return _FEW_FILES
    place = f"{error.filename}: " if error.filename else ""
    return f"{place}{error.strerror or error}. Nothing that was acknowledged is lost; fix it and run the same command again."


def main() -> None:
    collect_rarely()
    secure_streams()
    try:
        _check_files()
        _app()
    except OpilioError as error:
        from opilio.report.tables import printable

        print(f"opilio: {printable(str(error))}", file=sys.stderr)
        sys.exit(error.exit_code)
    except OSError as error:  # the machine refuses: too few descriptors, a disk that is full or read-only
        print(f"opilio: {_refusal(error)}", file=sys.stderr)
        sys.exit(OpilioError.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
