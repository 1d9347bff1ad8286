"""`opilio revisit DIR`: visits pages of the corpus again that are likely to have changed."""

from typing import Annotated

import typer

from .options import AsJson, Folder, Quiet, Setting, Web, Workers


def revisit(
    folder: Folder,
    pages: Annotated[int, typer.Option(min=1, help="Visit at most this many pages.")] = 1_000,
    web: Web = None,
    workers: Workers = None,
    setting: Setting = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Visit pages of the corpus again that are likely to have changed, and store what is new of them.

    Example: opilio revisit my-corpus --pages 500
    """
    import msgspec

    from opilio.core.counted import counted
    from opilio.ops.revisit import revisit as visit_again

    from .foreground import Foreground

    found = visit_again(
        folder, pages=pages, web=web or (), workers=workers, settings=setting or (), watch=Foreground(quiet=quiet)
    )
    if as_json:
        typer.echo(msgspec.json.encode(found._asdict() | {"visits": found.visits}).decode())
        return
    typer.echo(
        f"Visited {counted(found.visits, 'page')} again: {found.changed:,} changed, {found.same:,} the same, "
        f"{found.gone:,} gone, {found.moved:,} moved, {found.forbidden:,} forbidden, {found.failed:,} without an answer."
    )
