"""One CPU per hardware queue: which CPUs a test's threads are placed on
(/sys/block/<name>/mq/<queue>/cpu_list, Documentation/ABI/stable/sysfs-block).
"""

import os
from collections import Counter
from typing import List, Set

from ..disks.blocks import Block, below
from ..disks.carriers import carriers_or_none
from ..disks.facts import cpu_list, hardware_queues
from ..errors import RefusalError
from ..files import read_text
from ..targets.held import Held

TOO_MANY = (
    "CPUs: {} threads are to be placed on CPUs of their own for {}, and {} CPUs are there for it; "
    "use fewer threads (numjobs) or a tuning that places none."
)
NO_QUEUES = "CPUs: {} shows no hardware queues, so no CPU can be chosen for them; do not pin here."


def chosen_cpus(held: List[Held], threads: int) -> List[List[str]]:
    """For each target the CPUs of so many threads. Raises RefusalError, with both numbers where
    there are more threads than CPUs.
    """
    free = available()
    orders = [order(queues(one), free) for one in held]
    reasons = [
        TOO_MANY.format(threads, one.place, len(cpus)) if cpus else NO_QUEUES.format(one.place)
        for one, cpus in ((one, orders[number]) for number, one in enumerate(held))
        if len(cpus) < threads
    ]
    if reasons:
        raise RefusalError(reasons)
    return [[str(cpu) for cpu in cpus] for cpus in spread(orders, threads)]


def available() -> Set[int]:
    """CPUs that are online and that this process, and so the tool, may run on."""
    online = cpu_list(read_text("/sys/devices/system/cpu/online") or "")
    allowed = os.sched_getaffinity(0)
    return allowed & set(online) if online else allowed


def queues(one: Held) -> List[List[int]]:
    """The CPUs of each hardware queue of a target's disk, in the queues' order; of a device stacked
    on others, such as a logical volume, theirs.
    """
    lying_on = [one.block] if one.claim else carriers_or_none(one.place)
    blocks: List[Block] = [block for top in lying_on if top for block in below(top)]
    return [queue["cpus"] for block in blocks for queue in hardware_queues(block)]


def order(queues: List[List[int]], free: Set[int]) -> List[int]:
    """The first CPU of every queue, then the second of every queue, and so on; each CPU once, and
    only those that are free to be used.
    """
    usable = [[cpu for cpu in cpus if cpu in free] for cpus in queues]
    longest = max(map(len, usable), default=0)
    turns = [cpus[turn] for turn in range(longest) for cpus in usable if turn < len(cpus)]
    return list(dict.fromkeys(turns))


def spread(orders: List[List[int]], threads: int) -> List[List[int]]:
    """The first `threads` of each order, but CPUs that fewer targets before have been given come
    first: several disks share CPUs only when there is none left of their own.
    """
    given = Counter()  # type: Counter[int]  # the class cannot be subscripted in Python 3.6
    result = []
    for cpus in orders:
        mine = sorted(cpus, key=lambda cpu: given[cpu])[:threads]
        given.update(mine)
        result.append(mine)
    return result
