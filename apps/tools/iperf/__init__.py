"""The iperf room: results of iperf 2 and iperf3, imported."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.base import Output, Params, ParamsError, Parsed, Procedure, Target

from .parser.output import parse_output, recognises

__all__ = ["TOOL", "Iperf"]


class Iperf:
    """The room's face; see `apps.tools.base.Tool`."""

    name = "iperf"
    label = "iperf"
    parser_version = 1
    params: type[Params] | None = None
    packages: Mapping[str, str] = {}
    live_file: str | None = None

    def recognises(self, data: bytes) -> bool:
        """Whether these bytes look like iperf's JSON, CSV or text."""
        return recognises(data)

    def procedure(self, params: Params, target: Target) -> Procedure:
        """iperf is imported only. Always raises ParamsError."""
        raise ParamsError({"tool": "Results of iperf can be imported; plans cannot run it."})

    def parse(self, output: Output) -> Parsed:
        """Read an imported file given as "stdout"."""
        return parse_output(output)

    def progress(self) -> None:
        """There are no live figures."""
        return


TOOL = Iperf()
