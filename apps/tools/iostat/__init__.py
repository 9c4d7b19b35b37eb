"""The iostat room: what other people's iostat said. benchlab itself samples the kernel's counters
(`apps.tools.blockstat`), so nothing is run here."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.base import Output, Params, ParamsError, Parsed, Procedure, Target

from .parser.output import parse_output, recognises

__all__ = ["TOOL", "Iostat"]


class Iostat:
    """The room's face; see `apps.tools.base.Tool`."""

    name = "iostat"
    label = "iostat"
    parser_version = 1
    params: type[Params] | None = None
    packages: Mapping[str, str] = {}
    live_file: str | None = None

    def recognises(self, data: bytes) -> bool:
        """Whether these bytes hold a device report of iostat."""
        return recognises(data)

    def procedure(self, params: Params, target: Target) -> Procedure:
        """iostat is not run. Always raises ParamsError."""
        raise ParamsError({"tool": "iostat is imported only: benchlab watches the devices itself."})

    def parse(self, output: Output) -> Parsed:
        """Read an imported file given as "stdout"."""
        return parse_output(output)

    def progress(self) -> None:
        """There are no live figures."""
        return


TOOL = Iostat()
