"""The `opilio` command and its list of verbs."""

import importlib
import sys
from typing import Final

import click
import typer
from typer.main import get_command

from opilio.core.errors import OpilioError

# verb → one line of help; the module of the same name is imported only when the verb is used
_VERBS: Final = {
    "init": "Write a commented crawl.toml into a folder.",
    "crawl": "Crawl, or go on with a crawl.",
    "status": "Say how a crawl stands.",
    "why": "Tell the whole story of a URL.",
    "export": "Write the corpus as JSON lines, Parquet or text.",
    "control": "Pause, resume, stop or change a running crawl.",
    "demo": "Serve the embedded demo web, crawl it and show what came out.",
    "bench": "Measure, and compare with goals and peers.",
}


class _Verbs(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _VERBS:
            return None
        module = importlib.import_module(f"opilio.cli.{cmd_name}")
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(cmd_name)(getattr(module, cmd_name))
        return get_command(app)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """From the list alone: help must not import the verbs."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_VERBS.items()))


def _show_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:  # noqa: FBT001
    if wanted:
        from opilio.core.version import __version__

        click.echo(f"opilio {__version__}")
        ctx.exit()


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Show the version."
)
def _app() -> None:
    """A focused web crawler that builds text corpora."""


def main() -> None:
    try:
        _app()
    except OpilioError as error:
        print(f"opilio: {error}", file=sys.stderr)
        sys.exit(2)
