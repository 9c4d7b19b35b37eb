"""The built-in command `@ceph-query`: store responses of the monitors in files.

All commands use one connection.
"""

import json
from typing import Dict, List

from ..files import write_all
from .ceph_cli import CephError
from .mon_connection import MonConnection
from .pool import NAME

MAY_FAIL = "--may-fail"


def ceph_query(arguments: List[str], environment: Dict[str, str]) -> int:
    """Run `FILE COMMAND ... [--may-fail FILE COMMAND ...]`; return the exit code.

    A COMMAND is a monitor command as JSON. Errors go to stderr. The first failed command before
    --may-fail ends with exit code 1.
    """
    end = arguments.index(MAY_FAIL) if MAY_FAIL in arguments else len(arguments)
    with MonConnection(environment) as ceph:
        for number in range(0, end - 1, 2):
            if not save_response(ceph, arguments[number], arguments[number + 1]):
                return 1
        for number in range(end + 1, len(arguments) - 1, 2):
            save_response(ceph, arguments[number], arguments[number + 1])
    return 0


def save_response(ceph: MonConnection, name: str, command: str) -> bool:
    """Return True if the JSON response was written to the file."""
    try:
        if not NAME.match(name):
            raise CephError("@ceph-query: {!r} is no name of a file.".format(name))
        response = ceph.send(dict(json.loads(command), format="json"))
        if response.error:
            raise CephError(response.error)
    except (CephError, ValueError) as error:
        write_all(2, "{}\n".format(error).encode())
        return False
    with open(name, "wb") as file:
        file.write(response.text.encode())
    return True
