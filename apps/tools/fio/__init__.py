"""The fio room: everything benchlab knows about fio."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.base import Output, Parsed, Procedure, Target, TargetKind

from .command import RESULT, procedure
from .params import FioParams, standard_four
from .parser.claims import claims
from .parser.logs.names import LogName, log_name
from .parser.output import parse_output, recognises
from .progress import FioProgress

__all__ = ["TOOL", "Fio", "LogName", "log_name", "standard_four"]


class Fio:
    """The room's face; see `apps.tools.base.Tool`."""

    name = "fio"
    label = "fio"
    parser_version = 6
    params = FioParams
    packages: Mapping[str, str] = {"apt": "fio", "dnf": "fio", "zypper": "fio", "apk": "fio"}
    live_file: str | None = RESULT
    targets: tuple[TargetKind, ...] = ("disk", "directory")
    several = True
    pins = True
    operations = ("read", "write", "trim", "mixed", "sync")

    def recognises(self, data: bytes) -> bool:
        """Whether these bytes look like fio's JSON, text or terse output."""
        return recognises(data)

    def claims(self, line: str) -> bool:
        """Whether only fio writes such a line."""
        return claims(line)

    def procedure(self, params: FioParams, target: Target) -> Procedure:
        """The commands for one case. Raises ParamsError where the parameters do not fit the
        target."""
        return procedure(params, target)

    def parse(self, output: Output) -> Parsed:
        """Read an attempt's files, or an imported file given as "stdout"."""
        return parse_output(output)

    def progress(self) -> FioProgress:
        """A fresh reader of the status documents."""
        return FioProgress()


TOOL = Fio()
