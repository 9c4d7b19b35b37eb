"""Names and values of the attributes of an I/O scheduler, /sys/block/<disk>/queue/iosched/*
(Documentation/block: deadline-iosched, kyber-iosched, bfq-iosched). Each scheduler has its own, and
all of them are whole numbers.
"""

import re

PREFIX = "iosched/"
# The value of an attribute that the scheduler which is set does not have.
ABSENT = "(not offered)"
_NAME = re.compile(r"iosched/[a-z][a-z0-9_]{1,39}", re.ASCII)
_VALUE = re.compile(r"0|[1-9][0-9]{0,14}", re.ASCII)


def is_name(name: str) -> bool:
    """Whether an attribute may be called so."""
    return bool(_NAME.fullmatch(name))


def is_value(value: str) -> bool:
    """Whether an attribute can have such a value."""
    return bool(_VALUE.fullmatch(value))
