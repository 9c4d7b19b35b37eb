"""A discard as a test: its command, and what is said of it."""

from __future__ import annotations

import pytest

from apps.tools.blkdiscard import TOOL
from apps.tools.blkdiscard.params import DiscardParams
from apps.tools.errors import ToolError
from apps.tools.parse_result import Output
from apps.tools.targets import ToolTarget

DISK = ToolTarget("disk", "serial:x", 10 * 1024**3)


def test_it_destroys_without_writing_a_byte() -> None:
    found = TOOL.build_procedure(DiscardParams(), DISK)
    assert [command.argv for command in found.commands] == [("@discard",)]
    assert found.writes
    assert found.bytes_written == 0
    assert found.seconds == 2.0


def test_secure_option_is_requested() -> None:
    found = TOOL.build_procedure(DiscardParams(secure=True), DISK)
    assert found.commands[0].argv == ("@discard", "secure")


def test_a_device_without_discard_is_the_tools_failure() -> None:
    said = b"/dev/sda offers no discard (Operation not supported), so nothing can be given back.\n"
    with pytest.raises(ToolError, match="offers no discard"):
        TOOL.parse(Output({"stdout": b"", "stderr": said}, exit_code=1))
