"""Choose CPUs for a test's threads: one CPU per hardware queue.

Source: /sys/block/<name>/mq/<queue>/cpu_list, Documentation/ABI/stable/sysfs-block.
"""

import os
from collections import Counter
from typing import List, Set

from ..disks.backing_disks import backing_disks_or_none
from ..disks.blocks import Block, device_stack
from ..disks.hardware_queues import cpu_list, hardware_queues
from ..errors import RefusalError
from ..files import read_text
from ..targets.claimed import ClaimedTarget

TOO_MANY = (
    "CPUs: {} threads are to be placed on CPUs of their own for {}, and {} CPUs are there for it; "
    "use fewer threads (numjobs) or a tuning that places none."
)
NO_QUEUES = "CPUs: {} shows no hardware queues, so no CPU can be chosen for them; do not pin here."


def choose_cpus(claimed: List[ClaimedTarget], threads: int) -> List[List[str]]:
    """Return the CPUs of `threads` threads for each target.

    Raises: RefusalError if there are more threads than CPUs.
    """
    free = available_cpus()
    orders = [cpu_order(queue_cpus(one), free) for one in claimed]
    reasons = [
        TOO_MANY.format(threads, one.path, len(cpus)) if cpus else NO_QUEUES.format(one.path)
        for one, cpus in ((one, orders[number]) for number, one in enumerate(claimed))
        if len(cpus) < threads
    ]
    if reasons:
        raise RefusalError(reasons)
    return [[str(cpu) for cpu in cpus] for cpus in assign_cpus(orders, threads)]


def available_cpus() -> Set[int]:
    """Return the CPUs that are online and allowed for this process."""
    online = cpu_list(read_text("/sys/devices/system/cpu/online") or "")
    allowed = os.sched_getaffinity(0)
    return allowed & set(online) if online else allowed


def queue_cpus(one: ClaimedTarget) -> List[List[int]]:
    """Return the CPUs of each hardware queue of a target's disks, in the order of the queues."""
    lying_on = [one.block] if one.claim else backing_disks_or_none(one.path)
    blocks: List[Block] = [block for top in lying_on if top for block in device_stack(top)]
    return [queue["cpus"] for block in blocks for queue in hardware_queues(block)]


def cpu_order(queues: List[List[int]], free: Set[int]) -> List[int]:
    """Return the first CPU of every queue, then the second of every queue, and so on.

    Each CPU once, only those in `free`.
    """
    usable = [[cpu for cpu in cpus if cpu in free] for cpus in queues]
    longest = max(map(len, usable), default=0)
    turns = [cpus[turn] for turn in range(longest) for cpus in usable if turn < len(cpus)]
    return list(dict.fromkeys(turns))


def assign_cpus(orders: List[List[int]], threads: int) -> List[List[int]]:
    """Return the first `threads` CPUs of each order, preferring CPUs that fewer targets use.

    Several disks share CPUs only if there are not enough.
    """
    given = Counter()  # type: Counter[int]  # the class cannot be subscripted in Python 3.6
    result = []
    for cpus in orders:
        mine = sorted(cpus, key=lambda cpu: given[cpu])[:threads]
        given.update(mine)
        result.append(mine)
    return result
