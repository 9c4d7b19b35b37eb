"""Raw parameters as the text of inputs, and back."""

from __future__ import annotations

from typing import Any

import pytest

from apps.plans.domain.expand import step_params
from apps.plans.domain.param_text import (
    as_choices,
    defaults,
    fields_of,
    format_param,
    from_choices,
    parse_param,
    settled,
)
from apps.plans.schemas.plan import StepSpec
from apps.tools.registry import TOOLS

FIELDS = fields_of("fio")


@pytest.mark.parametrize(
    ("name", "raw", "text"),
    [
        ("bs", 4096, "4k"),
        ("bs", [4096, 4194304, "16k"], "4k, 4M, 16k"),
        ("size", 1024**3, "1G"),
        ("size", 1000, "1000"),
        ("size", None, ""),
        ("iodepth", [1, 4], "1, 4"),
        ("cpus_allowed", ["0-3", "4-7"], "0-3; 4-7"),
        ("rate_iops", [None, 1000], "not set, 1000"),
    ],
)
def test_as_text(name: str, raw: Any, text: str) -> None:
    assert format_param(FIELDS[name], raw) == text


@pytest.mark.parametrize(
    ("name", "text", "raw"),
    [
        ("bs", " 4k ", "4k"),
        ("bs", "4k, 16k,", ["4k", "16k"]),
        ("size", "", None),
        ("iodepth", "", ""),
        ("cpus_allowed", "0-3,8", "0-3,8"),
        ("cpus_allowed", "0-3,8; 4", ["0-3,8", "4"]),
        ("rate_iops", "not set, 1000", [None, "1000"]),
        ("iodepth", "not set, 4", ["not set", "4"]),
    ],
)
def test_from_text(name: str, text: str, raw: Any) -> None:
    assert parse_param(FIELDS[name], text) == raw


def test_choices_and_flags_go_there_and_back() -> None:
    assert as_choices([True, False]) == ["true", "false"]
    assert as_choices(True) == ["true"]
    assert as_choices("read,randread") == ["read", "randread"]
    assert from_choices(["read"]) == "read"
    assert from_choices(["true", "false"]) == ["true", "false"]


def test_the_form_of_the_defaults_is_the_default_workload() -> None:
    usual = defaults("fio")
    texts = {
        name: from_choices(as_choices(usual[name]))
        if field.kind in ("choice", "flag")
        else parse_param(field, format_param(field, usual[name]))
        for name, field in FIELDS.items()
    }
    (point,) = step_params(StepSpec("fio", texts))
    (plain,) = step_params(StepSpec("fio", {}))
    assert point == plain


def test_only_what_differs_from_the_usual_is_shown() -> None:
    step = StepSpec("fio", {"bs": "4k", "size": "1 GiB", "iodepth": "128", "runtime": "5m"})
    assert settled(step) == []
    step = StepSpec("fio", {"bs": "8k", "iodepth": [1, 2], "direct": False})
    assert [(field.label, text) for field, text in settled(step)] == [
        ("Block size", "8k"),
        ("Queue depth", "1, 2"),
        ("Direct I/O", "false"),
    ]


def test_a_tool_nobody_knows_has_no_parameters() -> None:
    assert fields_of("nonsense") == {}
    assert defaults("nonsense") == {}


@pytest.mark.parametrize("name", [plugin.name for plugin in TOOLS.values() if plugin.params])
def test_a_step_that_was_just_added_can_be_saved(name: str) -> None:
    """The form's values of a new step are what the tool takes."""
    usual = {
        key: format_param(field, defaults(name)[key]) for key, field in fields_of(name).items()
    }
    wrong = {key: text for key, text in usual.items() if not text and not _may_be_empty(name, key)}
    assert wrong == {}


def _may_be_empty(tool: str, name: str) -> bool:
    return fields_of(tool)[name].optional
