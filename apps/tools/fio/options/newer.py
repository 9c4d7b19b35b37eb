"""Options of fio newer than the list in `facts.json`, described in own words.

Names, values and engines: `fio --cmdhelp=all` and `--enghelp` of fio 3.34 to 3.42.
"""

from __future__ import annotations

from collections.abc import Mapping

from .fact import Fact

NVME = "io_uring_cmd"
_ASYNCHRONOUS = ("libaio", "io_uring", NVME)

_FACTS = (
    Fact("sprandom", "SanDisk's pseudo random preconditioning: one pass of random writes"),
    Fact("spr_op", "Over-provisioning of the drive, a share of its capacity", default="0.15"),
    Fact("spr_num_regions", "Regions into which sprandom divides the drive", default="100"),
    Fact("spr_cs", "Cache of the drive that sprandom takes into account", default="0"),
    Fact("fdp", "Give each write a placement identifier of NVMe FDP"),
    Fact("dataplacement", "Interface for placement of data", values=("none", "fdp", "streams")),
    Fact("fdp_pli", "Placement identifiers that the writes use (plids in fio 3.38)"),
    Fact(
        "fdp_pli_select",
        "How the next placement identifier is chosen (plid_select in fio 3.38)",
        values=("random", "roundrobin"),
        default="roundrobin",
    ),
    Fact("dp_scheme", "File that maps offsets to placement identifiers"),
    Fact("num_range", "Ranges of one discard command", default="1"),
    Fact("thinkcycles", "Busy cycles between two operations"),
    Fact("steadystate_check_interval", "Seconds between checks of the steady state"),
    Fact("priohint", "Hint that goes with the I/O priority of the job"),
    Fact("recover_zbd_write_error", "Continue after a failed write in a zone"),
    Fact("write_zone_remainder", "Fill the remainder of a zone with a smaller write"),
    Fact("verify_header_seed", "Store the random seed in the header of verified blocks"),
    Fact("verify_pattern_interval", "Start the pattern anew at each verified interval"),
    Fact("verify_write_sequence", "Verify the order of the writes as well"),
    Fact("ramp_size", "Bytes that are transferred before the measurement starts"),
    Fact("end_syncfs", "Sync the whole file system when the writing is done"),
    Fact("log_issue_time", "Issue times in logs"),
    Fact("job_start_clock_id", "Clock of the start time in the result"),
    Fact("comm", "Name of the process"),
    Fact("filetype", "Type of the file under test"),
    Fact("use_os_rand", "Random numbers of the operating system"),
    Fact("cmdprio_hint", "Hint that goes with high priority operations", engines=_ASYNCHRONOUS),
    Fact("libaio_vectored", "Vectored reads and writes", engines=("libaio",)),
    Fact("readfua", "Force unit access for reads", engines=(NVME,)),
    Fact("writefua", "Force unit access for writes", engines=(NVME,)),
    Fact("md_per_io_size", "Bytes of separate metadata per operation", engines=(NVME,)),
    Fact("pi_act", "Protection information is made by the controller", engines=(NVME,)),
    Fact("pi_chk", "Checks of protection information", engines=(NVME,)),
    Fact("apptag", "Application tag of protection information", engines=(NVME,)),
    Fact("apptag_mask", "Mask of the application tag", engines=(NVME,)),
    Fact("write_mode", "NVMe command of a write", engines=(NVME,)),
    Fact("verify_mode", "NVMe command of a verification", engines=(NVME,)),
    Fact("deac", "Deallocate with the command that writes zeroes", engines=(NVME,)),
)
# Options of io_uring that fio 3.31 and newer take for NVMe commands as well.
_PASSED = (
    *("hipri", "fixedbufs", "registerfiles", "sqthread_poll", "sqthread_poll_cpu"),
    *("nonvectored", "nowait", "force_async", "cmdprio_percentage", "cmdprio_class", "cmdprio"),
    "cmdprio_bssplit",
)

NEWER: Mapping[str, Fact] = {fact.name: fact for fact in _FACTS}
PASSED_TO_NVME = frozenset(_PASSED)
