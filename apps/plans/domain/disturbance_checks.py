"""Problems of a plan with a disturbance, from plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from apps.plans.domain.target_matching import runnable_tool
from apps.plans.schemas.disturbance import MD_FAIL, OSD_STOP, Disturbance
from apps.plans.schemas.planned import PlannedCase, PlannedPlan, Problem
from apps.plans.schemas.targets import SINGLE, PlannedTarget
from apps.remote.agent.ceph.daemon_names import names_of
from apps.tools.added_params import tool_params
from apps.tools.errors import ParamsError
from apps.tools.procedure import Command, Procedure

FIELD = "disturbance.kind"
# A recovery shorter than this is hardly seen: placement groups report every few seconds.
USUAL_RECOVERY_SECONDS = 60


def disturbance_problems(plan: PlannedPlan) -> Iterator[Problem]:
    """Yield problems of the plan and its targets."""
    wanted = plan.spec.disturbance
    if not wanted:
        return
    spec = plan.spec
    if spec.steady_state or spec.load_search_parameter or spec.preconditioning.kinds:
        text = _(
            "A disturbance does not go with rounds, a search for the largest load, or a "
            "preparation of disks."
        )
        yield Problem(text, field=FIELD)
    if wanted.kind == MD_FAIL:
        yield from _array_problems(plan)
        return
    if len(plan.targets) > 1 or any(target.kind != "pool" for target in plan.targets):
        text = _("A disturbance needs one pool as the only target.")
        yield Problem(text, field=FIELD)
        return
    for target in plan.targets:
        yield from _pool_problems(wanted, target)


def _array_problems(plan: PlannedPlan) -> Iterator[Problem]:
    wanted, disk = plan.spec.disturbance, plan.failing
    member = "disturbance.member"
    if len(plan.targets) > 1 or any(target.kind not in SINGLE for target in plan.targets):
        text = _("A failing disk needs one md array, or one directory on it, as the only target.")
        yield Problem(text, field=FIELD)
        return
    if not wanted.member.strip():
        yield Problem(_("Write the identity of the disk that fails."), field=member)
        return
    for target in plan.targets:
        names = {"disk": disk.label if disk else wanted.member, "host": target.host.name}
        if disk is None:
            text = _("%(host)s has no disk %(disk)s.")
            yield Problem(text % names, field=member, saving=False)
            continue
        if not disk.enrolled:
            text = _(
                "%(disk)s is not enrolled, and a rebuild destroys its content. Enrol it before it "
                "becomes a member of an array."
            )
            yield Problem(text % names, field=member, saving=False)
        if not disk.arrays:
            text = _("%(disk)s was in no md array when %(host)s was last checked.")
            yield Problem(text % names, field=member, saving=False)
        if target.identity == wanted.member:
            text = _("%(disk)s is the target itself: choose the array or a directory on it.")
            yield Problem(text % names, field=member)


def _pool_problems(wanted: Disturbance, target: PlannedTarget) -> Iterator[Problem]:
    names = {"pool": target.label, "host": target.host.name, "osd": wanted.osd}
    if any(part.make for part in target.members):
        text = _("%(pool)s is made for each test, so it has no data to recover.")
        yield Problem(text % names, field=FIELD)
    if target.cluster is None:
        text = _("The Ceph cluster of %(pool)s is not known, or not confirmed by an admin.")
        yield Problem(text % names, field=FIELD, saving=False)
        return
    if not target.cluster.may_be_disturbed:
        text = _("An admin has to allow disturbances of this cluster on the page of %(host)s.")
        yield Problem(text % names, field=FIELD, saving=False)
    if wanted.needs_osd and wanted.osd not in target.cluster.osds:
        text = _("The cluster of %(pool)s has no OSD %(osd)d.")
        yield Problem(text % names, field="disturbance.osd", saving=False)
    elif wanted.kind == OSD_STOP and not _is_reached(wanted, target):
        text = _(
            "benchlab takes part on no host of OSD %(osd)d: add its host, and let the hosts of the "
            "pool's OSDs be observed."
        )
        yield Problem(text % names, field="disturbance.osd", saving=False)


def _is_reached(wanted: Disturbance, target: PlannedTarget) -> bool:
    """Return True if a host that takes part has the OSD."""
    name = f"osd.{wanted.osd}"
    hosts = [one.host.id for one in target.osd_hosts if name in names_of(one.identity)]
    clients = [host.id for host in target.hosts]
    return any(target.observed or host in clients for host in hosts)


def disturbed_case_problems(plan: PlannedPlan, cases: Sequence[PlannedCase]) -> Iterator[Problem]:
    """Yield the problems of loads that a disturbance does not fit into, once for each workload."""
    wanted = plan.spec.disturbance
    seen: set[str] = set()
    for case in cases if wanted else ():
        if case.workload_key in seen:
            continue
        seen.add(case.workload_key)
        load = load_of(case)
        if load is None:
            text = _("%(tool)s has no load during which a cluster can be disturbed.")
            yield Problem(text % {"tool": case.tool}, case.step, "tool")
        elif load.load_seconds < wanted.min_load_seconds:
            text = _(
                "The load lasts %(seconds)d s, and the disturbance needs %(needed)d s besides the "
                "recovery."
            ) % {"seconds": load.load_seconds, "needed": wanted.min_load_seconds}
            yield Problem(text, field=FIELD)
        if _lays_out_files(case):
            text = _(
                "%(tool)s first lays out the files that it reads, which moves the start of the "
                "series: write only, or use the array as a disk."
            )
            yield Problem(text % {"tool": case.tool}, case.step, "tool")
        if case.params.get("ramp_time"):
            text = _("A ramp moves the start of the series: use the time before the disturbance.")
            yield Problem(text, case.step, "ramp_time")


def disturbance_warnings(plan: PlannedPlan, cases: Sequence[PlannedCase]) -> Iterator[Problem]:
    """Yield a warning for a load that leaves little time for the recovery."""
    wanted = plan.spec.disturbance
    if wanted.kind == MD_FAIL:
        text = _("A failing disk of an md array is not proven on hardware: try a spare host first.")
        yield Problem(text, field=FIELD, saving=False)
    for case in cases if wanted else ():
        load = load_of(case)
        left = load.load_seconds - wanted.min_load_seconds if load else 0
        if 0 <= left < USUAL_RECOVERY_SECONDS:
            text = _(
                "The load leaves %(left)d s for the recovery. If the cluster is not clean by then, "
                "the result is invalid; if it recovers within seconds, no sample sees it."
            ) % {"left": left}
            yield Problem(text, field=FIELD, saving=False)


def load_of(case: PlannedCase) -> Command | None:
    """Return the load of a case; None if its tool has none."""
    procedure = _procedure_of(case)
    return procedure.load if procedure else None


def _lays_out_files(case: PlannedCase) -> bool:
    """Return True if the command in a directory lasts longer than its load."""
    procedure = _procedure_of(case)
    load = procedure.load if procedure else None
    if procedure is None or load is None or case.target.kind != "directory":
        return False
    return procedure.seconds > load.load_seconds


def _procedure_of(case: PlannedCase) -> Procedure | None:
    plugin = runnable_tool(case.tool)
    if plugin is None or plugin.params is None:
        return None
    try:
        params = plugin.params.from_raw(tool_params(case.params))
        return plugin.build_procedure(params, case.target.for_tools()[0])
    except ParamsError:
        return None
