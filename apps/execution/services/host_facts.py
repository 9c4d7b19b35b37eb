"""Store the facts of hosts."""

from __future__ import annotations

from django.db import DataError

from apps.inventory.models import Host, HostFacts
from apps.inventory.services import facts_store
from apps.remote.errors import InvalidResponse
from apps.tools.messages import message

# Raised when an answer of an unexpected type is stored.
UNUSABLE = (ValueError, TypeError, LookupError, AttributeError, RecursionError, DataError)


def host_facts_store(host_id: int, data: dict[str, object]) -> HostFacts:
    """Store the facts of a host.

    Raises:
        InvalidResponse: the facts have unexpected types.
    """
    host = Host.objects.get(pk=host_id)
    try:
        return facts_store(host=host, data=data)
    except UNUSABLE as error:
        raise InvalidResponse(
            host.name, message("facts that cannot be stored (%(why)s)", why=str(error))
        ) from error
