"""Calls about plans, runs, cases and the queue."""

from __future__ import annotations

import uuid
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Union, cast

from benchlab_client.base import BaseClient
from benchlab_client.calls.lab import Time
from benchlab_client.types import Case, CaseDetail, Plan, Preview, Queue, Run, RunDetail

ENDED_STATES = ("succeeded", "failed", "cancelled", "lost")
Many = Union[str, Sequence[str], None]


class RunCalls(BaseClient):
    """What is measured, and when."""

    def plans(
        self,
        *,
        name: Optional[str] = None,
        tool: Optional[str] = None,
        owner: Optional[int] = None,
        archived: Optional[str] = None,
        scheduled: Optional[str] = None,
    ) -> Iterator[Plan]:
        """Yield plans. `name`: part of it."""
        filters = {
            "name": name, "tool": tool, "owner": owner, "archived": archived,
            "scheduled": scheduled,
        }  # fmt: skip
        return self.pages("plans/", filters)

    def plan(self, id: int) -> Plan:
        """Return a plan."""
        return cast(Plan, self.get_json(f"plans/{int(id)}/"))

    def plan_create(
        self, *, name: str, steps: List[Mapping[str, Any]], targets: Sequence[str], **more: Any
    ) -> Plan:
        """Store a plan. `more`: its other fields, for example `tunings` and `repeats`."""
        body = {"name": name, "steps": steps, "targets": list(targets), **more}
        return cast(Plan, self.post_json("plans/", body))

    def plan_preview(self, id: int) -> Preview:
        """Return what a launch would do: cases, seconds, problems."""
        return cast(Preview, self.get_json(f"plans/{int(id)}/preview/"))

    def plan_check(
        self, *, name: str, steps: List[Mapping[str, Any]], targets: Sequence[str], **more: Any
    ) -> Preview:
        """Return what a launch of a draft would do; stores nothing. `more`: as `plan_create`."""
        body = {"name": name, "steps": steps, "targets": list(targets), **more}
        return cast(Preview, self.post_json("plans/check/", body))

    def runs(
        self,
        *,
        plan: Optional[int] = None,
        state: Many = None,
        name: Optional[str] = None,
        host: Union[int, str, None] = None,
        tag: Optional[str] = None,
        origin: Optional[str] = None,
        owner: Optional[int] = None,
        archived: Optional[str] = None,
        queued_after: Optional[Time] = None,
        queued_before: Optional[Time] = None,
    ) -> Iterator[Run]:
        """Yield runs, newest first."""
        filters = {
            "plan": plan, "state": state, "name": name, "host": host, "tag": tag,
            "origin": origin, "owner": owner, "archived": archived,
            "queued_after": queued_after, "queued_before": queued_before,
        }  # fmt: skip
        return self.pages("runs/", filters)

    def run(self, id: int) -> RunDetail:
        """Return a run with its progress."""
        return cast(RunDetail, self.get_json(f"runs/{int(id)}/"))

    def launch(
        self,
        plan: int,
        *,
        note: str = "",
        priority: Optional[str] = None,
        confirm_wipe: bool = False,
        idempotency_key: Optional[str] = None,
    ) -> RunDetail:
        """Launch a plan.

        The server returns the same run for the same key. Without a key the client makes one, so
        that it can repeat the request after a failure of the network without a second run.
        """
        body = {"plan": int(plan), "note": note, "confirm_wipe": confirm_wipe}
        if priority is not None:
            body["priority"] = priority
        key = idempotency_key or f"benchlab-client-{uuid.uuid4()}"
        headers = {"Idempotency-Key": key}
        answer = self.transport.send("POST", "runs/", json=body, headers=headers, repeatable=True)
        return cast(RunDetail, self._json(answer))

    def run_cancel(self, id: int) -> RunDetail:
        """Request the end of a run; a started run ends when its settings are restored."""
        return cast(RunDetail, self.post_json(f"runs/{int(id)}/cancel/"))

    def run_retry(self, id: int) -> RunDetail:
        """Queue the cases without a result once more."""
        return cast(RunDetail, self.post_json(f"runs/{int(id)}/retry/"))

    def run_add_repeats(self, id: int, repeats: int) -> RunDetail:
        """Add repeats of every test in new blocks."""
        return cast(RunDetail, self.post_json(f"runs/{int(id)}/add-repeats/", {"repeats": repeats}))

    def run_priority(self, id: int, priority: str) -> RunDetail:
        """Change the priority: low, normal or high."""
        return cast(RunDetail, self.post_json(f"runs/{int(id)}/priority/", {"priority": priority}))

    def cases(
        self,
        *,
        run: Optional[int] = None,
        state: Many = None,
        host: Union[int, str, None] = None,
        target: Optional[int] = None,
        tool: Optional[str] = None,
        tuning: Optional[int] = None,
        workload: Optional[str] = None,
    ) -> Iterator[Case]:
        """Yield cases."""
        filters = {
            "run": run, "state": state, "host": host, "target": target, "tool": tool,
            "tuning": tuning, "workload": workload,
        }  # fmt: skip
        return self.pages("cases/", filters)

    def case(self, id: int) -> CaseDetail:
        """Return a case with its attempts."""
        return cast(CaseDetail, self.get_json(f"cases/{int(id)}/"))

    def queue(self) -> Queue:
        """Return the running runs, then the queued ones in their order."""
        return cast(Queue, self.get_json("queue/"))
