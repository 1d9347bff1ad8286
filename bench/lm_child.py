"""One measurement of language models in a process of its own, printed as a JSON object:

python -m bench.lm_child train LINES MODEL     trains order 5; CPU is the whole process's, imports and all threads
python -m bench.lm_child kenlm ARPA            how much memory kenlm takes for a model
"""

import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

from opilio.model import train
from opilio.model.texts import read_texts

from .child import memory_mb


def train_file(lines: Path, model: Path) -> dict[str, Any]:
    trained = train(read_texts(lines))
    trained.save(model)
    return {
        "cpu_s": time.process_time(),
        "peak_mb": memory_mb("VmHWM"),
        "ngrams": sum(trained.counts),
        "file_bytes": model.stat().st_size,
    }


def load_kenlm(arpa: Path) -> dict[str, Any]:
    kenlm = import_kenlm()
    before_mb = memory_mb("VmRSS")
    model = load_quietly(kenlm, arpa)
    return {"order": model.order, "memory_mb": memory_mb("VmRSS") - before_mb}


def import_kenlm() -> Any:
    """Returns the module, or None where it is not installed."""
    try:
        return importlib.import_module("kenlm")
    except ImportError:
        return None


def load_quietly(kenlm: Any, arpa: Path) -> Any:
    settings = kenlm.Config()
    settings.show_progress = False
    settings.arpa_complain = kenlm.ARPALoadComplain.NONE
    return kenlm.Model(str(arpa), settings)


if __name__ == "__main__":
    paths = [Path(each) for each in sys.argv[2:]]
    print(json.dumps(load_kenlm(*paths) if sys.argv[1] == "kenlm" else train_file(*paths)))  # noqa: T201
