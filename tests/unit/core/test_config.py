"""Settings: every default in one file, every mistake answered with what to do."""

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from opilio.core.config import (
    Config,
    Layer,
    change_config,
    load_config,
    parse_setting,
    restore_config,
)
from opilio.core.errors import ConfigError
from opilio.core.limits import Limits
from opilio.core.recipes import recipe_names
from opilio.core.renamed import old_names


def _file(folder: Path, text: str) -> Path:
    path = folder / "crawl.toml"
    path.write_text(text, "utf-8")
    return path


def _defaults() -> dict[str, Any]:
    return tomllib.loads(resources.files("opilio").joinpath("core", "defaults.toml").read_text("utf-8"))


def test_every_setting_has_its_default_in_the_file_and_the_file_has_no_other() -> None:
    defaults = _defaults()
    for table in msgspec.structs.fields(Config):
        if table.name in ("judge", "lead"):
            assert list(defaults[table.name]) == ["name"]
        elif table.name == "sources":
            assert defaults[table.name] == {}
        else:
            assert list(defaults[table.name]) == [field.name for field in msgspec.structs.fields(table.type)]
    assert list(defaults) == [table.name for table in msgspec.structs.fields(Config)]


def test_the_limits_are_the_same_with_and_without_settings() -> None:
    assert load_config().limits == Limits()


