"""Start the agent over a new channel: find a Python, upload the agent if it is absent, become root.

The two scripts below are the only shell code of benchlab. They are constants; variable parts are
quoted positional arguments. The scripts have no single quote, backslash, exclamation mark or line
feed, which csh and fish interpret inside single quotes.
"""

from __future__ import annotations

import secrets
from typing import NoReturn

from apps.tools.messages import message

from .build import Agent
from .connection import Become
from .errors import host_error
from .frames import FrameReader
from .python_packages import no_python_error
from .transport import Channel, Transport

PYTHONS = " ".join(
    ["python3", *(f"python3.{n}" for n in range(13, 5, -1)), "/usr/libexec/platform-python"]
)
PATH_FOLDERS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
SHIP, UNSHIPPED, NO_PYTHON, NO_SUDO, NO_BASE = "ship", "unshipped", "nopython", "nosudo", "nobase"
MARKER_WORDS = (SHIP, UNSHIPPED, NO_PYTHON, NO_SUDO, NO_BASE)

# Exit code 0: this Python can run the agent and the agent is complete; 3: upload the agent; other:
# unsuitable Python.
PROBE = (
    "import sys;sys.version_info<(3,6) and sys.exit(4);import fcntl,hashlib,os;p,s=sys.argv[1:];"
    "sys.exit(0 if os.path.isfile(p) and "
    'hashlib.sha256(open(p,"rb").read()).hexdigest()==s else 3)'
)
# Reads the file from stdin, checks its hash and renames it atomically.
RECEIVE = (
    "import sys,os,hashlib,atexit;p,n,s=sys.argv[1:];d=sys.stdin.buffer.read(int(n));"
    'hashlib.sha256(d).hexdigest()==s or sys.exit("the agent arrived damaged");'
    't=p+"."+str(os.getpid());atexit.register(lambda:os.path.exists(t) and os.unlink(t));'
    'f=open(t,"wb");f.write(d);f.flush();os.fsync(f.fileno());f.close();os.rename(t,p)'
)
START = (
    f"PATH=$PATH:{PATH_FOLDERS}; export PATH; token=$1; base=$2; sha=$3; size=$4; "
    "probe=$5; receive=$6; "
    'cd /; if [ -z "$base" ]; then if [ "$(id -u)" = 0 ]; then base=/var/lib/benchlab; '
    "else base=$HOME/.local/state/benchlab; fi; fi; "
    "BENCHLAB_AGENT_DIR=$base; export BENCHLAB_AGENT_DIR; agent=$base/agent-$sha.pyz; "
    f"for python in {PYTHONS}; do "
    '"$python" -I -c "$probe" "$agent" "$sha" </dev/null >/dev/null 2>&1; found=$?; '
    'if [ $found = 3 ]; then (umask 077; mkdir -p "$base") && chmod 700 "$base" '
    f'|| {{ echo "$token {NO_BASE}"; exit 1; }}; echo "$token {SHIP}"; '
    '"$python" -I -c "$receive" "$agent" "$size" "$sha" '
    f'|| {{ echo "$token {UNSHIPPED}"; exit 1; }}; found=0; fi; '
    'if [ $found = 0 ]; then exec "$python" -I "$agent" serve "$token"; fi; '
    'done; [ -r /etc/os-release ] && while read -r line; do case "$line" in '
    'ID=*|VERSION_ID=*) system="$system $line";; esac; done </etc/os-release; '
    f'echo "$system" >&2; echo "$token {NO_PYTHON}"'
)
ENTER = (
    f"PATH=$PATH:{PATH_FOLDERS}; export PATH; become=$1; start=$2; token=$3; shift 3; "
    "base=$BENCHLAB_AGENT_DIR; "
    "uid=$(id -u); "
    f'if [ "$become" = root ] && [ "$uid" -ne 0 ]; then echo "$token {NO_SUDO}"; exit 1; fi; '
    'if [ "$become" = sudo ] && [ "$uid" -ne 0 ]; then '
    f'sudo -n true || {{ echo "$token {NO_SUDO}"; exit 1; }}; '
    'exec sudo -n sh -c "$start" benchlab "$token" "$base" "$@"; fi; '
    'exec sh -c "$start" benchlab "$token" "$base" "$@"'
)


def start_argv(agent: Agent, token: str, become: Become) -> tuple[str, ...]:
    """Return the command line that starts the agent."""
    size = str(len(agent.data))
    facts = (agent.sha256, size, PROBE, RECEIVE)
    return ("sh", "-c", ENTER, "benchlab", become, START, token, *facts)


async def start_agent(
    transport: Transport, agent: Agent, become: Become, host: str
) -> tuple[Channel, FrameReader]:
    """Start the agent; return its channel and a reader positioned at its hello.

    Raises: HostError.
    """
    token = secrets.token_hex(16)
    channel = await transport.open(start_argv(agent, token, become))
    try:
        reader = FrameReader(channel, host)
        word = await reader.marker(token, MARKER_WORDS)
        if word == SHIP:
            await channel.write(agent.data)
            word = await reader.marker(token, MARKER_WORDS)
        if word:
            await _raise_start_error(word, channel, host)
    except BaseException:
        await channel.close()
        raise
    return channel, reader


async def _raise_start_error(word: str, channel: Channel, host: str) -> NoReturn:
    """Raise the error of the script. Reads to the end: stderr may come after the marker."""
    while await channel.read(4096):
        continue
    error_line = channel.last_error_line()
    if word == NO_PYTHON:
        raise no_python_error(host, error_line)
    if word == NO_SUDO:
        raise host_error("no_sudo", host, error_line or message("the login is not root's"))
    reason = error_line or message("no reason given")
    if word == UNSHIPPED:
        raise host_error(
            "agent", host, message("the agent could not be stored (%(reason)s)", reason=reason)
        )
    raise host_error(
        "agent", host, message("the agent's folder cannot be created (%(reason)s)", reason=reason)
    )
