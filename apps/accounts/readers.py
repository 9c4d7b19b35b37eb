"""Text for a user who is not the one of the request, such as the owner of an alert."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.utils import translation

from apps.accounts.models import User
from apps.common.domain.preferences import USUAL, preferred


@contextmanager
def text_for(user: User | None) -> Iterator[None]:
    """Activate the language, units and time zone of a user; the defaults without a user."""
    wanted = user.preferences if user else USUAL
    with translation.override(wanted.language or settings.LANGUAGE_CODE), preferred(wanted):
        yield
