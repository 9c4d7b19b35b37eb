"""The hints that would have gone to the worker."""

from __future__ import annotations

import pytest


@pytest.fixture
def hints(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Collects (task, id) instead of sending; look at it inside
    `django_capture_on_commit_callbacks`."""
    sent: list[tuple[str, int]] = []
    monkeypatch.setattr(
        "apps.inventory.services.asking.send", lambda name, *ids: sent.append((name, *ids))
    )
    return sent
