"""`manage.py makemessages`: as Django's, and finds the messages of stored sentences too."""

from __future__ import annotations

from django.core.management.commands import makemessages

KEYWORDS = (
    *("--keyword=sentence", "--keyword=counted:1,2"),
    *("--keyword=lazy", "--keyword=_lazy"),
)
"""apps.tools.sentences, where `sentence(NAME)` has its message marked with gettext_noop; and the
names under which modules import gettext_lazy beside gettext.
"""


class Command(makemessages.Command):
    xgettext_options = [*makemessages.Command.xgettext_options, *KEYWORDS]
