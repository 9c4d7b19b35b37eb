"""The rados room: everything benchlab knows about `rados bench`. It reads results; it runs nothing
yet, as a plan cannot name a Ceph pool."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.base import Output, Params, ParamsError, Parsed, Procedure, Target

from .parser.output import parse_output, recognises

__all__ = ["TOOL", "Rados"]


class Rados:
    """The room's face; see `apps.tools.base.Tool`."""

    name = "rados"
    label = "rados bench"
    parser_version = 1
    params: type[Params] | None = None
    packages: Mapping[str, str] = {}
    live_file: str | None = None

    def recognises(self, data: bytes) -> bool:
        """Whether these bytes look like `rados bench`, or like a ceph.conf (which `parse` refuses
        with a sentence that says where it belongs)."""
        return recognises(data)

    def procedure(self, params: Params, target: Target) -> Procedure:
        """Raises ParamsError: this room only imports."""
        raise ParamsError({"": "benchlab reads results of rados bench; it does not run it yet."})

    def parse(self, output: Output) -> Parsed:
        """Read an imported file given as "stdout"."""
        return parse_output(output)

    def progress(self) -> None:
        """There are no live figures."""


TOOL = Rados()
