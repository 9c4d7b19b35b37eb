"""Options of a tool against the hosts that run it: their own list decides, versions explain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _

from apps.plans.domain.target_matching import runnable_tool
from apps.plans.schemas.planned import PlannedCase, Problem
from apps.plans.schemas.targets import PlannedHost
from apps.tools.option_versions import OptionVersions, version_key

MAX_NAMES = 12
PRECONDITIONING = "preconditioning"


def option_problems(case: PlannedCase) -> Iterator[Problem]:
    """Yield problems for parameters whose options the host's tool does not have."""
    for host in case.target.hosts:
        for limits in missing_options(case, host):
            field = limits.name.partition("=")[0] if case.step is not None else PRECONDITIONING
            text = _missing_text(case.tool, limits, host)
            yield Problem(text, case.step, field, saving=False)


def missing_options(case: PlannedCase, host: PlannedHost) -> Iterator[OptionVersions]:
    """Yield the options of a case that a host's tool does not have.

    Without a list and a version nothing is missing.
    """
    plugin = runnable_tool(case.tool)
    if plugin is None:
        return
    listed, version = host.options.get(case.tool, frozenset()), _version(case.tool, host)
    for name in plugin.options_of(case.tool_params):
        limits = plugin.option_versions(name)
        if not limits.is_in(listed, version):
            yield limits


def version_warnings(cases: Sequence[PlannedCase]) -> Iterator[Problem]:
    """Yield a warning for each tool whose version differs between hosts, with the tests."""
    for tool in dict.fromkeys(case.tool for case in cases):
        of_tool = [case for case in cases if case.tool == tool and case.step is not None]
        hosts = {host.id: host for case in of_tool for host in case.target.hosts}
        versions = _hosts_by_version(tool, hosts)
        if len(versions) > 1:
            yield Problem(_span_text(tool, versions, of_tool), field="targets", saving=False)


def _hosts_by_version(tool: str, hosts: Mapping[int, PlannedHost]) -> dict[str, list[str]]:
    """Return the names of the hosts by version, the oldest version first."""
    named: dict[str, list[str]] = {}
    for host in hosts.values():
        if version := _version(tool, host):
            named.setdefault(version, []).append(host.name)
    return dict(sorted(named.items(), key=lambda one: version_key(one[0]) or (0, 0, 0)))


def _span_text(
    tool: str, versions: Mapping[str, Sequence[str]], cases: Sequence[PlannedCase]
) -> str:
    texts = (
        _("%(version)s on %(hosts)s") % {"version": version, "hosts": _names(hosts)}
        for version, hosts in versions.items()
    )
    text = _("Hosts have different versions of %(tool)s: %(versions)s.") % {
        "tool": tool,
        "versions": "; ".join(texts),
    }
    lacking = dict.fromkeys(case.step_name or case.label for case in cases if _lacks_some(case))
    if lacking:
        text += " " + _("Not every host can run: %(tests)s.") % {"tests": _names(list(lacking))}
    return text + " " + _("The version stays a factor: results of these hosts differ in it.")


def _lacks_some(case: PlannedCase) -> bool:
    return any(True for host in case.target.hosts for _missing in missing_options(case, host))


def _missing_text(tool: str, limits: OptionVersions, host: PlannedHost) -> str:
    """Return why a host cannot run an option, with the versions that have it where known."""
    version = _version(tool, host) or ""
    values = {
        "tool": tool,
        "version": version,
        "host": host.name,
        "option": limits.name,
        "since": limits.since,
        "until": limits.until,
    }
    if limits.covers(version):
        return _("%(tool)s %(version)s on %(host)s has no option %(option)s.") % values
    first, number = version_key(limits.since), version_key(version)
    if first and number and number < first:
        text = _("%(option)s needs %(tool)s %(since)s or newer; %(host)s has %(version)s.")
    else:
        text = _("%(option)s needs %(tool)s %(until)s or older; %(host)s has %(version)s.")
    return text % values


def _version(tool: str, host: PlannedHost) -> str | None:
    return (host.tools or {}).get(tool)


def _names(names: Sequence[str]) -> str:
    more = ["..."] if len(names) > MAX_NAMES else []
    return ", ".join([*names[:MAX_NAMES], *more])
