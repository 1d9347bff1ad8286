"""Names of a package that are loaded only when they are used.

A worker needs a tenth of what the main process of a crawl needs, and `opilio --help` needs nothing: importing a package
must not load an HTTP client or numpy for the sake of a name that nobody uses. Type checkers see ordinary imports.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(package: str, homes: Mapping[str, str], packages: str = "") -> Callable[[str], Any]:
    """Returns the package's `__getattr__`, for names by submodule: {"client": "Fetcher HttpFetcher"}, and for packages inside
    of it. No name may be that of a submodule: whoever imports the submodule would change what the name means."""
    places = {name: module for module, names in homes.items() for name in names.split()}

    def load(name: str) -> Any:
        if name in packages.split():
            return import_module(f"{package}.{name}")
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{places[name]}"), name)

    return load
