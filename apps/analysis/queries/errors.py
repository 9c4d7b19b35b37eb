"""The error of an invalid query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _

from apps.common.errors import ServiceError


def query_error(errors: Mapping[str, Iterable[object]]) -> ServiceError:
    """Return the error (400) of a query, which names each invalid filter and the reason."""
    fields = {name: [str(text) for text in texts] for name, texts in errors.items()}
    texts = [
        _("Invalid filter %(name)s: %(reason)s") % {"name": name, "reason": " ".join(reasons)}
        for name, reasons in fields.items()
    ]
    return ServiceError(" ".join(texts), dict(fields), status=400)
