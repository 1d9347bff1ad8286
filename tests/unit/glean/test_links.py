"""Links: resolved, canonical, merged by target, with their surroundings."""

import msgspec
import pytest

from opilio.core.items import Link, Page, Place
from opilio.core.limits import Limits
from opilio.core.url import Url, parse
from opilio.glean import glean


def page_of(html: str, address: str = "http://h.example/dir/page.html", limits: Limits | None = None) -> Page:
    url = parse(address)
    assert isinstance(url, Url)
    page = glean(url, 0, (("Content-Type", "text/html"),), html.encode(), limits or Limits())
    assert isinstance(page, Page)
    return page


def only_link(html: str) -> Link:
    (link,) = page_of(html).links
    return link


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("other.html", "http://h.example/dir/other.html"),
        ("../up?a=1#frag", "http://h.example/up?a=1"),
        ("/root", "http://h.example/root"),
        ("//b.example", "http://b.example/"),
        ("?q=1", "http://h.example/dir/page.html?q=1"),
        (" https://USER:pw@C.example:443/%7euser ", "https://c.example/~user"),
        ("\t/tab\n", "http://h.example/tab"),
    ],
)
def test_href_is_resolved_and_canonical(href: str, target: str) -> None:
    assert only_link(f'<a href="{href}">x</a>').url == target


def test_base_element_moves_relative_links() -> None:
    assert only_link("<base href='//b.example/x/y'><a href=z>z</a>").url == "http://b.example/x/z"
    assert only_link("<base href='mailto:x'><a href=z>z</a>").url == "http://h.example/dir/z"


def test_query_in_the_base_does_not_mislead_relative_links() -> None:
    page = page_of("<a href=z>z</a>", "http://h.example/dir/page.html?back=/other/place")
    assert page.links[0].url == "http://h.example/dir/z"


def test_refused_hrefs_are_counted_by_drop() -> None:
    page = page_of(
        "<a href='javascript:x()'>a</a><a href=mailto:y@z>b</a><a href='http://:80:x/'>c</a><a href=ok>d</a>"
    )
    assert page.refused_links == {"scheme": 2, "malformed_url": 1}
    assert len(page.links) == 1


def test_fragments_and_the_page_itself_are_no_links() -> None:
    page = page_of(
        "<a href='#top'>t</a><a href=page.html>s</a><a href='page.html#x'>f</a><a>no href</a><a href=''>e</a>"
    )
    assert page.links == ()
    assert page.refused_links == {}


def test_same_target_is_one_link_with_its_sightings_counted() -> None:
    page = page_of("<p><a href=/a>x</a> <a href=/b>b</a> <a href='/a#f'>a longer anchor</a> <a href=/a>y</a>")
    assert [(link.url[-1], link.times, link.anchor, link.position) for link in page.links] == [
        ("a", 3, "a longer anchor", 0),
        ("b", 1, "b", 1),
    ]


def test_sighting_in_the_text_is_preferred_to_the_menu() -> None:
    prose = (
        "It walks on eight thin legs and feels its way with the second pair, as all of its kind do, day and night. " * 3
    )
    page = page_of(
        f"<div class=menu><ul><li><a href=/a>A long anchor in the menu</a><li><a href=/c>C</a></ul></div>"
        f"<div class=article><p>{prose}<p>{prose} see <a href=/a>there</a>.<p>{prose}</div>"
    )
    link = page.links[0]
    assert (link.anchor, link.times) == ("there", 2)
    assert link.also == (Place(0, "html body div.menu ul li a"),)
    assert link.boilerplate == page.blocks[link.block].boilerplate < 0.5 < page.links[1].boilerplate


def test_each_place_of_a_link_is_kept_once() -> None:
    menu = "<ul class=menu><li><a rel=Home href=/a>a</a></ul>"
    link = only_link(f"<p>one <a href=/a>a</a> two <a href=/a>a</a></p><p><a href=/a>a</a></p>{menu}{menu}")
    assert link.times == 5
    assert {(place.block, place.path, place.rel) for place in (Place(link.block, link.path, link.rel), *link.also)} == {
        (0, "html body p a", ""),
        (1, "html body p a", ""),
        (2, "html body ul.menu li a", "home"),
        (3, "html body ul.menu li a", "home"),
    }


