"""Names and values of I/O scheduler attributes, /sys/block/<disk>/queue/iosched/*.

Each scheduler has its own attributes; all are integers. Source: Documentation/block
(deadline-iosched, kyber-iosched, bfq-iosched).
"""

import re

PREFIX = "iosched/"
# The value of an attribute that the scheduler which is set does not have.
ABSENT = "(not offered)"
_NAME = re.compile(r"iosched/[a-z][a-z0-9_]{1,39}", re.ASCII)
_VALUE = re.compile(r"0|[1-9][0-9]{0,14}", re.ASCII)


def is_name(name: str) -> bool:
    """Return True if this is a valid attribute name."""
    return bool(_NAME.fullmatch(name))


def is_value(value: str) -> bool:
    """Return True if this is a valid attribute value."""
    return bool(_VALUE.fullmatch(value))
