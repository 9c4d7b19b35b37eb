"""Results of fio in several files: results with their logs, logs alone, bench-fio's results."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from apps.tools.bundles.bundle import LogSet, OutputBundle, bundle, folder_of, name_of

from . import foldernames
from .parser.logs.names import log_name
from .parser.recognition import detect

TOOL = "fio"
# Path of the logs in fio's "job options".
_WRITES_LOGS = re.compile(rb'"write_(?:bw|lat|iops|hist)_log"\s*:\s*"([^"\\\n]{1,4096})"')
MAX_RESULTS = 1000  # files examined for one set of logs
_NO_RESULTS = (".log", ".fio", ".ini", ".sh", ".md", ".png", ".svg", ".yaml", ".yml", ".py")


def logs_of(paths: Iterable[str]) -> list[LogSet]:
    """Return the logs among the files, one set per folder, stem and client."""
    sets: dict[tuple[str, str, str], list[str]] = {}
    for path in sorted(paths):
        name = log_name(path)
        if name is not None:
            sets.setdefault((folder_of(path), name.stem, name.host), []).append(path)
    return [LogSet(*key, tuple(each)) for key, each in sets.items()]


def bundles(files: Mapping[str, bytes], logs: Sequence[LogSet]) -> list[OutputBundle]:
    """Return bench-fio's results, then results with their logs, and logs alone."""
    bundles_found = _of_bench_fio(files, logs)
    taken = {path for each in bundles_found for path in each.files.values()}
    left = [each for each in logs if taken.isdisjoint(each.paths)]
    return [*bundles_found, *_with_logs(files, _of_all_clients(left), taken)]


def _of_all_clients(logs: Sequence[LogSet]) -> list[LogSet]:
    """Return the logs of one stem together: `fio --client` has one result for all clients."""
    stems: dict[tuple[str, str], list[LogSet]] = defaultdict(list)
    for each in logs:
        stems[each.folder, each.stem].append(each)
    return [
        LogSet(
            *log_key,
            same[0].host if len(same) == 1 else "",
            tuple(p for s in same for p in s.paths),
        )
        for log_key, same in stems.items()
    ]


def _of_bench_fio(files: Mapping[str, bytes], logs: Sequence[LogSet]) -> list[OutputBundle]:
    """Return bench-fio's results.

    Its first versions wrote the logs of tests with different numbers of jobs to the same files:
    those logs belong to no result.
    """
    hints = {path: hint for path in sorted(files) if (hint := foldernames.bench_fio(path))}
    heads = {path: files[path] for path in hints}
    log_keys = {
        path: (folder_of(path), _stem_written(head))
        for path, head in heads.items()
        if b"fio version" in head
    }
    writers = Counter(log_keys.values())
    written = {(each.folder, each.stem): each.files for each in logs}
    bundles_found = []
    for path, log_key in log_keys.items():
        own_logs = written.get(log_key, {}) if writers[log_key] == 1 else {}
        bundles_found.append(bundle("bench-fio", TOOL, {"stdout": path, **own_logs}, hints[path]))
    return bundles_found


def _with_logs(
    files: Mapping[str, bytes], logs: Sequence[LogSet], taken: Iterable[str]
) -> Iterator[OutputBundle]:
    """Yield logs with the result that names them or the only one beside them, else alone."""
    used = set(taken)
    folders = {each.folder for each in logs}
    candidates = defaultdict(list)
    for path in sorted(files):
        if path not in used and _may_be_result(path):
            for folder in (folder_of(path), path.rpartition(".")[0]):
                if folder in folders:
                    candidates[folder].append(path)
    stems = Counter(each.folder for each in logs)
    for each in logs:
        nearby = [path for path in candidates[each.folder] if path not in used]
        result = _result_of(each, files, nearby, is_only_set=stems[each.folder] == 1)
        if result is None:
            yield OutputBundle("fio logs", TOOL, each.files, host=each.host)
        else:
            used.add(result)
            yield OutputBundle(
                "fio with logs", TOOL, {"stdout": result, **each.files}, host=each.host
            )


def _result_of(
    each: LogSet, files: Mapping[str, bytes], nearby: Sequence[str], *, is_only_set: bool
) -> str | None:
    """Return the output of fio that belongs to these logs; None if several may.

    `nearby`: files of the folder, and a file named like the folder; `is_only_set`: the folder has
    no other logs.
    """
    heads = {path: files[path] for path in nearby[:MAX_RESULTS]}
    results = [path for path, head in heads.items() if detect(head)]
    named = [
        path
        for path in results
        if each.stem in (_stem_written(heads[path]), _name_without_extension(path))
    ]
    fitting = named or (results if is_only_set else [])
    return fitting[0] if len(fitting) == 1 else None


def _may_be_result(path: str) -> bool:
    return log_name(path) is None and not path.lower().endswith(_NO_RESULTS)


def _name_without_extension(path: str) -> str:
    """Return the file's name without extension."""
    return name_of(path).rpartition(".")[0]


def _stem_written(head: bytes) -> str:
    """Return the stem of the logs according to fio's output; "" if absent."""
    match = _WRITES_LOGS.search(head)
    return match[1].decode("utf-8", "replace").rpartition("/")[2] if match else ""
