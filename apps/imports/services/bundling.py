"""Group the files of an import into results with `apps.tools.bundles`."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import OperationalError
from django.db.models import QuerySet

from apps.imports.domain.limits import HOST_NAME
from apps.imports.models import ImportFile
from apps.imports.selectors.content import head_of
from apps.tools.bundle_detection import OutputBundle, bundles
from apps.tools.values import Parameters

log = logging.getLogger(__name__)
HEAD = 64 * 1024


@dataclass(frozen=True)
class FileGroup:
    """Files of one result: the number of each role, the main one first.

    `tool` is "" if the content decides. `together`: ran at the same time as others of the same
    test. `job_options`: options of the import.
    """

    files: Mapping[str, int]
    tool: str = ""
    params: Parameters = field(default_factory=dict)
    host: str = ""
    target: str = ""
    together: bool = False
    job_options: str = ""


class StoredHeads(Mapping[str, bytes]):
    """First bytes of files by path, read one at a time to limit memory.

    `numbers`: file numbers by path. A repeated path has its number in brackets.
    """

    def __init__(self, rows: QuerySet[ImportFile]) -> None:
        self._rows = rows
        self.numbers: dict[str, int] = {}
        for number, path in rows.order_by("number").values_list("number", "path"):
            self.numbers.setdefault(path, number)
            if self.numbers[path] != number:
                self.numbers[f"{path} ({number})"] = number

    def __getitem__(self, path: str) -> bytes:
        row = self._rows.only("batch", "content", "size").get(number=self.numbers[path])
        return head_of(row, HEAD)

    def __contains__(self, path: object) -> bool:
        return path in self.numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)


def groups_of(heads: StoredHeads) -> list[FileGroup]:
    """Return every result, ordered by the number of its main file."""
    bundled = [_group(bundle, heads.numbers) for bundle in _bundles(heads)]
    numbers = {number for group in bundled for number in group.files.values()}
    single = [
        FileGroup({"stdout": number}) for number in heads.numbers.values() if number not in numbers
    ]
    return sorted([*bundled, *single], key=lambda group: next(iter(group.files.values())))


def _bundles(heads: StoredHeads) -> Sequence[OutputBundle]:
    try:
        return bundles(heads)
    except (OperationalError, MemoryError):
        raise
    except Exception:
        # A defect with one file must not affect the others: each file becomes its own result.
        log.exception("finding the results of several files failed")
        return ()


def _group(bundle: OutputBundle, numbers: Mapping[str, int]) -> FileGroup:
    """Convert a bundle: the main file ("stdout") first, the others ordered by path."""
    order = sorted(bundle.files, key=lambda role: (role != "stdout", bundle.files[role]))
    files = {role: numbers[bundle.files[role]] for role in order}
    return FileGroup(
        files,
        bundle.tool,
        dict(bundle.params),
        bundle.host if HOST_NAME.match(bundle.host) else "",
        bundle.target,
        bool(bundle.together),
    )
