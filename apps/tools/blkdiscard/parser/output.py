"""Parse the line that the agent's `@discard` prints (docs/development/agent.md)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from apps.tools.errors import OutputError, ToolError
from apps.tools.parse_result import Measurement, Output, Parsed
from apps.tools.values import Values

NOT_SECURE = "The disk offers no secure discard: an ordinary one was done."

Whole = Annotated[int, msgspec.Meta(ge=0, le=1 << 62)]


class _Discard(msgspec.Struct):
    disks: Whole
    bytes: Whole
    seconds: Annotated[float, msgspec.Meta(ge=0, le=1e9)]
    secure: bool
    requested_secure: bool


class _Line(msgspec.Struct):
    discard: _Discard


def parse_output(output: Output) -> Parsed:
    """Parse the bytes and seconds of a discard.

    Raises: ToolError or OutputError.
    """
    text = output.files.get("stdout", b"").strip()
    stderr = output.files.get("stderr", b"").decode(errors="replace").strip()
    if output.exit_code:
        raise ToolError(stderr[:2_000] or f"The discard ended with exit code {output.exit_code}.")
    try:
        discard = msgspec.json.decode(text, type=_Line).discard
    except (msgspec.DecodeError, RecursionError) as error:
        raise OutputError("There is no line that says what was discarded.") from error
    rate = discard.bytes / discard.seconds if discard.seconds else None
    values: Values = {"bytes": discard.bytes, "seconds": discard.seconds, "secure": discard.secure}
    warnings = (NOT_SECURE,) if discard.requested_secure and not discard.secure else ()
    return Parsed(
        tool="blkdiscard",
        format="agent",
        version=None,
        measurements=(Measurement("trim", bandwidth=rate, iops=None, values=values),),
        warnings=warnings,
    )
