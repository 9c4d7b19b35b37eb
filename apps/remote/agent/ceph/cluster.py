"""The cluster that this host is a client of, as settings ask it."""

import errno
from contextlib import contextmanager
from typing import Dict, Iterator, List

from ..host.identity import command_environment
from .batch import Answer, Question
from .command import CephError
from .conversation import Conversation, ask_all

_conversations: List[Conversation] = []


def environment() -> Dict[str, str]:
    """The environment in which Ceph's programs find the cluster."""
    return command_environment("/")


@contextmanager
def conversation() -> Iterator[None]:
    """Within it every question goes over one connection."""
    mine = Conversation(environment())
    _conversations.append(mine)
    try:
        yield
    finally:
        _conversations.remove(mine)
        mine.end()


def ask_cluster(commands: List[Question]) -> List[Answer]:
    """The answers, in order. Raises OSError where it cannot be asked."""
    try:
        if commands and _conversations:
            return _conversations[-1].ask(commands)
        return ask_all(environment(), commands) if commands else []
    except CephError as error:
        raise OSError(errno.EIO, str(error)) from None
