"""Send commands to a Ceph cluster over one connection.

Starting `ceph` takes about a second, a command over an open connection some milliseconds.
"""

import errno
import json
from typing import Any, Dict, List, NamedTuple

from ..host.identity import command_environment
from .ceph_cli import (
    CONNECT_SECONDS,
    TIMEOUT_SECONDS,
    CephError,
    MonCommand,
    cli_arguments,
    run_ceph,
)
from .mon_process import MonProcess


class MonResponse(NamedTuple):
    """Output of a command, or `error` with the cluster's error text."""

    text: str
    error: str = ""

    def json(self) -> Any:
        """Return the decoded output. Raises: CephError with the error text."""
        if self.error:
            raise CephError(self.error)
        try:
            return json.loads(self.text) if self.text.strip() else None
        except ValueError:
            raise CephError("ceph: the answer is no JSON.") from None


class MonConnection:
    """Connection to the cluster of the environment's ceph.conf.

    Without Ceph's Python binding, for example if `ceph` is a shell script around a container, each
    command runs the `ceph` program. `connect`: seconds to find a monitor; `timeout`: seconds for
    one response.
    """

    def __init__(
        self,
        environment: Dict[str, str],
        connect: str = CONNECT_SECONDS,
        timeout: float = TIMEOUT_SECONDS,
    ) -> None:
        self.environment = environment
        self.connect = connect
        self.timeout = timeout
        self.mon_process = MonProcess(environment, connect, timeout)

    def __enter__(self) -> "MonConnection":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def query(self, prefix: str, **arguments: Any) -> Any:
        """Return the decoded response of a command. Raises: CephError."""
        return self.send(dict({"prefix": prefix}, format="json", **arguments)).json()

    def send_all(self, commands: List[MonCommand]) -> List[MonResponse]:
        """Return the responses of commands, in order. Raises: CephError if no monitor is found."""
        return [self.send(command) for command in commands]

    def send(self, command: MonCommand) -> MonResponse:
        """Return the response of a command. Raises: CephError if no monitor is found."""
        was_connected = self.mon_process.process is not None
        try:
            code, output, error_text = self.mon_process.send(command)
        except CephError as error:
            raise CephError("{}: {}".format(cli_text(command), error)) from None
        except OSError as error:
            if was_connected:  # the process ended since the last command
                return self.send(command)
            if error.errno == errno.ETIMEDOUT:
                raise CephError(str(error.strerror)) from None
            return self.run_cli(command)
        if code >= 0:
            return MonResponse(output)
        name = errno.errorcode.get(-code, str(-code))
        return MonResponse("", "{}: Error {}: {}".format(cli_text(command), name, error_text))

    def run_cli(self, command: MonCommand) -> MonResponse:
        """Send a command with the `ceph` program."""
        try:
            arguments = cli_arguments(command)
            return MonResponse(run_ceph(arguments, self.environment, self.connect, self.timeout))
        except CephError as error:
            return MonResponse("", str(error))

    def close(self) -> None:
        """Close the connection; the next command opens another one."""
        self.mon_process.stop()


def cli_text(command: MonCommand) -> str:
    """Return a command as typed in a shell."""
    return " ".join(cli_arguments(command))


def local_cluster() -> MonConnection:
    """Return a connection to the cluster this host is a client of."""
    return MonConnection(command_environment("/"))


def send_commands(commands: List[MonCommand]) -> List[MonResponse]:
    """Send commands to this host's cluster. Raises: CephError if no monitor is found."""
    if not commands:
        return []
    with local_cluster() as ceph:
        return ceph.send_all(commands)
