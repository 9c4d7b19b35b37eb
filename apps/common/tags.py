"""Tags as people type them: words with spaces or commas between them."""

from __future__ import annotations

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

TAG = re.compile(r"[A-Za-z0-9_-]{1,40}")


def tags_typed(text: str) -> list[str]:
    """The tags in a text, each once. Raises ValidationError."""
    words = [word for word in re.split(r"[\s,]+", text) if word]
    wrong = [word for word in words if not TAG.fullmatch(word)]
    if wrong:
        raise ValidationError(
            _("A tag has up to 40 letters, digits, dashes and underscores: %(tag)s"),
            params={"tag": wrong[0]},
        )
    return sorted(set(words))
