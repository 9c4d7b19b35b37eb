"""Ceph's commands over one connection, as /usr/bin/ceph sends them: to start that for each takes a
sixth of a second of a processor, nearly all of it imports and a login.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

PYTHON = "/usr/bin/python3"
"""Debian's, which has the modules of Debian's Ceph."""
# A line in is the words of a command, a line out [code, what it said, its error].
SERVER = """
import json, sys
import rados
from ceph_argparse import CephPrefix, json_command, parse_json_funcsigs, validate_command

with rados.Rados(conffile=sys.argv[1], name="client.admin") as cluster:
    code, text, error = json_command(cluster, prefix="get_command_descriptions", timeout=20)
    signatures = parse_json_funcsigs(text.decode(), "cli")

    # Of all commands it takes 15 ms of a processor to find the one.
    def begins(pair):
        fixed = [each.instance.prefix for each in pair[1]["sig"] if each.t is CephPrefix]
        return fixed == words[: len(fixed)]

    for line in sys.stdin:
        words = json.loads(line)
        found = validate_command(dict(filter(begins, signatures.items())), words)
        code, text, error = -22, b"", "there is no such command"
        if found:
            asked = dict(found, format="json")
            code, text, error = json_command(cluster, argdict=asked, timeout=20)
        print(json.dumps([code, text.decode(), error]), flush=True)
"""


class Commands:
    """A client of the cluster that this ceph.conf names; it ends with its input, and so with this
    process.
    """

    def __init__(self, config: Path) -> None:
        self._process = subprocess.Popen(
            [PYTHON, "-c", SERVER, str(config)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def ask(self, *words: str) -> str:
        """What the monitors say, as JSON. Raises RuntimeError with their error."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(words).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"ceph {' '.join(words)}: the client ended")
        code, said, error = json.loads(line)
        if code < 0:
            raise RuntimeError(f"ceph {' '.join(words)}: {error or code}")
        return str(said)

    def end(self) -> None:
        """Close the connection."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()
        self._process.kill()
        self._process.wait(10)
