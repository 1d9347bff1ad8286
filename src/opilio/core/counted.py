"""A number with its noun, as people write them: "1 page", "2,000 pages"."""


def counted(number: int, noun: str) -> str:
    """`noun` is in the singular, and takes an s."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
