"""`opilio lab serve`: a recorded web on a loopback port. Its address goes to stdout, words to stderr."""

from pathlib import Path
from typing import Annotated

import typer


def serve(
    web: Annotated[list[Path], typer.Argument(metavar="WARC...", help="The recorded web.")],
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port on 127.0.0.1; 0: any that is free.")] = 0,
    certificate: Annotated[
        Path | None, typer.Option(metavar="PEM", help="A certificate and its key, to answer https through the proxy.")
    ] = None,
) -> None:
    """Serve a recorded web on loopback to any crawler, as an HTTP proxy and by the Host header, until Ctrl-C or SIGTERM.

    Example: opilio lab serve schools.warc.gz --port 8080
    """
    from opilio import lab as verbs

    with verbs.serve(web, port=port, certificate=certificate) as served:

        def announce() -> None:
            typer.echo(served.url)
            typer.echo(
                f"{served.addresses:,} addresses of {served.hosts:,} hosts. Use it as an HTTP proxy, or connect to it with a "
                "Host header. Ctrl-C ends it.",
                err=True,
            )

        served.wait(announce)
