"""`manage.py makemessages`: Django's command, which also extracts stored and composed messages.

Without places in the code, which would change with every commit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.core.management.commands import makemessages

from apps.tools.metrics import METRICS
from apps.tools.registry import TOOLS

KEYWORDS = (
    *("--keyword=message", "--keyword=plural_message:1,2"),
    *("--keyword=lazy", "--keyword=_lazy"),
)
"""Names that mark text: gettext_noop for apps.tools.messages, and aliases of gettext_lazy."""


WORD = re.compile(r"[a-z]{3}")


class Command(makemessages.Command):
    xgettext_options = [*makemessages.Command.xgettext_options, *KEYWORDS]

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(all=True, no_location=True, no_wrap=True, no_obsolete=True)
        parser.set_defaults(ignore_patterns=["tests", "agent_tests", "var"])

    def handle(self, *args: Any, **options: Any) -> None:
        source = Path("composed_texts.py")
        lines = [f"# xgettext:no-python-format\n_({text!r})\n" for text in composed_texts()]
        source.write_text("".join(lines), "utf-8")
        try:
            super().handle(*args, **options)
        finally:
            source.unlink()


def composed_texts() -> list[str]:
    """Return the texts of tables that are no literals: labels of metrics, help of options."""
    texts = {*_metric_texts(), *_tool_texts()}
    return sorted(text for text in texts if WORD.search(text))


def _metric_texts() -> Iterator[str]:
    for metric in METRICS.values():
        yield from (metric.label, metric.short, metric.statistic, metric.unit)


def _tool_texts() -> Iterator[str]:
    for tool in TOOLS.values():
        yield from (template.name for template in tool.templates.values())
        yield from (load.name for load in tool.loads.values())
        fields = tool.params.fields() if tool.params else {}
        yield from (field.help for field in fields.values())
