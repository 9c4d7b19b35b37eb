"""Output of mytool -> figures.

mytool 1.0
write: block 4096, depth 1, 25600 operations in 2.000 s
latency (us): min 20.0, mean 78.0, p50 60.0, p99 180.0, p99.9 420.0, max 900.0
done
"""

from __future__ import annotations

import re

from apps.tools.base import Latency, Measurement, Output, OutputError, Parsed, ToolError
from apps.tools.text import as_text
from apps.tools.values import Parameters

MICROSECOND = 1_000.0  # in ns
_NUMBER = r"\d{1,15}(?:\.\d{1,9})?"
_HEAD = re.compile(r"^mytool (?P<version>\d[\w.]{0,20})$", re.MULTILINE)
_RESULT = re.compile(
    r"^(?P<operation>write|read): block (?P<block>\d{1,10}), depth (?P<depth>\d{1,4}), "
    rf"(?P<operations>\d{{1,15}}) operations in (?P<seconds>{_NUMBER}) s$",
    re.MULTILINE,
)
_LATENCY = re.compile(r"^latency \(us\): (?P<figures>.{1,1000})$", re.MULTILINE)
_FIGURE = re.compile(rf"(?P<name>min|mean|max|p\d{{1,2}}(?:\.\d{{1,4}})?) (?P<value>{_NUMBER})")
_ERROR = re.compile(r"^mytool: (?P<words>.{1,500})$", re.MULTILINE)


def recognises(data: bytes) -> bool:
    """Whether these bytes look like mytool's output."""
    return _HEAD.search(as_text(data[:65_536])) is not None


def parse_output(output: Output) -> Parsed:
    """Raises ToolError where the tool says that it failed, OutputError where nothing can be
    read."""
    text = as_text(output.files.get("stdout", b""))
    head, found = _HEAD.search(text), _RESULT.search(text)
    if head is None or found is None:
        said = _ERROR.search(text + "\n" + as_text(output.files.get("stderr", b"")))
        if said is not None:
            raise ToolError(said["words"])
        raise OutputError("There is no result of mytool in it.")
    return Parsed(
        "mytool",
        "text",
        head["version"],
        (_measurement(found, text),),
        # Whole only where the output proves its own end.
        completeness="whole" if text.endswith("\ndone\n") else "partial",
    )


def _measurement(found: re.Match[str], text: str) -> Measurement:
    operations, seconds = int(found["operations"]), float(found["seconds"])
    block = int(found["block"])
    params: Parameters = {
        "operation": found["operation"],
        "block": block,
        "depth": int(found["depth"]),
        "seconds": round(seconds),
    }
    return Measurement(
        operation=found["operation"],
        # What the tool does not say is None, never 0.
        bandwidth=operations * block / seconds if seconds else None,
        iops=operations / seconds if seconds else None,
        latency=_latency(text),
        params=params,
        values={"operations": operations, "seconds": seconds},
    )


def _latency(text: str) -> Latency:
    line = _LATENCY.search(text)
    pairs = _FIGURE.findall(line["figures"]) if line else []
    figures = {name: float(value) * MICROSECOND for name, value in pairs}
    percentiles = {name[1:]: ns for name, ns in figures.items() if name.startswith("p")}
    return Latency(
        min=figures.get("min"),
        mean=figures.get("mean"),
        max=figures.get("max"),
        percentiles=percentiles,
    )