def test_every_choice_of_the_policy_is_accepted() -> None:
    for field in msgspec.structs.fields(type(load_config().policy)):
        for choice in get_args(field.type) if "Literal" in str(field.type) else ():
            assert getattr(load_config(settings=[f"policy.{field.name}={choice}"]).policy, field.name) == choice


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[fetch]\ndelay = 2", ['"fetch.delay"', '"fetch.delay_s"']),
        ("[fetc]\ndelay_s = 2", ['"fetc"', 'Did you mean "fetch"?']),
        ("[stop]\nzzzzzz = 2", ['"stop.zzzzzz"', "crawl.toml"]),
        ("fetch = 3", ['"fetch"', "[fetch]"]),
        ('[fetch]\ndelay_s = "slow"', ["crawl.toml", "delay_s"]),
        ("[stop]\npages = 1.5", ["pages"]),
        ('[policy]\nchoice = "worst"', ["choice"]),
        ('[scope]\nexclude = ["("]', ['"("', "regular expression"]),
        ("[policy]\nbounds = [0.1, 0.9]", ["policy.bounds"]),
        ('[crawl]\nrecipe = "breadth-frist"', ['Did you mean "breadth-first"?', "random"]),
        ("[fetch", ["crawl.toml", "TOML"]),
        ('judge = "everything"', ["judge"]),
        ('[corpus]\nlanguages = "german"', ["corpus.languages", '["german"]']),
        ('[corpus]\nlanguages = ["germn"]', ['"germn"', 'Did you mean "german"?']),
    ],
)
def test_a_mistake_is_named_with_what_was_meant(tmp_path: Path, text: str, words: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(_file(tmp_path, text))
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_a_missing_or_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"crawl\.toml does not exist.*opilio init"):
        load_config(tmp_path / "crawl.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=r"binary\.toml is not valid TOML"):
        load_config(tmp_path / "binary.toml")
    with pytest.raises(ConfigError, match="cannot read"):
        load_config(tmp_path)


def test_the_command_line_lies_over_tables_over_the_file_over_the_recipe(tmp_path: Path) -> None:
    path = _file(tmp_path, '[crawl]\nrecipe = "random"\nseed = 1\nin_flight = 1\ncommit_pages = 1')
    config = load_config(path, tables={"crawl": {"in_flight": 2, "commit_pages": 2}}, settings=["crawl.commit_pages=3"])
    assert config.lead == {"name": "random"}
    assert (config.crawl.seed, config.crawl.in_flight, config.crawl.commit_pages) == (1, 2, 3)
    assert load_config(path, recipe="breadth-first").lead == {"name": "breadth-first"}


@pytest.mark.parametrize("how", ["file", "tables", "settings", "argument"])
def test_a_recipe_can_be_named_wherever_settings_are(tmp_path: Path, how: str) -> None:
    configs = {
        "file": lambda: load_config(_file(tmp_path, '[crawl]\nrecipe = "random"')),
        "tables": lambda: load_config(tables={"crawl": {"recipe": "random"}}),
        "settings": lambda: load_config(settings=["crawl.recipe=random"]),
        "argument": lambda: load_config(recipe="random"),
    }
    config = configs[how]()
    assert (config.crawl.recipe, config.lead) == ("random", {"name": "random"})


@pytest.mark.parametrize("name", recipe_names())
def test_every_recipe_is_a_valid_tree(name: str) -> None:
    assert load_config(recipe=name).crawl.recipe == name


def test_options_of_another_plug_in_do_not_carry_over(tmp_path: Path) -> None:
    path = _file(tmp_path, '[lead]\nname = "random"\nseed = 5')
    assert load_config(path).lead == {"name": "random", "seed": 5}
    assert load_config(path, settings=["lead.seed=6"]).lead == {"name": "random", "seed": 6}
    assert load_config(path, settings=["lead.name=breadth-first"]).lead == {"name": "breadth-first"}


def test_a_setting_is_toml_or_else_a_string() -> None:
    assert parse_setting("fetch.delay_s=2") == {"fetch": {"delay_s": 2}}
    assert parse_setting("policy.bounds=[0.5, 0.1]") == {"policy": {"bounds": [0.5, 0.1]}}
    assert parse_setting("operator.contact=a@b.example") == {"operator": {"contact": "a@b.example"}}
    assert parse_setting('fetch.hosts={"a.test" = "127.0.0.1"}') == {"fetch": {"hosts": {"a.test": "127.0.0.1"}}}


@pytest.mark.parametrize("setting", ["delay_s=2", "fetch.delay_s", "=", "fetch"])
def test_what_is_no_setting_is_refused_with_an_example(setting: str) -> None:
    with pytest.raises(ConfigError, match=r"fetch\.delay_s=2"):
        load_config(settings=[setting])


def test_unknown_keys_are_found_in_every_layer() -> None:
    with pytest.raises(ConfigError, match=r'unknown setting "stop\.page" in --set.*"stop\.pages"'):
        load_config(settings=["stop.page=1"])
    with pytest.raises(ConfigError, match=r'unknown setting "stop\.page"'):
        load_config(tables={"stop": {"page": 1}})
    with pytest.raises(ConfigError, match=r'unknown setting "stop\.page"'):
        change_config(load_config(), ["stop.page=1"])


def test_a_change_leaves_the_rest_and_the_old_tree_alone() -> None:
    config = load_config(settings=["crawl.seed=7"])
    changed = change_config(config, ["fetch.delay_s=9", "policy.bounds=[0.5]"])
    assert (changed.fetch.delay_s, changed.policy.bounds, changed.crawl.seed) == (9.0, (0.5,), 7)
    assert config.fetch.delay_s == 1.0
    with pytest.raises(ConfigError):
        change_config(config, ["fetch.delay_s=fast"])


def test_the_user_agent_names_product_version_and_contact() -> None:
    from opilio import __version__

    config = load_config(settings=["operator.contact=https://example.org/bot", "operator.name=Spider"])
    assert config.user_agent == f"Spider/{__version__} (+https://example.org/bot)"
    assert load_config().user_agent == f"Opilio/{__version__}"


@pytest.mark.parametrize(
    "setting", ["fetch.delay_s=-1", "fetch.delay_s=nan", "crawl.in_flight=0", "crawl.workers=-1", "keep.gzip_level=9"]
)
def test_a_value_that_no_crawl_can_use_is_refused(setting: str) -> None:
    with pytest.raises(ConfigError):
        load_config(settings=[setting])


def test_saved_settings_of_an_older_version_get_the_defaults_of_what_is_new() -> None:
    tree = msgspec.to_builtins(load_config(settings=["fetch.delay_s=7"]))
    del tree["policy"]["patience_s"]
    restored = restore_config(msgspec.json.encode(tree))
    assert restored == load_config(settings=["fetch.delay_s=7"])


def test_a_setting_that_was_renamed_goes_on_by_its_old_name(tmp_path: Path) -> None:
    (tmp_path / "crawl.toml").write_text("[stop]\nkept = 5\n", "utf-8")
    assert load_config(tmp_path / "crawl.toml").stop.documents == 5
    assert load_config(settings=["stop.kept=6"]).stop.documents == 6
    assert load_config(tmp_path / "crawl.toml", settings=["stop.documents=7"]).stop.documents == 7
    assert load_config(tables={"stop": {"kept": 8, "documents": 9}}).stop.documents == 9
    assert change_config(load_config(), ["stop.kept=10"]).stop.documents == 10
    tree = msgspec.to_builtins(load_config())
    tree["stop"]["kept"] = tree["stop"].pop("documents") + 11
    assert restore_config(msgspec.json.encode(tree)).stop.documents == 11


def test_an_old_name_is_noted_with_the_present_one() -> None:
    layers = [Layer("crawl.toml", {"stop": {"kept": 5}}), Layer("--set", {"stop": {"documents": 5}, "scope": {}})]
    assert old_names(layers) == ['"stop.kept" in crawl.toml is called "stop.documents" now. The old name still works.']


def test_languages_mean_the_same_wherever_they_are_named(tmp_path: Path) -> None:
    config = load_config(_file(tmp_path, '[corpus]\nlanguages = ["German", "en-GB"]'))
    assert config.corpus.languages == ("de", "en")
    assert load_config(settings=['corpus.languages=["german", "eng"]']) == config
    assert load_config(tables={"corpus": {"languages": ("Deutsch", "english")}}) == config
    assert change_config(load_config(), ['corpus.languages=["german"]']).corpus.languages == ("de",)
    assert config.corpus.only == ("de", "en")


def test_languages_choose_the_learned_lead_and_are_its_judge_if_there_are_no_samples() -> None:
    alone = load_config(settings=['corpus.languages=["de"]'])
    assert (alone.crawl.recipe, alone.judge["name"], alone.lead["name"]) == ("learned", "language", "learned")
    both = load_config(settings=['corpus.languages=["de"]', 'corpus.like=["a.txt"]'])
    assert (both.crawl.recipe, both.judge["name"]) == ("learned", "topic")
    other = load_config(settings=['corpus.languages=["de"]', "judge.name=comments"])
    assert (other.crawl.recipe, other.judge["name"], other.lead["name"]) == ("learned", "comments", "learned")


def test_settings_that_were_saved_before_languages_were_a_filter_keep_their_meaning() -> None:
    tree = msgspec.to_builtins(load_config(recipe="breadth-first"))
    del tree["corpus"]["other_languages"], tree["fetch"]["accept_language"]
    tree["corpus"]["languages"] = ["german", "xx"]
    corpus = restore_config(msgspec.json.encode(tree)).corpus
    assert (corpus.languages, corpus.other_languages, corpus.only) == (("de",), True, ())
    tree["corpus"]["languages"] = []
    assert restore_config(msgspec.json.encode(tree)).corpus.other_languages is False
