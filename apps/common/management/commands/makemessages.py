"""`manage.py makemessages`: Django's command, which also extracts stored messages.

Without places in the code, which would change with every commit.
"""

from __future__ import annotations

from django.core.management.base import CommandParser
from django.core.management.commands import makemessages

KEYWORDS = (
    *("--keyword=message", "--keyword=plural_message:1,2"),
    *("--keyword=lazy", "--keyword=_lazy"),
)
"""Names that mark text: gettext_noop for apps.tools.messages, and aliases of gettext_lazy."""


class Command(makemessages.Command):
    xgettext_options = [*makemessages.Command.xgettext_options, *KEYWORDS]

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(all=True, no_location=True, no_wrap=True, no_obsolete=True)
        parser.set_defaults(ignore_patterns=["tests", "agent_tests", "var"])
