"""The judge of an unfocused crawl: every page belongs."""

from opilio.core.items import Opinion, Page, Verdict

from .seam import Judge

_VERDICT = Verdict(1.0, belongs=True, opinions=(Opinion("everything", 1.0, "every page belongs"),))


class Everything(Judge):
    def judge(self, page: Page) -> Verdict:  # noqa: ARG002
        return _VERDICT
