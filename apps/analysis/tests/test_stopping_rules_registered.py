"""The rules that the app registers by name exist."""

from __future__ import annotations

import pytest
from django.utils.module_loading import import_string

from apps.analysis.apps import RULES


@pytest.mark.parametrize("path", RULES)
def test_registered_rule_can_be_imported(path: str) -> None:
    assert import_string(path).name
