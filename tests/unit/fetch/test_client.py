import opilio.fetch


def test_public_names_are_these() -> None:
    assert sorted(opilio.fetch.__all__) == [
        "Answer",
        "Fetcher",
        "HttpFetcher",
        "ROBOTS_SCHEMA",
        "Resolver",
        "RobotsCache",
        "Rules",
        "allow_all",
        "decode",
        "decode_start",
        "disallow_all",
        "fetch_robots",
        "is_public",
        "is_web_port",
        "parse_rules",
        "read_answer",
        "retry_after_s",
        "rules_for",
        "stored_rules",
        "text_headers",
    ]
    assert all(hasattr(opilio.fetch, name) for name in opilio.fetch.__all__)
