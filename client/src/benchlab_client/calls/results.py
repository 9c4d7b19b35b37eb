"""Calls about measurements, comparisons, imports and reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO, Dict, Iterator, List, Optional, Sequence, Tuple, Union, cast

from benchlab_client.base import BaseClient, Json
from benchlab_client.calls.lab import Time
from benchlab_client.calls.runs import Many
from benchlab_client.comparison import Comparison
from benchlab_client.errors import UsageError
from benchlab_client.files import write_answer
from benchlab_client.measurements import Measurements
from benchlab_client.types import (
    Baseline,
    ExpectationResult,
    Import,
    ImportDetail,
    ImportFile,
    MeasurementDetail,
    Report,
)

Ints = Union[int, Sequence[int], None]
FilePath = Union[str, Path]


class ResultCalls(BaseClient):
    """What was measured."""

    def measurements(
        self,
        *,
        run: Optional[int] = None,
        plan: Optional[int] = None,
        case: Optional[int] = None,
        host: Union[int, str, None] = None,
        target: Optional[int] = None,
        tuning: Optional[int] = None,
        workload: Optional[str] = None,
        operation: Optional[str] = None,
        valid: Optional[bool] = None,
        components: Optional[bool] = None,
        **more: Any,
    ) -> Measurements:
        """Return a selection of measurements; nothing is read yet.

        `more`: other filters of the API, for example `least_iops`.
        """
        filters = {
            "run": run, "plan": plan, "case": case, "host": host, "target": target,
            "tuning": tuning, "workload": workload, "operation": operation, "valid": valid,
            "components": components, **more,
        }  # fmt: skip
        return Measurements(self, {k: v for k, v in filters.items() if v is not None})

    def measurement(self, id: int) -> MeasurementDetail:
        """Return a measurement with its histogram."""
        return cast(MeasurementDetail, self.get_json(f"measurements/{int(id)}/"))

    def compare(
        self,
        *,
        run: Ints = None,
        plan: Optional[int] = None,
        factor: Optional[str] = None,
        baseline: Optional[str] = None,
        metric: Many = None,
        operation: Optional[str] = None,
        host: Optional[int] = None,
        target: Union[int, str, None] = None,
        tuning: Union[int, str, None] = None,
        minimum: Optional[float] = None,
    ) -> Comparison:
        """Compare the levels of a factor with a baseline; stores nothing.

        `minimum`: percent below which a difference does not matter.
        """
        params = {
            "run": run, "plan": plan, "factor": factor, "baseline": baseline, "metric": metric,
            "operation": operation, "host": host, "target": target, "tuning": tuning,
            "minimum": minimum,
        }  # fmt: skip
        return Comparison(self.get_json("compare/", **params), self.url)

    def analysis(self, view: str, *, format: str = "json", **selection: Any) -> Json:
        """Return the answer of an analysis view, for example `sweep`. See docs/reference/api.md."""
        if not view.isidentifier():
            raise UsageError(f"{view!r} is no view.")
        return cast(Json, self.get_json(f"analysis/{view}/", format=format, **selection))

    def history(
        self,
        workload: str,
        *,
        metric: Optional[str] = None,
        operation: Optional[str] = None,
        host: Optional[int] = None,
        target: Union[int, str, None] = None,
        tuning: Union[int, str, None] = None,
        after: Optional[Time] = None,
        before: Optional[Time] = None,
    ) -> Json:
        """Return one workload over time."""
        params = {
            "workload": workload, "metric": metric, "operation": operation, "host": host,
            "target": target, "tuning": tuning, "after": after, "before": before,
        }  # fmt: skip
        return cast(Json, self.get_json("history/", **params))

    def expectations(
        self,
        *,
        run: Optional[int] = None,
        case: Optional[int] = None,
        verdict: Many = None,
    ) -> List[ExpectationResult]:
        """Return the results of expectations."""
        answer = self.get_json("expectations/", run=run, case=case, verdict=verdict)
        return cast(List[ExpectationResult], answer)

    def baselines(
        self, *, run: Optional[int] = None, target: Optional[int] = None
    ) -> Iterator[Baseline]:
        """Yield named baselines."""
        return self.pages("baselines/", {"run": run, "target": target})

    def imports(
        self, *, name: Optional[str] = None, state: Optional[str] = None
    ) -> Iterator[Import]:
        """Yield imports."""
        return self.pages("imports/", {"name": name, "state": state})

    def import_(self, id: int) -> ImportDetail:
        """Return an import with its first files."""
        return cast(ImportDetail, self.get_json(f"imports/{int(id)}/"))

    def import_files(self, id: int) -> Iterator[ImportFile]:
        """Yield the files of an import."""
        return self.pages(f"imports/{int(id)}/files/", {})

    def upload(
        self, files: Sequence[Tuple[str, BinaryIO]], *, dry_run: bool = False, **fields: Any
    ) -> ImportDetail:
        """Send files: pairs of a path and an open file. Nothing is a result before `import_store`.

        `fields`: `name`, `note`, `host_name`, `target_name`, `tuning_name`.
        """
        data: Dict[str, Any] = {name: str(value) for name, value in fields.items() if value}
        data["path"] = [path for path, _file in files]
        if dry_run:
            data["dry_run"] = "true"
        parts = [("file", (Path(path).name, file)) for path, file in files]
        answer = self.transport.send("POST", "imports/", data=data, files=parts)
        return cast(ImportDetail, self._json(answer))

    def import_store(self, id: int) -> ImportDetail:
        """Store the results of an import as a run."""
        return cast(ImportDetail, self.post_json(f"imports/{int(id)}/store/"))

    def import_discard(self, id: int) -> ImportDetail:
        """Delete the files of an import."""
        return cast(ImportDetail, self.post_json(f"imports/{int(id)}/discard/"))

    def reports(
        self, *, title: Optional[str] = None, frozen: Optional[str] = None
    ) -> Iterator[Report]:
        """Yield reports. `title`: part of it."""
        return self.pages("reports/", {"title": title, "frozen": frozen})

    def report(self, id: int) -> Report:
        """Return a report without its results."""
        return cast(Report, self.get_json(f"reports/{int(id)}/"))

    def report_document(self, id: int, file: BinaryIO, *, format: str = "pdf") -> None:
        """Write a report with its results: html, json, md, pdf or xlsx."""
        path = f"reports/{int(id)}/document/"
        write_answer(self.transport, path, {"format": format}, file)
