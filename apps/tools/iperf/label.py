"""Label of an iperf test, from all or some of its parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from apps.tools.fields import Part
from apps.tools.messages import message
from apps.tools.translation import gettext_noop as _
from apps.tools.values import Parameters
from apps.tools.workload_naming import flags, operation_part, several, size_part

from .fields import HOST


def label_parts(known: Parameters) -> Iterator[Part]:
    """Yield the parts of a label such as "iperf3 UDP reverse, 4 streams, 500 Mbit/s"."""
    for index, part in enumerate(_program_and_protocol(known)):
        yield replace(part, close=index > 0)
    yield from several(known, "streams", _("%(count)s streams"))
    rate = known.get("rate")
    if rate is not None:
        yield Part("rate", rate, f"{rate} Mbit/s" if rate else message("unlimited"))
    yield from _socket(known)
    yield from flags(known, zero_copy=_("zero-copy"))


def _program_and_protocol(known: Parameters) -> Iterator[Part]:
    if known.get("program"):
        yield Part("program", known["program"], str(known["program"]))
    if known.get("protocol"):
        yield Part("protocol", known["protocol"], str(known["protocol"]).upper())
    yield from operation_part(known, {}, "direction")


def _socket(known: Parameters) -> Iterator[Part]:
    for name in ("window", "length"):
        if known.get(name):
            yield from size_part(known, name, name + " %(size)s")
    if known.get("mss"):
        yield Part("mss", known["mss"], f"MSS {known['mss']}")
    if known.get("congestion") not in (None, HOST):
        yield Part("congestion", known["congestion"], str(known["congestion"]))
