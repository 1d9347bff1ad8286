"""A value of the wrong type is answered with what the setting must be and what to write."""

from pathlib import Path
from typing import Any

import pytest

from opilio.core.config import change_config, load_config
from opilio.core.errors import ConfigError


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("corpus.languages=de", 'must be a list of texts, not "de"; write --set \'corpus.languages=["de"]\'.'),
        ("scope.hosts=a.test, b.test", 'write --set \'scope.hosts=["a.test", "b.test"]\'.'),
        ("fetch.ports=8080", "a list of whole numbers from 1 to 65535, not 8080; write --set 'fetch.ports=[8080]'."),
        ("policy.bounds=0.5", "must be a list of numbers, not 0.5; write --set 'policy.bounds=[0.5]'."),
        ('fetch.delay_s="2"', "must be a number from 0 to 1000000000, not \"2\"; write --set 'fetch.delay_s=2.0'."),
        ("fetch.delay_s=slow", 'not "slow". The default is 1.0.'),
        ("stop.pages=1.5", "must be a whole number of at least 0, not 1.5. The default is 0."),
        ("scope.media=yes", "must be true or false, not \"yes\"; write --set 'scope.media=true'."),
        (
            "policy.choice=strickt",
            '"strict", "weighted", not "strickt". The default is "strict". Did you mean "strict"?',
        ),
        ("operator.name=My Bot", 'must be a text of the pattern ^[A-Za-z_-]+$, not "My Bot". The default is "Opilio".'),
        ("fetch.accept_language=dé", 'must be a text of plain ASCII characters, not "dé". The default is "".'),
        ('corpus.languages=["de", 3]', 'must be a list of texts, not ["de", 3]. The default is [].'),
        ("operator.contact=5", "must be a text, not 5; write --set 'operator.contact=\"5\"'."),
        ("fetch.hosts={a = 1}", 'must be a table of texts, not {"a" = 1}. The default is {}.'),
        ("limits.redirects=few", 'limits.redirects must be a whole number of at least 0, not "few". The default is 5.'),
    ],
)
def test_an_option_of_the_wrong_type_is_answered_with_what_to_write(setting: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(settings=[setting])
    assert str(caught.value).endswith(sentence), str(caught.value)
    assert str(caught.value).startswith(setting.partition("=")[0])


@pytest.mark.parametrize(
    ("tables", "sentence"),
    [
        ({"corpus": {"languages": "de"}}, 'corpus.languages must be a list of texts, not "de"; write corpus.languages = ["de"].'),
        ({"stop": {"pages": "10"}}, "write stop.pages = 10."),
        ({"scope": {"media": "no"}}, "write scope.media = false."),
    ],
)  # fmt: skip
def test_what_to_write_is_toml_and_the_place_is_named(tmp_path: Path, tables: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError, match=r"^in the settings: ") as caught:
        load_config(tables=tables)
    assert str(caught.value).endswith(sentence), str(caught.value)
    (tmp_path / "crawl.toml").write_text("[corpus]\nlanguages = 'de'\n", "utf-8")
    with pytest.raises(ConfigError, match=r"^in .*crawl\.toml: corpus\.languages must be"):
        load_config(tmp_path / "crawl.toml", settings=["stop.pages=1"])


def test_a_change_of_a_running_crawl_is_answered_in_the_same_way() -> None:
    with pytest.raises(ConfigError, match=r"in the changed settings: stop\.pages must be a whole number"):
        change_config(load_config(), ["stop.pages=many"])
