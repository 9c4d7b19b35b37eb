"""Options of fio that are parameters of a step, besides the plugin's fields.

Texts and defaults come from the catalog (`facts`). Limits are narrower than fio's where a larger
value is surely a mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from apps.tools.fields import Field
from apps.tools.translation import gettext_noop as _

from . import value_patterns
from .catalog import facts
from .fact import Fact
from .versions import since_text

GIB = 1024**3
EIB = 1024**6
_WEEK = 7 * 86400
MICROSECONDS = "µs"
MILLISECONDS = "ms"


class Spec(NamedTuple):
    """Kind, limits and unit, which fio's list does not have in a parseable form."""

    kind: str
    low: float | None = None
    high: float | None = None
    unit: str = ""
    form: value_patterns.ValuePattern | None = None
    without: tuple[str, ...] = ()


def _count(high: float = 1e9, low: float = 0, unit: str = "") -> Spec:
    return Spec("int", low, high, unit)


def _bytes(high: float = EIB, low: float = 0) -> Spec:
    return Spec("size", low, high, _("bytes"))


def _text(form: value_patterns.ValuePattern) -> Spec:
    return Spec("text", form=form)


FLAG = Spec("flag")
CHOICE = Spec("choice")
PERCENT = _count(100, unit="%")
TIME_US = _count(_WEEK * 1e6, unit=MICROSECONDS)
SECONDS = Spec("duration", 0, _WEEK, "s")

_BLOCKS = {
    "bsrange": _text(value_patterns.BSRANGE),
    "bssplit": _text(value_patterns.BSSPLIT),
    "ba": _bytes(GIB, 512),
    "bs_unaligned": FLAG,
    "io_size": _bytes(low=512),
    "number_ios": _count(1e15, 1),
    "offset_increment": _bytes(),
    "offset_align": _bytes(GIB),
    "file_append": FLAG,
    "overwrite": FLAG,
    "rw_sequencer": CHOICE,
    "random_distribution": _text(value_patterns.DISTRIBUTION),
    "percentage_random": PERCENT,
    "random_generator": CHOICE,
    "randseed": _count(2**63 - 1),
    "allrandrepeat": FLAG,
    "num_range": _count(256, 1),
    "ramp_size": _bytes(low=1),
}
_QUEUE = {
    "iodepth_batch": _count(4096),
    "iodepth_batch_complete_min": _count(4096),
    "iodepth_batch_complete_max": _count(4096),
    "iodepth_low": _count(4096),
    "serialize_overlap": FLAG,
    "io_submit_mode": CHOICE,
    "hipri": FLAG,
    "hipri_percentage": PERCENT,
    "fixedbufs": FLAG,
    "registerfiles": FLAG,
    "sqthread_poll": FLAG,
    "sqthread_poll_cpu": _count(4095),
    "nonvectored": _count(1),
    "uncached": _count(1),
    "nowait": FLAG,
    "force_async": _count(1e6),
    "cmdprio_percentage": PERCENT,
    "cmdprio_class": _count(3, 1),
    "cmdprio": _count(7),
    "cmdprio_bssplit": _text(value_patterns.BSSPLIT),
    "cmdprio_hint": _count(1023),
    "userspace_reap": FLAG,
    "libaio_vectored": FLAG,
    "readfua": FLAG,
    "writefua": FLAG,
    "md_per_io_size": _bytes(GIB),
    "pi_act": FLAG,
    "pi_chk": _text(value_patterns.PROTECTION),
    "apptag": _count(0xFFFF),
    "apptag_mask": _count(0xFFFF),
}
_PLACEMENT = {
    "fdp": FLAG,
    "dataplacement": CHOICE,
    "fdp_pli": _text(value_patterns.IDENTIFIERS),
    "fdp_pli_select": CHOICE,
}
_SPRANDOM = {
    "sprandom": FLAG,
    "spr_op": _text(value_patterns.SHARE),
    "spr_num_regions": _count(1_000_000, 1),
}
_RATES = {
    "rate": _bytes(low=1),
    "rate_min": _bytes(low=1),
    "rate_iops_min": _count(1e8, 1),
    "rate_process": CHOICE,
    "rate_cycle": _count(3_600_000, 1, MILLISECONDS),
    "rate_ignore_thinktime": FLAG,
    "thinktime": TIME_US,
    "thinktime_spin": TIME_US,
    "thinktime_blocks": _count(low=1),
    "thinktime_blocks_type": CHOICE,
    "thinktime_iotime": TIME_US,
    "startdelay": SECONDS,
    "max_latency": TIME_US,
    "latency_target": TIME_US,
    "latency_window": TIME_US,
    "latency_percentile": _text(value_patterns.NUMBER),
    "latency_run": FLAG,
    "steadystate": _text(value_patterns.STEADY),
    "steadystate_duration": SECONDS,
    "steadystate_ramp_time": SECONDS,
    "steadystate_check_interval": SECONDS,
    "thinkcycles": _count(),
}
_FILES = {
    "nrfiles": _count(10_000, 1),
    "openfiles": _count(10_000, 1),
    "file_service_type": _text(value_patterns.FILE_ORDER),
    "fallocate": Spec("choice", without=("0", "1")),
    "fadvise_hint": CHOICE,
    "write_barrier": _count(),
    "sync": Spec("choice", without=("0", "1")),
    "sync_file_range": _text(value_patterns.SYNC_RANGE),
    "fsync_on_close": FLAG,
    "atomic": FLAG,
    "write_hint": CHOICE,
    "pre_read": FLAG,
    "create_serialize": FLAG,
    "create_fsync": FLAG,
    "create_on_open": FLAG,
    "end_syncfs": FLAG,
}
_VERIFY = {
    "verify": Spec("choice", without=("0", "meta", "null")),
    "do_verify": FLAG,
    "verify_only": FLAG,
    "verify_interval": _bytes(GIB, 80),
    "verify_offset": _bytes(GIB, 40),
    "verify_pattern": _text(value_patterns.PATTERN),
    "verify_fatal": FLAG,
    "verify_async": _count(64),
    "verify_backlog": _count(1e12),
    "verify_backlog_batch": _count(),
    "experimental_verify": FLAG,
    "trim_percentage": PERCENT,
    "trim_verify_zero": FLAG,
    "trim_backlog": _count(1e12),
    "trim_backlog_batch": _count(),
    "verify_header_seed": FLAG,
    "verify_pattern_interval": FLAG,
    "verify_write_sequence": FLAG,
}
_BUFFERS = {
    "zero_buffers": FLAG,
    "scramble_buffers": FLAG,
    "buffer_pattern": _text(value_patterns.PATTERN),
    "buffer_compress_percentage": PERCENT,
    "buffer_compress_chunk": _bytes(GIB, 1),
    "dedupe_percentage": PERCENT,
    "dedupe_mode": CHOICE,
    "dedupe_working_set_percentage": PERCENT,
    "dedupe_global": FLAG,
    "mem": CHOICE,
    "hugepage-size": _bytes(GIB, 4096),
    "lockmem": _bytes(1024**4),
}
_ZONES = {
    "zonemode": CHOICE,
    "zonesize": _bytes(),
    "zonecapacity": _bytes(),
    "zonerange": _bytes(),
    "zoneskip": _bytes(),
    "read_beyond_wp": FLAG,
    "max_open_zones": _count(4096),
    "job_max_open_zones": _count(4096),
    "ignore_zone_limits": FLAG,
    "zone_reset_threshold": _text(value_patterns.NUMBER),
    "zone_reset_frequency": _text(value_patterns.NUMBER),
    "recover_zbd_write_error": FLAG,
    "write_zone_remainder": FLAG,
}
_PROCESS = {
    "nice": _count(19, -20),
    "prio": _count(7),
    "prioclass": _count(3),
    "priohint": _count(1023),
    "numa_cpu_nodes": _text(value_patterns.NODES),
    "numa_mem_policy": _text(value_patterns.MEMORY_POLICY),
    "clocksource": CHOICE,
    "gtod_cpu": _count(4095),
}

