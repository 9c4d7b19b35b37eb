"""Problems of a workload on a target under a tuning profile, from plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.plans.domain.command_totals import takes_files
from apps.plans.domain.target_matching import runnable_tool
from apps.plans.schemas.planned import PlannedCase, Problem
from apps.plans.schemas.targets import PlannedHost
from apps.tools.param_values import cpu_numbers
from apps.tools.registry import cpus_param, param_with


def _problem(case: PlannedCase, text: str, field: str, *, saving: bool = True) -> Problem:
    """Return a problem of a parameter of the case's step; without a step for preconditioning."""
    if case.step is None:
        return Problem(text, field="preconditioning", saving=saving)
    return Problem(text, case.step, field, saving)


def enrolment_problems(case: PlannedCase) -> Iterator[Problem]:
    """Yield a problem for each written disk that is not enrolled, also inside groups."""
    field = param_with(case.tool, "operation")
    for part in case.target.parts if case.writes else ():
        if part.kind == "disk" and not part.enrolled:
            text = _("%(disk)s is not enrolled as expendable, and this step destroys its data.") % {
                "disk": part.label
            }
            yield _problem(case, text, field)


def cpu_problems(case: PlannedCase) -> Iterator[Problem]:
    """Yield problems for absent CPUs, and for more jobs than CPUs if each job needs its own."""
    chosen = case.params.get(cpus_param(case.tool))
    last = max(cpu_numbers(chosen)) if isinstance(chosen, str) and chosen else 0
    for host in case.target.hosts:
        if case.tuning.pins and _too_many_jobs(case, host):
            text = _("%(jobs)d jobs, but %(host)s has %(cpus)s.") % _jobs_named(case, host)
            yield _problem(case, text, _jobs_param(case), saving=False)
        if host.cpu_count is not None and last >= host.cpu_count:
            text = _("CPU %(cpu)d, but %(host)s has %(cpus)s, counted from 0.") % {
                "cpu": last,
                "host": host.name,
                "cpus": _cpu_words(host.cpu_count),
            }
            yield _problem(case, text, cpus_param(case.tool))


def job_warnings(cases: Sequence[PlannedCase]) -> Iterator[Problem]:
    """Yield a warning for more jobs than CPUs, once each.

    Jobs that wait for a disk need no CPU, so this is a usual test (32 synchronous jobs), but the
    host may limit the result.
    """
    for case in cases:
        for host in () if case.tuning.pins else case.target.hosts:
            if _too_many_jobs(case, host):
                text = _("%(jobs)d jobs, but %(host)s has %(cpus)s: they take turns.")
                text %= _jobs_named(case, host)
                yield _problem(case, text, _jobs_param(case), saving=False)


def _too_many_jobs(case: PlannedCase, host: PlannedHost) -> bool:
    jobs = case.params.get(_jobs_param(case))
    return host.cpu_count is not None and isinstance(jobs, int) and jobs > host.cpu_count


def _jobs_param(case: PlannedCase) -> str:
    return param_with(case.tool, "jobs")


def _jobs_named(case: PlannedCase, host: PlannedHost) -> dict[str, object]:
    jobs, cpus = case.params[_jobs_param(case)], _cpu_words(host.cpu_count or 0)
    return {"jobs": jobs, "host": host.name, "cpus": cpus}


def pin_problems(case: PlannedCase) -> Iterator[Problem]:
    """Yield problems for pinned threads if the tool cannot pin or has too many threads."""
    plugin = runnable_tool(case.tool)
    if plugin is None or not case.tuning.pins:
        return
    if not plugin.pins:
        text = _("%(tuning)s places threads on CPUs, and %(tool)s has no option for it.") % {
            "tuning": case.tuning.name,
            "tool": plugin.label,
        }
        yield _problem(case, text, "tool", saving=False)
        return
    if case.params.get(cpus_param(case.tool)):
        text = _(
            "%(tuning)s chooses the CPUs: leave the step's own list empty, or take another tuning."
        ) % {"tuning": case.tuning.name}
        yield _problem(case, text, cpus_param(case.tool), saving=False)
    if not isinstance(case.params.get(_jobs_param(case)), int):
        for host in case.target.hosts:
            yield from _too_many_threads(case, host)


def file_problems(case: PlannedCase) -> Iterator[Problem]:
    """Yield problems for a new file system if the tool works on raw disks only."""
    plugin = runnable_tool(case.tool)
    if case.step is None or plugin is None or not case.tuning.makes_files:
        return
    if case.target.uses != "disk":
        return
    if len(case.target.hosts) > 1:
        text = _("%(tuning)s makes a file system: choose disks of one host.")
        yield _problem(case, text % {"tuning": case.tuning.name}, "tool", saving=False)
    if not takes_files(plugin, case.target):
        text = _("%(tuning)s makes a file system, and %(tool)s works on raw disks only.") % {
            "tuning": case.tuning.name,
            "tool": plugin.label,
        }
        yield _problem(case, text, "tool", saving=False)


def _too_many_threads(case: PlannedCase, host: PlannedHost) -> Iterator[Problem]:
    if host.cpu_count is not None and case.threads > host.cpu_count:
        text = _("%(tuning)s: %(threads)d threads, but %(host)s has %(cpus)s.") % {
            "tuning": case.tuning.name,
            "threads": case.threads,
            "host": host.name,
            "cpus": _cpu_words(host.cpu_count),
        }
        yield _problem(case, text, "tool", saving=False)


def tool_warnings(cases: Sequence[PlannedCase]) -> Iterator[Problem]:
    """Yield warnings for programs that a host lacked at its last check."""
    seen: set[tuple[int | None, str, int]] = set()
    for case in cases:
        mark = (case.step, case.tool, id(case.target))
        if mark in seen:
            continue
        seen.add(mark)
        for host in case.target.hosts:
            for program in case.programs.get(host.id, ()):
                if _lacks(host, program, case.tool):
                    text = _("The last check of %(host)s did not find %(program)s.")
                    text %= {"program": program, "host": host.name}
                    yield _problem(case, text, "tool", saving=False)


def _lacks(host: PlannedHost, program: str, tool: str) -> bool:
    """Return True if the host lacks a program; only checked programs and the tool itself count."""
    if host.tools is None:
        return False
    return host.tools.get(program) is None and (program in host.tools or program == tool)


def _cpu_words(count: int) -> str:
    return ngettext("%(n)d CPU", "%(n)d CPUs", count) % {"n": count}
