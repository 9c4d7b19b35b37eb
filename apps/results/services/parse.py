"""Parse the stored files of an attempt, host by host, and merge the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.results.domain.imported import imported_parse
from apps.results.selectors.jobs import DoneJob, Files, job_rows, jobs_of
from apps.runs.models import Attempt, RunTargetMember
from apps.runs.selectors.start_skew import starts_of
from apps.runs.services.artifacts import MOST_READ, too_large
from apps.tools.errors import OutputError, ToolError
from apps.tools.messages import message
from apps.tools.multi_host.host_results import HostResult
from apps.tools.multi_host.merge import labelled, merge
from apps.tools.parse_result import Output, Parsed
from apps.tools.registry import parse_output
from apps.tools.translation import gettext_noop


def attempt_parse(attempt: Attempt, files: Files) -> Parsed:
    """Return the result of an attempt, with components for several hosts or targets.

    Raises:
        ToolError, OutputError: the output cannot be parsed or is too large.
    """
    if attempt.imported is not None:
        return imported_parse(attempt, files)
    if large := too_large(attempt):
        words = gettext_noop(
            "%(files)s is stored and was not read: benchlab reads files of at most %(most)d MiB"
        )
        raise OutputError(message(words, files=", ".join(large), most=MOST_READ >> 20))
    members = attempt.case.members
    jobs = [job for job in jobs_of(attempt) if job.measures]
    hosts = list(dict.fromkeys(job.name for job in jobs if job.role != "server"))
    if len(hosts) == 1:
        own = [job for job in jobs if job.name == hosts[0]]
        others = [job for job in jobs if job.name != hosts[0]]
        parsed = _read(attempt, _output(attempt, own, others, files), "")
        return labelled(parsed, labels_of(members, own[0].host))
    starts = starts_of(job_rows(attempt)).after
    shares = []
    for name in hosts:
        own = [job for job in jobs if job.name == name]
        parsed = _read(attempt, _output(attempt, own, [], files), name)
        labels = labels_of(members, own[0].host)
        shares.append(HostResult(name, parsed, starts.get(name, 0.0), labels))
    if not shares:
        raise OutputError("No host left any output.")
    return merge(shares)


def labels_of(members: Sequence[RunTargetMember], host: int) -> dict[str, str]:
    """Return the labels of a host's targets: "target0" -> "vdb"."""
    own = [member for member in members if member.host_id == host]
    return {f"target{number}": member.label for number, member in enumerate(own)}


def _read(attempt: Attempt, output: Output, name: str) -> Parsed:
    try:
        return parse_output(attempt.case.tool, output)
    except (ToolError, OutputError) as error:
        if name:
            raise type(error)(f"{name}: {error}") from error
        raise


def _output(
    attempt: Attempt, own: Sequence[DoneJob], servers: Sequence[DoneJob], files: Files
) -> Output:
    """Return the output of one host, with the server's files for a host pair."""
    seen = {**_files_of(own, files, "")}
    for server in servers:
        seen |= _files_of([server], files, "server.")
    params, roles = attempt.case.tool_params, _roles(own, servers, files)
    return Output(seen, _exit_code(own, files), params, roles)


def _files_of(jobs: Sequence[DoneJob], files: Files, word: str) -> dict[str, bytes]:
    prefix = jobs[0].prefix
    named = {n.removeprefix(prefix): c for n, c in files.items() if n.startswith(prefix)}
    return {word + name: content for name, content in named.items()}


def _exit_code(jobs: Sequence[DoneJob], files: Files) -> int | None:
    """Return the first non-zero exit code, else the last, without `always` and `may_fail`."""
    ended = [command for job in jobs for command in job.commands(files)]
    codes = [command.code for command in ended if not (command.may_fail or command.always)]
    return next((code for code in codes if code != 0), codes[-1] if codes else None)


def _roles(own: Sequence[DoneJob], servers: Sequence[DoneJob], files: Files) -> Mapping[str, bytes]:
    roles: dict[str, bytes] = {}
    for job in (*own, *servers):
        for command in job.commands(files):
            taken = job in servers and command.role in roles
            name = f"server.{command.role}" if taken else command.role
            roles[name] = roles.get(name, b"") + command.stdout
    return roles
