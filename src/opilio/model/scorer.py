"""What judges and reports need from a model, be it a single model or a mixture; and how a file of either is opened."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
import numpy.typing as npt

from opilio.core.errors import ModelError
from opilio.core.unpacked import GZIP_MAGIC

from .score import Score

if TYPE_CHECKING:
    from .language_model import LanguageModel
    from .mixture import Mixture

_ARPA_STARTS: Final = (b"\\data\\", GZIP_MAGIC)
_HEAD_BYTES: Final = 64


class Scorer(Protocol):
    """Scores texts that are given as lines (see `words`). The end of a sentence is a token."""

    def score(self, lines: str) -> Score: ...

    def score_many(self, texts: Sequence[str]) -> list[Score]: ...

    def token_log10(self, lines: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """Returns each token's log10 probability, and whether it is unknown."""
        ...


def open_model(path: str | Path, *, verify: bool = True) -> "LanguageModel | Mixture":
    """Opens a model, a mixture or an ARPA file, which are told apart by their first bytes. A damaged file is refused;
    without `verify` only heads are checked."""
    from .arpa import read_arpa  # noqa: PLC0415 - each of these imports numba, which is slow
    from .language_model import LanguageModel  # noqa: PLC0415
    from .mixture_file import open_mixture  # noqa: PLC0415

    path = Path(path)
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES).lstrip()
    except OSError as error:
        raise ModelError(f"the language model {path} cannot be read: {error.strerror or error}.") from error
    if head.startswith(b"{"):
        return open_mixture(path, verify=verify)
    return read_arpa(path) if head.startswith(_ARPA_STARTS) else LanguageModel.open(path, verify=verify)
