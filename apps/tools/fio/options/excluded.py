"""Options of fio that no step has, left to benchlab or refused, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.translation import gettext_noop as _

_LOGS = _("benchlab records every interval itself; a log changes nothing that is measured.")
_REPORT = _("benchlab sets all figures and percentiles of fio itself.")
_TARGET = _("A step names no disk and no file: choose the plan's targets.")
_IMAGE = _("A pool is a target of the plan, and benchlab makes an image of its own in it.")
_OWN_TEST = _("Each step is a test of its own, with nothing beside it.")
_TIDY = _("benchlab removes its test files itself.")

# These options do not change the measurement, or are set elsewhere in the plan.
LEFT: Mapping[str, str] = {
    **dict.fromkeys(
        (
            *("write_bw_log", "write_lat_log", "write_iops_log", "write_hist_log"),
            *("per_job_logs", "log_entries", "log_avg_msec", "log_hist_msec"),
            *("log_hist_coarseness", "log_max_value", "log_offset", "log_prio"),
            *("log_compression", "log_compression_cpus", "log_store_compressed"),
            *("log_unix_epoch", "log_alternate_epoch", "log_alternate_epoch_clock_id"),
            *("bwavgtime", "iopsavgtime", "log_issue_time"),
        ),
        _LOGS,
    ),
    **dict.fromkeys(
        (
            *("clat_percentiles", "lat_percentiles", "slat_percentiles", "percentile_list"),
            *("significant_figures", "disk_util", "unit_base", "block_error_percentiles"),
            *("unified_rw_reporting", "stats", "description", "job_start_clock_id", "comm"),
        ),
        _REPORT,
    ),
    **dict.fromkeys(
        ("filename", "directory", "filename_format", "unique_filename", "filetype"), _TARGET
    ),
    **dict.fromkeys(("pool", "rbdname"), _IMAGE),
    **dict.fromkeys(("exitall", "exit_what", "exitall_on_error", "new_group"), _OWN_TEST),
    **dict.fromkeys(("unlink", "unlink_each_loop", "allow_file_create"), _TIDY),
    "name": _("The name of a section becomes the name of the step."),
    "stonewall": _("Steps always follow one another."),
    "kb_base": _("It sets how fio reads units, and the values are read so."),
    "buffered": _("It is the opposite of direct."),
    "rwmixwrite": _("It is the rest of rwmixread."),
    "use_os_rand": _("fio 3.12 and newer have one source of random numbers."),
    "cmd_type": _("nvme is the default of the engine io_uring_cmd."),
    "lockfile": _("Only one test at a time works on a target."),
}

_RUNS = _("It runs a command on the host.")
_WRITES = _("It writes or reads a file that is no test file.")
_NAMES = _("It names a file or a device; targets are selected in the plan.")
_REPLAY = _("Replaying a trace needs a file of the host, and offsets from elsewhere.")
_BLIND = _("It takes away latencies, which are the result.")
_HIDES = _("A test in which operations fail is no result, so errors are not passed over.")
_RIGHTS = _("It changes who fio is on the host.")
_SEVERAL = _("It weighs jobs of several descriptions against each other; a step has one.")
_CEPH = _("The host's own ceph.conf sets it.")

REFUSED: Mapping[str, str] = {
    **dict.fromkeys(("exec_prerun", "exec_postrun"), _RUNS),
    **dict.fromkeys(
        ("verify_dump", "verify_state_load", "verify_state_save", "error_dump"), _WRITES
    ),
    "opendir": _NAMES,
    **dict.fromkeys(
        (
            *("write_iolog", "read_iolog", "read_iolog_chunked", "replay_no_stall"),
            *("replay_redirect", "replay_scale", "replay_align", "replay_time_scale"),
            *("replay_skip", "merge_blktrace_file", "merge_blktrace_scalars"),
            "merge_blktrace_iters",
        ),
        _REPLAY,
    ),
    **dict.fromkeys(
        (
            *("gtod_reduce", "disable_lat", "disable_clat", "disable_slat"),
            "disable_bw_measurement",
        ),
        _BLIND,
    ),
    **dict.fromkeys(("ignore_error", "continue_on_error"), _HIDES),
    **dict.fromkeys(("uid", "gid", "cgroup", "cgroup_nodelete", "cgroup_weight"), _RIGHTS),
    **dict.fromkeys(("flow_id", "flow", "flow_sleep"), _SEVERAL),
    **dict.fromkeys(("clientname", "clustername"), _CEPH),
    "ioscheduler": _("A tuning lends it, and gives back what was there before."),
    "cpumask": _("Write the CPUs as a list (cpus_allowed)."),
    "profile": _("It stands for a whole job file; paste that instead."),
    "wait_for": _("It lets jobs run at the same time as others; steps follow one another."),
    "allow_mounted_write": _("benchlab never writes to a disk that is mounted."),
    "create_only": _("It measures nothing."),
    "fill_device": _("It fills the file system; size sets how much is written."),
    "filesize": _("The address space (size) sets how large each job's file is."),
    "busy_poll": _("It keeps a CPU busy waiting; benchlab waits as rbd does by default."),
    **dict.fromkeys(
        ("write_mode", "verify_mode", "deac"),
        _("It sends another command than a write or a read, which makes another test."),
    ),
    "dp_scheme": _("It reads a file of the host."),
    "spr_cs": _("fio's list does not show it, so no host can prove that it has it."),
}
