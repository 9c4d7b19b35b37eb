"""Every kind of error has a sentence that names the host and says what to do."""

from __future__ import annotations

from typing import get_args

import pytest

from apps.remote.errors import MESSAGES, AgentCommandError, ErrorKind, HostError, host_error


@pytest.mark.parametrize("kind", get_args(ErrorKind))
def test_every_kind_has_its_sentence(kind: ErrorKind) -> None:
    error = host_error(kind, "root@node1:22", "what happened.")
    assert error.kind == kind
    assert "root@node1:22" in str(error)
    assert error.message.endswith((".", ")."))
    assert ".." not in error.message


def test_no_sentence_is_without_a_kind() -> None:
    assert set(MESSAGES) == set(get_args(ErrorKind))


def test_agent_error_has_its_code() -> None:
    error = AgentCommandError("node1", "absent", "There is no such attempt.")
    assert isinstance(error, HostError)
    assert (error.kind, error.error) == ("agent", "absent")
    assert error.message == "The agent on node1 failed: There is no such attempt."
