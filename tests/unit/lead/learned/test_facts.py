"""The matrix of word facts: one owner, and views that everybody writes into."""

import numpy as np
import pytest

from opilio.core.items import Target
from opilio.lead import Learned
from opilio.lead.learned.aligned import LINE
from opilio.lead.learned.facts import WORDS, Facts, PathFact, WordFact
from opilio.lead.learned.signals import SIGNALS
from tests.unit.lead.lead_field import SAMPLES, Field, Seen, taught


def test_what_is_written_into_a_column_is_in_the_matrix() -> None:
    facts = Facts(16, WordFact)
    facts.column(WordFact.CENTRE)[3] = 0.5
    assert facts.matrix[3].tolist() == [0.0, 0.5, *[0.0] * 6]


def test_no_row_of_words_lies_across_two_lines_of_the_cache() -> None:
    matrix = Facts(WORDS, WordFact).matrix
    assert matrix.ctypes.data % LINE == 0
    assert LINE % matrix.strides[0] == 0


def test_all_that_is_learned_and_restored_is_seen_in_the_matrix() -> None:
    field, _ = taught(60)
    loaded = Learned()
    loaded.load(field.lead.save() or b"")
    for lead in (field.lead, loaded):
        seen = {fact for fact in WordFact if lead._known._facts.matrix[:, fact].any()}
        assert seen >= set(WordFact) - {WordFact.CENTRE}  # which the samples give, and nothing else
        assert all(lead._known._path_facts.matrix[:, fact].any() for fact in PathFact)
    assert Learned(SAMPLES)._known._facts.matrix[:, WordFact.CENTRE].any()


def test_the_kernel_fills_the_place_of_every_signal() -> None:
    field = Field(Learned(SAMPLES))
    target = field.target(Seen())
    field.lead.score([target])
    found = np.full((1, len(SIGNALS)), np.nan)
    field.lead._known.measure(np.array([field.lead._links.rows[target.id]]), field.lead._links, found)
    assert not np.isnan(found).any()


def test_the_worked_example_of_the_lead_is_true() -> None:
    field = Field(Learned(SAMPLES, ["en"]))
    opening, tours = (
        field.target(Seen(f"http://zoo.test/{name}.html", anchor, parent=5, parent_score=0.9))
        for name, anchor in (("open", "opening hours"), ("tours", "guided tours"))
    )
    menu = [field.target(Seen()).sightings[0].link for _ in range(18)]
    links = [opening.sightings[0].link, tours.sightings[0].link, *menu]
    field.learn(Target(5, "http://zoo.test/", "zoo.test", 0, 0, ()), 0.9, SAMPLES[1], links)
    assert field.lead.score([opening]) == pytest.approx([-1.99], abs=0.01)
    field.lead.score([tours])
    assert "belongs with probability 0.34" in field.lead.explain(tours)[0]
    field.learn(tours, 0.95, SAMPLES[0])
    assert field.lead.score([opening]) == pytest.approx([0.29], abs=0.01)
