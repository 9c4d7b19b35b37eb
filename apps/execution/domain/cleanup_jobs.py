"""Parts of jobs: commands that only clean up, and the command before them."""

from __future__ import annotations

from apps.remote.job_spec import JobSpec


def is_cleanup(spec: JobSpec) -> bool:
    """Return True if a job only cleans up: it always runs and measures nothing."""
    return all(command.get("always") for command in spec["commands"])


def cleanup_part(spec: JobSpec) -> JobSpec | None:
    """Return a job with only the commands of `spec` that clean up, or None if it has none."""
    commands = [command for command in spec["commands"] if command.get("always")]
    if not commands:
        return None
    left = spec.copy()
    left.pop("hold", None)
    left.pop("pin", None)
    left.pop("ceph", None)
    left["commands"], left["tuning"], left["settle"] = commands, [], 0.0
    return left


def main_command(spec: JobSpec) -> int:
    """Return the index of the command that is the load of a background job.

    It is the last one before those that clean up, or may fail as a look at the cluster afterwards.
    """
    commands = spec["commands"]
    no_load = ("always", "may_fail")
    loads = [i for i, one in enumerate(commands) if not any(one.get(name) for name in no_load)]
    return loads[-1]
