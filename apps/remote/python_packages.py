"""How to install Python on a host, by the distribution in its os-release(5).

Sources: package lists of the distributions; CentOS 7 has Python 3.6 since 7.7, and Ubuntu 14.04 has
Python 3.4 only.
"""

from __future__ import annotations

import re

from apps.tools.messages import message

from .errors import HostError, host_error

_FIELD = re.compile(r'\b(ID|VERSION_ID)="?([A-Za-z0-9._-]{1,40})')
_COMMANDS = {
    **dict.fromkeys(("debian", "ubuntu", "linuxmint", "raspbian"), "apt-get install python3"),
    **dict.fromkeys(("centos", "rhel", "ol", "amzn"), "yum install python3"),
    **dict.fromkeys(("fedora", "rocky", "almalinux"), "dnf install python3"),
    **dict.fromkeys(("sles", "opensuse-leap", "opensuse-tumbleweed"), "zypper install python3"),
    "alpine": "apk add python3",
    "arch": "pacman -S python",
}
# The newest Python of releases whose packages are too old.
_TOO_OLD = {
    ("ubuntu", "14.04"): "3.4",
    ("ubuntu", "16.04"): "3.5",
    ("debian", "8"): "3.4",
    ("debian", "9"): "3.5",
    ("sles", "12"): "3.4",
}


def no_python_error(host: str, os_release: str) -> HostError:
    """Return the error of a host without a suitable Python.

    `os_release`: the lines ID and VERSION_ID of the host's os-release, empty if it has none.
    """
    fields = dict(_FIELD.findall(os_release))
    name, version = fields.get("ID", ""), fields.get("VERSION_ID", "")
    system = f"{name} {version}".strip()
    newest = _TOO_OLD.get((name, version)) or _TOO_OLD.get((name, version.split(".")[0]))
    if newest:
        text = message(
            "%(host)s (%(system)s) has no Python 3.6 or newer, and its packages have only Python "
            "%(newest)s. Install a newer Python as /usr/local/bin/python3 (the agent needs nothing "
            "else).",
            host=host,
            system=system,
            newest=newest,
        )
        return HostError("no_python", text)
    if command := _COMMANDS.get(name):
        text = message(
            "%(host)s (%(system)s) has no Python 3.6 or newer. Install it as root with: "
            "%(command)s (the agent needs nothing else).",
            host=host,
            system=system,
            command=command,
        )
        return HostError("no_python", text)
    return host_error("no_python", host)
