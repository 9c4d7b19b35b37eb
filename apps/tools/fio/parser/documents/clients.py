"""The hosts of one test that `fio --client` started on several: each is a part of the result.

Every job in `client_stats` names the host and port of its server (client.c, json output). A host
that runs several servers is told apart by the port.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.tools.fio.parser.direction import Part
from apps.tools.text import number
from apps.tools.values import Decoded, Parameters

LONGEST = 200


def client_names(jobs: Sequence[Decoded]) -> list[str]:
    """The client of each job; empty texts unless there are several."""
    servers = [(str(job.get("hostname", "")), number(job.get("port"))) for job in jobs]
    if len(set(servers)) < 2 or not all(host for host, _ in servers):
        return [""] * len(jobs)
    ports: dict[str, set[float | None]] = {}
    for host, port in servers:
        ports.setdefault(host, set()).add(port)
    return [
        (f"{host}:{port}" if len(ports[host]) > 1 else host)[:LONGEST] for host, port in servers
    ]


def only_client(jobs: Sequence[Decoded]) -> str:
    """The host of the only client of `fio --client`; empty for several or none."""
    servers = {(str(job.get("hostname", "")), number(job.get("port"))) for job in jobs}
    return servers.pop()[0][:LONGEST] if len(servers) == 1 else ""


def by_client(parts: Sequence[Part]) -> Mapping[str, list[Part]]:
    """The parts of each client, in their order; empty unless there are several."""
    found: dict[str, list[Part]] = {}
    for part in parts:
        found.setdefault(part.client, []).append(part)
    return found if "" not in found and len(found) > 1 else {}


def all_clients(params: Parameters, clients: int) -> Parameters:
    """The parameters of a group that ran on several clients: each has the jobs that its options
    ask for, and no plan of one host is the same test.
    """
    if clients < 2:
        return params
    jobs = params.get("numjobs")
    total = {"numjobs": jobs * clients} if isinstance(jobs, int) else {}
    return params | total | {"clients": clients}
