"""Names and values of interrupts' settings: "irq:eth0*" with the CPUs that may serve them."""

import re

# Those of the disks under test, rather than those whose names match.
OF_DISKS = "irq:disks"
# One CPU each, in turn.
SPREAD = "spread"
_NAME = re.compile(r"irq:[A-Za-z0-9_.@*?-][A-Za-z0-9_.:@*?-]{0,60}")
_CPUS = re.compile(r"[0-9]{1,4}(?:-[0-9]{1,4})?(?:,[0-9]{1,4}(?:-[0-9]{1,4})?){0,63}")


def named(name: str) -> bool:
    """Whether a text names interrupts. One that would be all of the host's does not."""
    return bool(_NAME.fullmatch(name)) and bool(re.search(r"[A-Za-z0-9]", name[4:]))


def of_cpus(value: str) -> bool:
    """Whether a value says on which CPUs."""
    return value == SPREAD or bool(_CPUS.fullmatch(value))
