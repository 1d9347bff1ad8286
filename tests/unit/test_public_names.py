"""What others may import, name by name. A change here is a change for them, and wants a line in the changelog."""

import importlib
import json
import subprocess
import sys

import pytest

import opilio

NAMES = {
    "opilio": "Config Judge Judged Lead Link Opinion OpilioError Page PlainLead Record Sighting Stale Target Verdict "
    "__version__ crawl load_config read",
    "opilio.enqueue": "Admission Ended Ending Frontier Listener MemoryStore OpenLink Policy Politeness QueryCounts SCHEMA "
    "Schedule SqliteStore State Store StoredHost StoredLink Strict Wave Weighted bucket_of build_policy",
    "opilio.engine": "Blueprint Court Crawl Follow InlinePool Marked Marking Parts Pool ProcessPool Setup Task Workshop "
    "build_admission build_crawl check_contact outlook read_seeds",
    "opilio.folder": "ControlServer CrawlFolder Database FolderLock MARK_SCHEMA RECENT Tally ask decode_tally open_readonly "
    "read_mark",
    "opilio.judge": "AllOf AnyOf BadnessJudge Bounds Classifier Comments Everything Judge Judging Keywords Language Likeness "
    "Not Perplexity WeightedSum",
    "opilio.keep": "FORMATS SCHEMA Corpus CorpusReader CorpusShards Place Shards export_corpus info_record opt_out pack "
    "payload_digest record_id response_record unpack",
    "opilio.lead": "FRESH BreadthFirst Commd Cyclic Judged Lead Learned Opic ParentPerplexity "
    "ParentScore ParentsMean PlainLead Preemptive Quality Random RandomWalk Stale",
    "opilio.model": "LanguageModel Mixture Score Scorer Training best_of_window open_model read_arpa to_lines train "
    "train_counts write_arpa",
}


@pytest.mark.parametrize("package", NAMES)
def test_a_package_offers_these_names_and_no_others(package: str) -> None:
    module = importlib.import_module(package)
    assert sorted(module.__all__) == sorted(NAMES[package].split())
    for name in module.__all__:
        assert getattr(module, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = opilio.nothing_of_the_kind


def test_importing_the_package_loads_no_stage() -> None:
    code = "import sys, opilio; print(sorted(name for name in sys.modules if name.startswith('opilio.')))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "opilio.core.config" not in run.stdout
    assert all(name.startswith("opilio.core") for name in json.loads(run.stdout.replace("'", '"')))


def test_numba_is_loaded_for_a_model_and_not_for_its_names() -> None:
    """It takes 0.4 s, which `opilio --help` and every worker without a model would pay."""
    code = "import sys, opilio.model; from opilio.model import Score, Training, to_lines; print('numba' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
