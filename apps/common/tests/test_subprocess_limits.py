"""Failed allocations of a limited process, whatever raises them."""

from __future__ import annotations

import errno

import pytest

from apps.common.subprocess_limits import is_out_of_memory


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OSError(errno.ENOMEM, "Cannot allocate memory", "apps/blobs"), True),
        (RuntimeError("can't start new thread"), True),
        (ValueError("libpq: not enough memory"), True),
        (OSError(errno.ENOENT, "No such file", "apps/blobs"), False),
        (ValueError("no number"), False),
    ],
)
def test_failed_allocation_by_error(error: Exception, expected: bool) -> None:
    assert is_out_of_memory(error) is expected
