"""Names that benchlab gives to tunings: stored in English, shown in the reader's language."""

from __future__ import annotations

import pytest
from django.utils import translation

from apps.tuning.domain.baseline import (
    HOST_DEFAULTS,
    NOT_STATED,
    default_baseline,
    stored_tuning_name,
    tuning_key,
    tuning_label,
    tuning_message,
)

LANGUAGE = "zh-hans"


@pytest.mark.parametrize("name", [HOST_DEFAULTS, "mine"])
def test_entered_label_is_stored_as_its_name(name: str) -> None:
    with translation.override(LANGUAGE):
        assert stored_tuning_name(tuning_label(name)) == name
        assert (tuning_label(name) == name) is (name == "mine")


def test_host_defaults_are_first_in_every_language() -> None:
    with translation.override(LANGUAGE):
        names = sorted(["a", tuning_label(HOST_DEFAULTS)], key=tuning_key)
        assert names == [tuning_label(HOST_DEFAULTS), "a"]
    assert default_baseline(["a", HOST_DEFAULTS]) == 1


def test_message_has_the_english_name() -> None:
    with translation.override(LANGUAGE):
        assert [tuning_message(name) for name in (HOST_DEFAULTS, NOT_STATED, "a")] == [
            HOST_DEFAULTS, NOT_STATED, "a",
        ]  # fmt: skip
