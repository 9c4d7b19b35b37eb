"""The cluster that this host is a client of, as settings ask it."""

import errno
from typing import Dict, List

from ..host.identity import command_environment
from .batch import Answer, Question, ask_all
from .command import CephError


def environment() -> Dict[str, str]:
    """The environment in which Ceph's programs find the cluster."""
    return command_environment("/")


def ask_cluster(commands: List[Question]) -> List[Answer]:
    """The answers, in order. Raises OSError where it cannot be asked."""
    try:
        return ask_all(environment(), commands) if commands else []
    except CephError as error:
        raise OSError(errno.EIO, str(error)) from None
