"""fio's options that no plan of benchlab has: they are kept as they were written, but for those
that only say where fio works and what it writes down.
"""

from __future__ import annotations

import re

from apps.tools.values import Parameters

MOST_OPTIONS = 64
LONGEST_VALUE = 100
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
# Names, places, order of jobs, reports and logs (fio(1)).
_SAYS_NOTHING = re.compile(
    r"name|description|filename|filename_format|directory|opendir|unlink|unlink_each_loop"
    r"|pool|rbdname|rbd_name|clientname|clustername|stonewall|wait_for|wait_for_previous|startdelay|new_group|create_\w+|file_append|readonly"
    r"|write_\w+_log|log_\w+|per_job_logs|write_iolog|output\w*|status_interval|eta\w*|minimal"
    r"|[cs]?lat_percentiles|percentile_list|significant_figures|disk_util|stats|exitall\w*"
    r"|bwavgtime|iopsavgtime|gtod_\w+|clocksource|randseed|allrandrepeat|kb_base"
    r"|unit_base|exec_prerun|exec_postrun|userspace_reap|steadystate\w*|ss(?:_\w+)?"
)


def other_option(name: str, text: object, known: int) -> Parameters:
    """The option, if it may change what is measured and there are not too many (`known`) yet."""
    if known >= MOST_OPTIONS or not _NAME.fullmatch(name) or _SAYS_NOTHING.fullmatch(name):
        return {}
    return {name: str(text)[:LONGEST_VALUE]} if isinstance(text, (str, int, float)) else {}
