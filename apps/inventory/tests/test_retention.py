"""Retention of host facts."""

from __future__ import annotations

import pytest

from apps.inventory.models import HostFacts
from apps.inventory.services.retention import MAX_ROWS
from apps.inventory.tasks import retention
from apps.inventory.tests.factories import create_facts, create_host


@pytest.mark.django_db
def test_newest_unreferenced_facts_of_each_host_and_facts_in_use_stay() -> None:
    host, other = create_host(), create_host()
    create_facts(host, kernel="in use")
    facts = host.facts
    assert facts is not None
    rows = [HostFacts(host=host, digest=str(n), facts={}) for n in range(MAX_ROWS + 3)]
    HostFacts.objects.bulk_create(rows)
    create_facts(other)

    retention()

    assert other.facts_history.count() == 1
    digests = set(host.facts_history.exclude(pk=facts.pk).values_list("digest", flat=True))
    assert digests == {str(n) for n in range(3, MAX_ROWS + 3)}
    assert host.facts_history.filter(pk=facts.pk).exists()
