"""Steps from a pasted job file or command line.

fio's defaults that differ from benchlab's are written into the step, so that nothing changes
silently.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from apps.tools.errors import ParamsError
from apps.tools.fio.options.catalog import aliases
from apps.tools.fio.options.excluded import LEFT, REFUSED
from apps.tools.fio.options.newer import NVME
from apps.tools.fio.options.versions import versions
from apps.tools.fio.params import READ_ONLY, SYNCHRONOUS, SYNCS, FioParams
from apps.tools.messages import as_message, error_message, message
from apps.tools.pasted_commands.call import CommandNote, NoteKind
from apps.tools.values import RawValue

from .text import Option, Section
from .values import read_value, sizes_by_operation

# fio's defaults (fio(1); `fio --cmdhelp=NAME`).
DEFAULTS: dict[str, RawValue] = {
    "rw": "read",
    "bs": 4096,
    "size": None,
    "offset": 0,
    "ioengine": "psync",
    "iodepth": 1,
    "numjobs": 1,
    "thread": False,
    "direct": False,
    "runtime": 0,
    "time_based": False,
    "ramp_time": 0,
    "rwmixread": 50,
    "refill_buffers": False,
    "norandommap": False,
    "randrepeat": True,
    "group_reporting": False,
    "invalidate": True,
    "loops": 1,
}


@dataclass
class SectionReading:
    """State of the parse of one section."""

    section: Section
    params: dict[str, RawValue] = field(default_factory=lambda: dict(DEFAULTS))
    notes: list[CommandNote] = field(default_factory=list)
    kb_base: int = 1024

    def note(self, kind: NoteKind, option: str, text: str) -> None:
        translated = as_message(text) if text else ""
        self.notes.append(CommandNote(kind, option, translated))

    @property
    def refused(self) -> bool:
        return any(each.kind == "refused" for each in self.notes)


def read_sections(sections: Sequence[Section]) -> list[SectionReading]:
    """Return each section as a test, with notes on its options."""
    return [reading for group in _groups(sections) for reading in _read_group(group)]


def _groups(sections: Sequence[Section]) -> Iterator[list[Section]]:
    """Yield sections that fio runs together; each stonewall starts a group."""
    group: list[Section] = []
    for section in sections:
        waits = any(_canonical(o.name) == "stonewall" and o.value != "0" for o in section.options)
        if group and waits:
            yield group
            group = []
        group.append(section)
    yield group


def _read_group(group: Sequence[Section]) -> Iterator[SectionReading]:
    for section in group:
        reading = _read(section)
        others = ", ".join(f"[{each.name}]" for each in group if each is not section)
        if others:
            reading.note(
                "refused",
                "",
                message(
                    "In fio this runs at the same time as %(others)s, as one test of several jobs, "
                    "which a step is not. With stonewall in each of them they are steps, one after "
                    "another.",
                    others=others,
                ),
            )
        yield reading


def _read(section: Section) -> SectionReading:
    reading = SectionReading(section, kb_base=_kb_base(section))
    if not section.options:
        reading.note("refused", "", message("This section has no option, so it describes no test."))
    # The last value of an option applies.
    last = {_canonical(option.name): option for option in section.options}
    for name, option in last.items():
        _read_option(reading, name, option)
    if not reading.refused:
        _apply_corrections(reading)
        _validate(reading)
    return reading


def _read_option(reading: SectionReading, name: str, option: Option) -> None:
    if name in REFUSED:
        reading.note("refused", option.written, REFUSED[name])
    elif name in ("buffered", "rwmixwrite"):
        _opposite(reading, name, option)
    elif name in LEFT:
        several = _several_files(name, option)
        reading.note("refused" if several else "left", option.written, several or LEFT[name])
    elif name not in FioParams.table:
        reason = message(
            "fio %(version)s has no such option, nor has benchlab.", version=versions()[-1]
        )
        reading.note("refused", option.written, reason)
    else:
        _take(reading, name, option)


def _take(reading: SectionReading, name: str, option: Option) -> None:
    try:
        value = _special(reading, name, option)
    except ValueError as error:
        reading.note("refused", option.written, error_message(error))
        return
    reading.params[name] = value
    if value is None:
        del reading.params[name]
    reading.note("understood", option.written, "")


def _special(reading: SectionReading, name: str, option: Option) -> RawValue:
    value = option.value or ""
    if name == "size" and value == "100%":
        return None
    if name == "bs" and "," in value:
        sizes = sizes_by_operation(value, reading.kb_base)
        reading.params["bsrange"] = sizes
        return sizes.partition("-")[0]
    return read_value(name, FioParams.table[name], option.value, reading.kb_base)


def _opposite(reading: SectionReading, name: str, option: Option) -> None:
    """Set the parameter that buffered or rwmixwrite is the inverse of."""
    target = {"buffered": "direct", "rwmixwrite": "rwmixread"}[name]
    try:
        value = read_value(target, FioParams.table[target], option.value, reading.kb_base)
    except ValueError as error:
        reading.note("refused", option.written, error_message(error))
        return
    if isinstance(value, bool):
        reading.params[target] = not value
    elif isinstance(value, int):
        reading.params[target] = 100 - value
    reading.note(
        "understood", option.written, message("It is %(name)s, the other way round.", name=target)
    )


def _several_files(name: str, option: Option) -> str:
    """Return an error for one job over several files, which differs from a job per target."""
    if name in ("filename", "directory") and ":" in (option.value or "").replace("\\:", ""):
        return message(
            "One job works on several files in turn: a step works on one target, or on each disk "
            "of a group with jobs of its own."
        )
    return ""


def _apply_corrections(reading: SectionReading) -> None:
    """Apply fio's own corrections of values to the step."""
    params = reading.params
    if params["ioengine"] in SYNCHRONOUS and params["iodepth"] != 1:
        params["iodepth"] = 1
        text = message("This engine has one operation in flight, and fio takes the depth as 1.")
        reading.note("understood", "iodepth", text)
    if params["ioengine"] == NVME and not params["direct"]:
        params["direct"] = True
        reading.note("understood", "ioengine", message("NVMe commands bypass the page cache."))
    _shared_file(reading)
    idle = [name for name in SYNCS if params.get(name)] if params["rw"] in READ_ONLY else []
    for name in idle:
        del params[name]
        reading.note("left", name, message("A test that only reads has nothing to sync."))
    if params.get("verify") and "refill_buffers" not in _option_names(reading.section):
        params["refill_buffers"] = True
        reading.note("understood", "verify", message("fio fills buffers anew when it verifies."))


def _shared_file(reading: SectionReading) -> None:
    """Let several jobs share one file, as `filename` does for all of them."""
    names = [o for o in reading.section.options if _canonical(o.name) == "filename" and o.value]
    if names and reading.params["numjobs"] != 1 and not str(names[-1].value).startswith("/dev/"):
        reading.params["shared_file"] = True
        reason = message("All jobs use this one file.")
        reading.note("understood", names[-1].written, reason)


def _validate(reading: SectionReading) -> None:
    """Note violations of the plugin's own rules, as for any step."""
    try:
        FioParams.from_raw(reading.params)
    except ParamsError as error:
        for name, text in error.errors.items():
            reading.note("refused", name, text)


def _kb_base(section: Section) -> int:
    values = [o.value for o in section.options if _canonical(o.name) == "kb_base"]
    return 1000 if values and values[-1] == "1000" else 1024


def _option_names(section: Section) -> set[str]:
    return {_canonical(option.name) for option in section.options}


def _canonical(name: str) -> str:
    """Return the option's canonical name."""
    return aliases().get(name, name)
