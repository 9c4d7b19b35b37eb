"""Names and values of interrupt settings: "irq:eth0*" with the CPUs that may serve them."""

import re

# Those of the disks under test, rather than those whose names match.
OF_DISKS = "irq:disks"
# One CPU each, in turn.
SPREAD = "spread"
_NAME = re.compile(r"irq:[A-Za-z0-9_.@*?-][A-Za-z0-9_.:@*?-]{0,60}")
_CPUS = re.compile(r"[0-9]{1,4}(?:-[0-9]{1,4})?(?:,[0-9]{1,4}(?:-[0-9]{1,4})?){0,63}")


def is_pattern(name: str) -> bool:
    """Return True if a text names interrupts. A pattern that matches all is not allowed."""
    return bool(_NAME.fullmatch(name)) and bool(re.search(r"[A-Za-z0-9]", name[4:]))


def is_cpu_value(value: str) -> bool:
    """Return True if a value names CPUs."""
    return value == SPREAD or bool(_CPUS.fullmatch(value))
