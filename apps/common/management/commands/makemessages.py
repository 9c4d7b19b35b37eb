"""`manage.py makemessages`: Django's command, which also extracts stored messages."""

from __future__ import annotations

from django.core.management.commands import makemessages

KEYWORDS = (
    *("--keyword=message", "--keyword=plural_message:1,2"),
    *("--keyword=lazy", "--keyword=_lazy"),
)
"""Names that mark text: gettext_noop for apps.tools.messages, and aliases of gettext_lazy."""


class Command(makemessages.Command):
    xgettext_options = [*makemessages.Command.xgettext_options, *KEYWORDS]
