"""Options of fio that no plan has, stored as written.

Options that do not change the measurement are excluded: targets, logs and reports.
"""

from __future__ import annotations

import re

from apps.tools.values import Parameters

MAX_OPTIONS = 64
MAX_VALUE_LENGTH = 100
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
# Names, targets, order of jobs, reports and logs (fio(1)).
_WITHOUT_EFFECT = re.compile(
    r"name|description|filename|filename_format|directory|opendir|unlink|unlink_each_loop"
    r"|pool|rbdname|rbd_name|clientname|clustername|stonewall|wait_for|wait_for_previous|startdelay|new_group|create_\w+|file_append|readonly"
    r"|write_\w+_log|log_\w+|per_job_logs|write_iolog|output\w*|status_interval|eta\w*|minimal"
    r"|[cs]?lat_percentiles|percentile_list|significant_figures|disk_util|stats|exitall\w*"
    r"|bwavgtime|iopsavgtime|gtod_\w+|clocksource|randseed|allrandrepeat|kb_base"
    r"|unit_base|exec_prerun|exec_postrun|userspace_reap|steadystate\w*|ss(?:_\w+)?"
)


def other_option(name: str, text: object, count: int) -> Parameters:
    """Return the option if it may change the measurement and `count` is below the maximum."""
    if count >= MAX_OPTIONS or not _NAME.fullmatch(name) or _WITHOUT_EFFECT.fullmatch(name):
        return {}
    return {name: str(text)[:MAX_VALUE_LENGTH]} if isinstance(text, (str, int, float)) else {}
