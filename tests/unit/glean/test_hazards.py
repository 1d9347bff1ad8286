"""Markup that could cost a tree builder more than its share is told, however it is disguised."""

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from opilio.glean.hazards import is_harmless

DATA = Path(os.environ.get("OPILIO_DATA", ""))
MANY_ATTRIBUTES = " ".join(f"a{number}" for number in range(30_000))

HAZARDS = {
    "deep": "<div>" * 20_000,
    "deep in foreign content": "<svg>" + "<tr>" * 6_000 + "</x>" * 6_000,
    "deep behind end tags that do not count": "<x><div></x></div>" * 6_000,
    "deep in a raw text that is none": "<svg><style>" + "<x>" * 12_000,
    "closing nothing": "</p>" * 20_000,
    "open formatting": "<font>" * 100 + "<p>x" * 5_000,
    "open formatting with attributes": "<p>" + f"<b {MANY_ATTRIBUTES[:2_000]}>" * 10 + "</p><p>x" * 200,
    "an open anchor with attributes": f"<p><a {MANY_ATTRIBUTES[:8_000]}>" + "</p><p>x" * 400,
    "an open anchor with a long value": f'<p><a class="{"y" * 50_000}">' + "</p><p>x" * 2_000,
    "open formatting between cells": f'<table><b class="{"y" * 900}">' * 10 + "<p>x" * 9_000,
    "open formatting between rows": f'<table><div><b class="{"y" * 900}"><tr>' + "<p>x" * 12_000,
    "an open anchor between rows": f'<table><div><a href="{"y" * 900}"><tr>' + "<p>x" * 12_000,
    "attributes": f"<p {MANY_ATTRIBUTES}>",
    "attributes of an end tag": f"</p {MANY_ATTRIBUTES}>",
    "attributes behind a quoted end": f'<p a=">" {MANY_ATTRIBUTES}>',
    "attributes with ends": "<p " + "".join(f'a{number}=">"' for number in range(30_000)) + ">",
    "attributes with slashes": f"<p/{MANY_ATTRIBUTES.replace(' ', '/')}>",
    "attributes behind a quotation mark in a comment": f'<!-- <b x=" --><p {MANY_ATTRIBUTES}>',
    "attributes behind a quotation mark in a script": f'<script>a<b x="</script><p {MANY_ATTRIBUTES}>',
    "attributes behind a quotation mark that is a character": f'<p a=b="x c=">" {MANY_ATTRIBUTES}>',
    "attributes behind white space that is none": f'<x a=\xa0"><p {MANY_ATTRIBUTES}>',
    "attributes that begin in a value": f'<script><b x="</script><p a=">" {MANY_ATTRIBUTES}>',
    "attributes behind a value far from its sign": f'<p a={" " * 100}">" {MANY_ATTRIBUTES}>',
    "attributes between quoted ends": "<p " + "".join(f'a{number}="x>" b{number} ' for number in range(9_000)) + ">",
    "attributes of a tag in a script": f'<script>if (a <b x="1") {MANY_ATTRIBUTES}',
    "many tags with attributes": "<p a b c d e f g h i j k l m n o p q r s t u v w x y z>" * 13_000,
    "anchors inside of each other": ("<a " + "x" * 500) * 2_000,
    "tags inside of each other": '<p a="' * 200_000,
}  # fmt: skip


@pytest.mark.parametrize("name", HAZARDS)
def test_a_hazard_is_told(name: str) -> None:
    assert not is_harmless(HAZARDS[name].encode())


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<p>A text.",
        "<p>A text.</p>" * 2_000,
        "<p>a <b>bold</b> and <i>slanted</i> text with <a href='/x' class='y'>a link</a></p>" * 100,
        f'<p data-x="{"long > " * 50_000}">A text.',
        "<p>" + "A long text. " * 100_000,
        "<script>" + "if (a<b && c>d) x = '<p>';" * 100 + "</script>",
        "<" * 5_000,
    ],
)
def test_ordinary_markup_is_harmless(html: str) -> None:
    assert is_harmless(html.encode())


def gold_pages() -> Iterator[str]:
    with gzip.open(DATA / "gold" / "articles.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)["html"]


@pytest.mark.skipif(not (DATA / "gold").is_dir(), reason="needs the labelled pages")
def test_of_real_pages_only_a_hundredth_is_written_anew() -> None:
    found = [is_harmless(html.encode()) for html in gold_pages()]
    assert sum(found) >= 0.98 * len(found)
