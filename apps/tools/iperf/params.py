"""Parameters of iperf3 and iperf 2 in a plan; the terms are those of iperf3(1) and iperf(1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from apps.tools.fields import Field, Part
from apps.tools.messages import message
from apps.tools.plugin_params import PluginParams
from apps.tools.values import Parameters

from .fields import FIELDS, HOST
from .label import label_parts

PORTS = {"iperf3": 5201, "iperf2": 5001}
MBIT = 1_000_000
# Maximum payload of a UDP datagram over IPv4 (RFC 768, RFC 791).
MAX_DATAGRAM = 65_507


@dataclass(frozen=True)
class IperfParams(PluginParams):
    """Parameters of one network test.

    Sizes in bytes, times in seconds, `rate` in Mbit/s for each stream.
    """

    table: ClassVar[Mapping[str, Field]] = FIELDS

    program: str = "iperf3"
    protocol: str = "tcp"
    direction: str = "forward"
    seconds: int = 10
    streams: int = 1
    rate: int | None = None
    omit: int = 0
    window: int | None = None
    length: int | None = None
    mss: int | None = None
    congestion: str = HOST
    no_delay: bool = False
    zero_copy: bool = False
    port: int | None = None

    @property
    def listens_on(self) -> int:
        """Return the server's port: the plan's, or the program's default."""
        return self.port or PORTS[self.program]

    @property
    def bits(self) -> int | None:
        """Return the rate limit of each stream in bits/s; None if unlimited."""
        return None if self.rate is None else self.rate * MBIT

    @classmethod
    def parts_of(cls, known: Parameters) -> tuple[Part, ...]:
        """Return the label, such as "iperf3 TCP forward, 4 streams"."""
        return tuple(label_parts(known))

    def contradictions(self) -> dict[str, str]:
        """Return parameters that contradict each other: name -> sentence."""
        of_program = self._not_of_iperf2() if self.program == "iperf2" else {}
        return {**(self._not_of_udp() if self.protocol == "udp" else {}), **of_program}

    def _not_of_udp(self) -> dict[str, str]:
        errors: dict[str, str] = {
            name: message("Only TCP has this.")
            for name in ("mss", "congestion", "no_delay", "zero_copy")
            if getattr(self, name) not in (None, False, HOST)
        }
        if self.rate is None:
            errors["rate"] = message("UDP needs a rate: without one both programs send 1 Mbit/s.")
        if self.length is not None and self.length > MAX_DATAGRAM:
            errors["length"] = message(
                "A datagram carries %(limit)d bytes at most.", limit=MAX_DATAGRAM
            )
        return errors

    def _not_of_iperf2(self) -> dict[str, str]:
        errors = {
            name: "iperf 2 cannot do this; choose iperf3."
            for name in ("omit", "zero_copy")
            if getattr(self, name)
        }
        if self.rate == 0:
            errors["rate"] = message(
                "iperf 2 needs a rate above 0; only iperf3 reads 0 as unlimited."
            )
        return errors
