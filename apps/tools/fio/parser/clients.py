"""Clients of one test that `fio --client` started on several hosts: components of the result.

Every job in `client_stats` has the host and port of its server (client.c, json output). The port
distinguishes servers on one host.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.tools.fio.parser.direction import Part
from apps.tools.text import number
from apps.tools.values import Decoded, Parameters

MAX_NAME_LENGTH = 200


def client_names(jobs: Sequence[Decoded]) -> list[str]:
    """Return the client of each job; empty texts unless there are several."""
    servers = [(str(job.get("hostname", "")), number(job.get("port"))) for job in jobs]
    if len(set(servers)) < 2 or not all(host for host, _ in servers):
        return [""] * len(jobs)
    ports: dict[str, set[float | None]] = {}
    for host, port in servers:
        ports.setdefault(host, set()).add(port)
    return [
        (f"{host}:{port}" if len(ports[host]) > 1 else host)[:MAX_NAME_LENGTH]
        for host, port in servers
    ]


def only_client(jobs: Sequence[Decoded]) -> str:
    """Return the host of the only client of `fio --client`; empty for several or none."""
    servers = {(str(job.get("hostname", "")), number(job.get("port"))) for job in jobs}
    return servers.pop()[0][:MAX_NAME_LENGTH] if len(servers) == 1 else ""


def by_client(parts: Sequence[Part]) -> Mapping[str, list[Part]]:
    """Return the parts of each client, in order; empty unless there are several."""
    parts_of_client: dict[str, list[Part]] = {}
    for part in parts:
        parts_of_client.setdefault(part.client, []).append(part)
    return parts_of_client if "" not in parts_of_client and len(parts_of_client) > 1 else {}


def all_clients(params: Parameters, clients: int) -> Parameters:
    """Return the parameters of a group that ran on several clients.

    Each client runs the jobs of the options. A plan for one host is a different test.
    """
    if clients < 2:
        return params
    jobs = params.get("numjobs")
    total = {"numjobs": jobs * clients} if isinstance(jobs, int) else {}
    return params | total | {"clients": clients}
