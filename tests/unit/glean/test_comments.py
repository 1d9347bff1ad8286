"""Comments of readers, one by one, with author and date where the page marks them."""

from opilio.core.items import Comment
from opilio.glean.comments import find_comments
from opilio.glean.tree import parse

TEXT = "I crossed it yesterday with my bicycle and it was steep."


def found(html: str) -> tuple[Comment, ...]:
    return find_comments(parse(html))


def test_author_and_date_are_told_from_the_text() -> None:
    html = (
        '<ol class="commentlist"><li class="comment" id="comment-7"><cite class="fn">Eva</cite> <span class="says">says:</span>'
        f'<time datetime="2020-05-03T10:00">3 May</time><p>{TEXT}</p><p>Never again!</p>'
        '<div class="reply"><a href="#">Reply</a></div></li>'
        '<li class="comment" id="comment-8"><cite class="fn">Uwe</cite>'
        f'<div class="comment-meta"><a href="#8">October 29, 2012 at 12:41 pm</a></div><p>{TEXT}</p></li></ol>'
    )
    assert found(html) == (
        Comment(f"{TEXT}\nNever again!", "Eva", "2020-05-03T10:00"),
        Comment(TEXT, "Uwe", "October 29, 2012 at 12:41 pm"),
    )


def test_an_answer_is_a_comment_of_its_own() -> None:
    html = (
        f'<div id="comments"><div class="comment"><p>{TEXT}</p><div class="comment"><p>So did I, twice.</p></div></div>'
        f'<div class="comment"><p>{TEXT}</p></div></div>'
    )
    assert [comment.text for comment in found(html)] == [TEXT, "So did I, twice.", TEXT]


def test_a_form_or_a_count_is_not_a_comment() -> None:
    form = '<div id="respond"><form class="comment-form">Your comment here</form></div>'
    html = f'<p>Text</p><a class="comments-link">12 comments</a>{form}'
    assert found(html) == ()


def test_class_names_of_the_whole_page_say_nothing() -> None:
    assert found(f'<body class="comments-open"><div class="post">{TEXT}</div><div class="post">{TEXT}</div>') == ()
