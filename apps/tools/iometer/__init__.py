"""The IOMeter room: results of a Windows tool, which benchlab keeps and compares but does not
run."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.base import Output, Params, ParamsError, Parsed, Procedure, Target

from .parser.output import parse_output, recognises

__all__ = ["TOOL", "Iometer"]


class Iometer:
    """The room's face; see `apps.tools.base.Tool`."""

    name = "iometer"
    label = "IOMeter"
    parser_version = 1
    params: type[Params] | None = None
    packages: Mapping[str, str] = {}
    live_file: str | None = None

    def recognises(self, data: bytes) -> bool:
        """Whether these bytes look like IOMeter's results file."""
        return recognises(data)

    def procedure(self, params: Params, target: Target) -> Procedure:
        """Raises ParamsError: this room only imports."""
        raise ParamsError({"": "benchlab reads results of IOMeter; it does not run it."})

    def parse(self, output: Output) -> Parsed:
        """Read an imported file given as "stdout"."""
        return parse_output(output)

    def progress(self) -> None:
        """There are no live figures."""


TOOL = Iometer()
