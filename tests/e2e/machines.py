"""benchlab on several machines: namespaces with a network, host name and processes of their own.

They start what docker-compose.scale.yml starts. PostgreSQL and Valkey have a machine too and listen
on TCP, so that a machine can be cut off from them. S3 is moto's, on this side of the cables.
"""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import boto3
from moto.server import ThreadedMotoServer

from benchlab.local.paths import Home
from benchlab.local.postgres import NO_DURABILITY, Postgres
from benchlab.local.processes import running
from benchlab.local.server_urls import DATABASE, DATABASE_USER
from benchlab.local.valkey import Valkey
from tests.harness.compose import ROOT, ComposeFile
from tests.harness.net import (
    OUTSIDE,
    Network,
    add_local_address,
    claim_network,
    free_port,
    run,
    switch,
)
from tests.harness.netns_host import NetnsHost

NAMES = ("web1", "web2", "worker1", "worker2")
PASSWORD, BUCKET = "several-machines", "benchlab-raw"
AWS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": PASSWORD}
# A lease and a reconcile interval short enough for a test.
QUICK = {"BENCHLAB_LEASE_SECONDS": "4", "BENCHLAB_RECONCILE_SECONDS": "1"}
NAMED = 'hostname "$1"; shift; exec "$@"'


@dataclass
class Machine:
    """One machine. `compose` has the values of its `.env`."""

    name: str
    folder: Path
    network: Network
    compose: ComposeFile
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, service: str) -> None:
        """Start what Compose starts for a service."""
        self._spawn(service, self.compose.command(service), service)

    def hold(self, code: str) -> None:
        """Start Python code beside the services."""
        self._spawn("hold", ["python", "-c", code], "worker")

    def call(self, service: str, command: Sequence[str]) -> tuple[int, str]:
        """Run a command to its end in the service's environment; exit code and output."""
        done = subprocess.run(
            self._inside(command), cwd=ROOT, env=self._environment(service), timeout=300,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    def cut(self) -> None:
        """Let no packet in or out."""
        self.network.drop_packets(True)

    def heal(self) -> None:
        """Let packets through again."""
        self.network.drop_packets(False)

    def kill(self) -> None:
        """End every process at once: the first of its namespace goes, and the rest with it."""
        for process in self.processes:
            process.kill()
            process.wait(10)
        self.processes.clear()

    def log(self, service: str) -> str:
        """The end of a log."""
        path = self.folder / f"{service}.log"
        return path.read_text(errors="replace")[-4000:] if path.exists() else ""

    def _spawn(self, name: str, command: Sequence[str], service: str) -> None:
        namespaces = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
        argv = ["setpriv", "--pdeathsig", "KILL", *self._inside(command, namespaces)]
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                argv, cwd=ROOT, env=self._environment(service), stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        self.processes.append(process)

    def _inside(self, command: Sequence[str], namespaces: Sequence[str] = ()) -> list[str]:
        enter = ["ip", "netns", "exec", self.network.namespace, *(namespaces or ["unshare"])]
        return [*enter, "--uts", "sh", "-c", NAMED, "sh", self.name, *command]

    def _environment(self, service: str) -> dict[str, str]:
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        own = {"PATH": path, "HOSTNAME": self.name, "BENCHLAB_HOME": str(self.folder)}
        own |= {"PYTHONUNBUFFERED": "1", "DJANGO_SETTINGS_MODULE": "benchlab.settings"}
        return self.compose.environment(service) | own | QUICK


@dataclass
class Cluster:
    """Four machines, the servers, and a host that the workers reach."""

    machines: dict[str, Machine]
    postgres: Postgres
    box: NetnsHost

    def sql(self, statement: str) -> list[str]:
        """The first column of a statement's rows."""
        return self.postgres.query(statement, DATABASE)


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """Servers and machines on one switch, the tables made; no service runs yet."""
    with ExitStack() as ending:
        box = NetnsHost(folder / "box")
        ending.callback(box.stop)
        box.start()
        servers, *networks = [_network(ending) for _each in range(1 + len(NAMES))]
        addresses = switch(servers, *networks, box.network)
        for network in networks:
            way = ("via", addresses[-1])
            run("ip", "-n", network.namespace, "route", "add", box.network.address, *way)
        postgres = _servers(ending, Home(folder / "servers").make(), servers)
        values = _values(addresses[0], _bucket(ending))
        machines = {
            name: _machine(ending, folder / name, network, values)
            for name, network in zip(NAMES, networks, strict=True)
        }
        first = machines["web1"]
        code, output = first.call("migrate", first.compose.command("migrate"))
        assert code == 0, output
        yield Cluster(machines, postgres, box)


def answers(address: str) -> bool:
    """True if a web server answers there."""
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=2):
            return True
    except (urllib.error.URLError, OSError):
        return False


def _network(ending: ExitStack) -> Network:
    network = claim_network()
    ending.callback(network.release)
    network.make()
    return network


def _machine(
    ending: ExitStack, folder: Path, network: Network, values: Mapping[str, str]
) -> Machine:
    folder.mkdir()
    compose = ComposeFile("docker-compose.scale.yml", values)
    machine = Machine(folder.name, folder, network, compose)
    ending.callback(machine.kill)
    return machine


def _servers(ending: ExitStack, home: Home, network: Network) -> Postgres:
    settings = NO_DURABILITY | {"listen_addresses": "*", "max_connections": "200"}
    postgres, valkey = Postgres.at(home, settings), Valkey.at(home)
    postgres.prepare()
    with (postgres.identity.data / "pg_hba.conf").open("a") as file:
        file.write("host all all 10.215.0.0/16 scram-sha-256\n")
    enter = ("ip", "netns", "exec", network.namespace)
    for service in (postgres.service(), valkey.service()):
        argv = service.argv
        if service.name == "valkey":
            argv += ("--port", "6379", "--bind", "0.0.0.0", "--protected-mode", "no")
        inside = replace(service, argv=argv, prefix=(*enter, *service.prefix))
        ending.enter_context(running(inside))
    postgres.query(f"ALTER ROLE {DATABASE_USER} PASSWORD '{PASSWORD}'")
    postgres.query(f"CREATE DATABASE {DATABASE}")
    return postgres


def _bucket(ending: ExitStack) -> str:
    add_local_address(OUTSIDE)
    port = free_port(OUTSIDE)
    server = ThreadedMotoServer(ip_address=OUTSIDE, port=port)
    server.start()
    ending.callback(server.stop)
    address = f"http://{OUTSIDE}:{port}"
    keys = {"aws_access_key_id": "key", "aws_secret_access_key": PASSWORD}
    client = boto3.client("s3", endpoint_url=address, region_name="us-east-1", **keys)
    client.create_bucket(Bucket=BUCKET)
    return address


def _values(servers: str, s3: str) -> dict[str, str]:
    database = f"{servers}:5432/{DATABASE}"
    return AWS | {
        "BENCHLAB_IMAGE": "benchlab",
        "DATABASE_URL": f"postgresql://benchlab_app:{PASSWORD}@{database}",
        "DATABASE_OWNER_URL": f"postgresql://{DATABASE_USER}:{PASSWORD}@{database}",
        "REDIS_URL": f"redis://{servers}:6379/0",
        "SECRET_KEY": PASSWORD,
        "BENCHLAB_ENCRYPTION_KEYS": "x" * 43 + "=",
        "BENCHLAB_ADMIN_PASSWORD": PASSWORD,
        "BENCHLAB_S3_BUCKET": BUCKET,
        "BENCHLAB_S3_ENDPOINT": s3,
        "WEB_CONCURRENCY": "1",
    }