def test_a_link_that_stands_everywhere_keeps_a_few_places_first_those_of_another_kind() -> None:
    link = only_link("<p><a href=/a>a</a></p>" * 500 + "<ul><li><a href=/a>a</a></ul><h2><a href=/a>a</a></h2>")
    assert link.times == 502
    assert [place.path for place in link.also] == ["html body ul li a", "html body h2 a", "html body p a"]


def test_context_is_ten_words_on_each_side_in_the_block() -> None:
    words = " ".join(f"w{n}" for n in range(30))
    link = only_link(f"<p>outside<p>{words} <a href=/x>the <b>anchor</b></a>, {words}<p>outside")
    assert link.before == " ".join(f"w{n}" for n in range(20, 30))
    assert link.anchor == "the anchor"
    assert link.after == ", " + " ".join(f"w{n}" for n in range(9))


def test_anchor_around_blocks_takes_their_text() -> None:
    link = only_link("<p>before</p><a href=/x><h3>Head</h3><p>line <i>two</i></p></a><p>after</p>")
    assert link.anchor == "Head line two"
    assert link.block == 1


def test_area_and_image_give_their_alternative_text() -> None:
    page = page_of(
        "<map><area href=/a alt='the north'></map><a href=/b><img alt=' a  picture '></a><a href=/c><img alt=no>yes</a>"
    )
    assert [link.anchor for link in page.links] == ["the north", "a picture", "yes"]


def test_attributes_and_path_are_kept() -> None:
    link = only_link(
        "<div id=nav class='menu top'><ul><li id=item7><a rel='NoFollow ugc' hreflang=de href=/x class=ext>x</a>"
    )
    assert (link.rel, link.hreflang) == ("nofollow ugc", "de")
    assert link.path == "html body div#nav.menu ul li a.ext"


def test_path_keeps_the_innermost_twelve() -> None:
    assert only_link("<div>" * 30 + "<a href=/x>x</a>").path == " ".join(["div"] * 11 + ["a"])


def test_link_cap_keeps_the_first_and_flags() -> None:
    page = page_of("".join(f"<a href=/{n}>x</a>" for n in range(50)), limits=Limits(links_per_page=10))
    assert [link.url for link in page.links] == [f"http://h.example/{n}" for n in range(10)]
    assert page.truncated


def test_positions_count_in_document_order() -> None:
    assert [link.position for link in page_of("".join(f"<p><a href=/{n}>x</a>" for n in range(5))).links] == list(
        range(5)
    )


def test_without_context_only_surroundings_and_path_are_left_out() -> None:
    html = "<nav class=top><a rel=next hreflang=de href=/a>One</a></nav><p>Words before <a href=/b>two</a> words after.</p>"
    html += "<ul><li><a href=/b>two</a></ul>"
    url = parse("http://h.example/dir/page.html")
    assert isinstance(url, Url)
    full = glean(url, 0, (), html.encode(), Limits())
    bare = glean(url, 0, (), html.encode(), Limits(), context=False)
    assert isinstance(full, Page)
    assert isinstance(bare, Page)
    assert full.links[1].before == "Words before"
    assert full.links[1].after == "words after."
    assert full.links[0].path == "html body nav.top a"
    assert full.links[1].also
    stripped = tuple(msgspec.structs.replace(link, before="", after="", path="", also=()) for link in full.links)
    assert bare == msgspec.structs.replace(full, links=stripped)


def test_link_over_several_blocks_keeps_its_offsets_where_a_run_is_blank() -> None:
    link, other = page_of(
        "<div><a href=/a><p>First</p><p>&#32;<b></b></p><p>second</p>third</a> rest <a href=/b>b</a></div>"
    ).links
    assert link.anchor == "First second third"
    assert other.before == "third rest"
    assert other.anchor == "b"