GROUPS: Mapping[str, Mapping[str, Spec]] = {
    _("Blocks and offsets"): _BLOCKS,
    _("Queue and engine"): _QUEUE,
    _("Rates and times"): _RATES,
    _("Files and syncs"): _FILES,
    _("Verification"): _VERIFY,
    _("Contents and memory"): _BUFFERS,
    _("Zones"): _ZONES,
    _("Data placement"): _PLACEMENT,
    _("Preconditioning in one pass"): _SPRANDOM,
    _("Process"): _PROCESS,
}


def _field(fact: Fact, spec: Spec, group: str) -> Field:
    choices = tuple(one for one in fact.values if one not in spec.without)
    return Field(
        spec.kind,  # type: ignore[arg-type] # one of Field's kinds, checked by a test of the table
        fact.name,
        _help(fact, spec),
        choices=choices if spec.kind == "choice" else (),
        minimum=spec.low,
        maximum=spec.high,
        unit=spec.unit,
        group=group,
        optional=True,
        advanced=True,
        pattern=spec.form.pattern if spec.form else "",
        example=spec.form.example if spec.form else "",
    )


def _help(fact: Fact, spec: Spec) -> str:
    text = fact.text.rstrip(".")
    engines = f" ({', '.join(fact.engines)})" if fact.engines else ""
    example = f" Such as {spec.form.example}." if spec.form else ""
    default = f" fio's default: {_default(fact, spec)}." if fact.default else ""
    versions = since_text(fact.name)
    needs = f" Needs {versions}." if versions else ""
    return f"{text}{engines}.{example}{default}{needs}"


def _default(fact: Fact, spec: Spec) -> str:
    return {"0": "no", "1": "yes"}.get(fact.default, "") if spec is FLAG else fact.default


MORE: Mapping[str, Field] = {
    name: _field(facts()[name], spec, group)
    for group, specs in GROUPS.items()
    for name, spec in specs.items()
}
ENGINE_OPTIONS: Mapping[str, tuple[str, ...]] = {
    name: facts()[name].engines for name in MORE if facts()[name].engines
}
