"""What others may import, name by name. A change here is a change for them, and wants a line in the changelog."""

import importlib
import json
import subprocess
import sys

import pytest

import opilio

NAMES = {
    "opilio": "Account Config Judge Judged Lead Link Opinion OpilioError Page PlainLead Record Running Sighting Stale Target "
    "Verdict __version__ control corpus_extract crawl cycle_log cycle_run defaults demo export init judge_again judge_run "
    "judge_samples judge_train_badness judge_train_comments judge_train_commonness judge_try lab lm_export lm_info lm_mix "
    "lm_score lm_train load_config mark pages pilot read review revisit sample scout_add scout_audit scout_ls scout_refresh "
    "scout_run scout_stats status tune why",
    "opilio.demo": "Demo run",
    "opilio.lab": "judge make record run serve",
    "opilio.enqueue": "ALL_KINDS Admission Ended Ending Frontier Kinds LinkReader Listener OpenLink Politeness QueryCounts "
    "SCHEMA SqliteStore State StoredLink Policy bucket_of build_policy graded only_due",
    "opilio.engine": "Crawl Marked Task Workshop outlook",
    "opilio.fetch": "Fetcher HttpFetcher ROBOTS_SCHEMA Resolver RobotsCache Rules TERMS Terms fetch_robots "
    "is_public is_web_port stored_rules",
    "opilio.folder": "ControlServer CrawlFolder Database FolderLock Handout MARK_SCHEMA Marks Meta Tally Thresholds "
    "View ask is_running",
    "opilio.judge": "AllOf AnyOf BadnessJudge Bounds Classifier Comments Everything InLanguage Judge Judging Keywords Language "
    "Not Novelty Perplexity Topical WeightedSum build_judge",
    "opilio.keep": "FORMAT_1_UPGRADE FORMAT_1_VIEW FORMATS FirstShards Found Original SCHEMA Corpus CorpusReader "
    "CorpusShards Shards StoredPage Visited Visits export_corpus info_record pack "
    "payload_digest response_record revisit_record unpack",
    "opilio.lead": "FRESH BreadthFirst Commd Cyclic Diversity Judged Lead Learned Opic ParentPerplexity "
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


@pytest.mark.parametrize(
    "names", ["opilio.model import Score, Training, to_lines", "opilio.lead import BreadthFirst, Lead, Quality"]
)
def test_numba_is_loaded_for_a_model_and_not_for_the_names_of_others(names: str) -> None:
    """It takes 0.4 s, which `opilio --help` and every worker without a model would pay."""
    code = f"import sys; from {names}; print('numba' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
