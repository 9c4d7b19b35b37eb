"""The disturbance of a case in the job of the host that carries it out."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from apps.execution.jobs.participants import Participant
from apps.plans.schemas.disturbance import MD_FAIL, OSD_STOP
from apps.remote.agent.ceph.daemon_names import names_of
from apps.remote.job_spec import DisturbanceSpec
from apps.runs.models import AttemptJob, Case
from apps.tools.errors import ParamsError
from apps.tools.messages import message
from apps.tools.procedure import Procedure
from apps.tools.translation import gettext_noop as _

UNREACHED = _("no host of OSD %(osd)d takes part; nothing was run")
UNKNOWN = _("the Ceph cluster of the pool is not known; nothing was run")


def add_disturbance(
    case: Case,
    jobs: Sequence[AttemptJob],
    procedure: Procedure,
    participants: Sequence[Participant],
) -> None:
    """Add the disturbance to the job that carries it out, with the load of the case.

    The clients' first host marks an OSD out or scrubs; a stopped OSD needs its own host, whose job
    starts at the same moment. All hosts wait for each other while the cluster becomes clean.

    Raises: ParamsError if no host can.
    """
    wanted = case.run.spec.disturbance
    load = procedure.load
    if not wanted or load is None:
        return
    lead = participants[0]
    host = lead.host
    if wanted.kind == OSD_STOP:
        name = f"osd.{wanted.osd}"
        mine = [one for one in participants if name in names_of(one.daemons.get("osd", ""))]
        if not mine:
            raise ParamsError({"disturbance": message(UNREACHED, osd=wanted.osd)})
        host = mine[0].host
    together = [job for job in jobs if job.stage == load.stage and not job.spans_stages]
    if len(jobs) == 1:
        together = list(jobs)
    job = next(one for one in together if one.host_id == host)
    job.spec["disturbance"] = _spec(case, lead, _command_index(job, load.role))
    for other in together:
        if "hold" in other.spec:
            other.spec["hold"]["seconds"] += float(wanted.timeout_seconds)


def _command_index(job: AttemptJob, role: str) -> int:
    """Return the index of the load; of a host without one, that of its only command."""
    roles = [command["role"] for command in job.spec["commands"]]
    return max((index for index, one in enumerate(roles) if one == role), default=0)


def _spec(case: Case, lead: Participant, command: int) -> DisturbanceSpec:
    wanted, pool = case.run.spec.disturbance, lead.members[0]
    cluster = None if wanted.kind == MD_FAIL else pool.host.cluster
    if cluster is None and wanted.kind != MD_FAIL:
        raise ParamsError({"disturbance": message(UNKNOWN)})
    return {
        "kind": wanted.kind,
        "command": command,
        "fsid": cluster.fsid if cluster else "",
        "osd": wanted.osd,
        "pool": pool.identity if cluster else "",
        "member": wanted.member,
        "before": float(wanted.before_seconds),
        "down": float(wanted.down_seconds),
        "after": float(wanted.after_seconds),
        "timeout": float(wanted.timeout_seconds),
        "stop": shlex.split(cluster.osd_stop_command) if cluster else [],
        "start": shlex.split(cluster.osd_start_command) if cluster else [],
    }
