"""Results of fio that are several files: a result with the logs it wrote, logs alone, and what
bench-fio wrote.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from apps.tools.bundles.bundle import LogSet, OutputBundle, bundle, folder_of, name_of

from . import foldernames
from .parser.logs.names import log_name
from .parser.output import recognises

TOOL = "fio"
# fio's own word for where it wrote its logs ("job options").
_WRITES_LOGS = re.compile(rb'"write_(?:bw|lat|iops|hist)_log"\s*:\s*"([^"\\\n]{1,4096})"')
MOST_RESULTS = 1000  # files looked at for one set of logs
_NO_RESULTS = (".log", ".fio", ".ini", ".sh", ".md", ".png", ".svg", ".yaml", ".yml", ".py")


def logs_of(paths: Iterable[str]) -> list[LogSet]:
    """The logs among the files, by what wrote them: in one folder, with one stem, of one client."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for path in sorted(paths):
        name = log_name(path)
        if name is not None:
            found.setdefault((folder_of(path), name.stem, name.host), []).append(path)
    return [LogSet(*key, tuple(each)) for key, each in found.items()]


def bundles(files: Mapping[str, bytes], logs: Sequence[LogSet]) -> list[OutputBundle]:
    """bench-fio's results, then results with their logs, and logs alone."""
    found = _of_bench_fio(files, logs)
    taken = {path for each in found for path in each.files.values()}
    left = [each for each in logs if taken.isdisjoint(each.paths)]
    return [*found, *_with_logs(files, _of_all_clients(left), taken)]


def _of_all_clients(logs: Sequence[LogSet]) -> list[LogSet]:
    """The logs of one stem together: `fio --client` has one result for all clients."""
    stems: dict[tuple[str, str], list[LogSet]] = defaultdict(list)
    for each in logs:
        stems[each.folder, each.stem].append(each)
    return [
        LogSet(
            *place, same[0].host if len(same) == 1 else "", tuple(p for s in same for p in s.paths)
        )
        for place, same in stems.items()
    ]


def _of_bench_fio(files: Mapping[str, bytes], logs: Sequence[LogSet]) -> list[OutputBundle]:
    """bench-fio's results. Its first versions let tests with other numbers of jobs write the same
    logs: those belong to nothing.
    """
    known = {path: said for path in sorted(files) if (said := foldernames.bench_fio(path))}
    heads = {path: files[path] for path in known}
    places = {
        path: (folder_of(path), _stem_written(head))
        for path, head in heads.items()
        if b"fio version" in head
    }
    writers = Counter(places.values())
    written = {(each.folder, each.stem): each.files for each in logs}
    found = []
    for path, place in places.items():
        own = written.get(place, {}) if writers[place] == 1 else {}
        found.append(bundle("bench-fio", TOOL, {"stdout": path, **own}, known[path]))
    return found


def _with_logs(
    files: Mapping[str, bytes], logs: Sequence[LogSet], taken: Iterable[str]
) -> Iterator[OutputBundle]:
    """Logs with the result that names them, or that lies beside them alone; else the logs."""
    used = set(taken)
    folders = {each.folder for each in logs}
    near = defaultdict(list)
    for path in sorted(files):
        if path not in used and _may_be_result(path):
            for folder in (folder_of(path), path.rpartition(".")[0]):
                if folder in folders:
                    near[folder].append(path)
    stems = Counter(each.folder for each in logs)
    for each in logs:
        beside = [path for path in near[each.folder] if path not in used]
        result = _result_of(each, files, beside, alone=stems[each.folder] == 1)
        if result is None:
            yield OutputBundle("fio logs", TOOL, each.files, host=each.host)
        else:
            used.add(result)
            yield OutputBundle(
                "fio with logs", TOOL, {"stdout": result, **each.files}, host=each.host
            )


def _result_of(
    each: LogSet, files: Mapping[str, bytes], beside: Sequence[str], *, alone: bool
) -> str | None:
    """Fio's output that belongs to these logs; None where several could. `beside`: the files of
    their folder, and one that is called as the folder; `alone`: no other logs are there.
    """
    heads = {path: files[path] for path in beside[:MOST_RESULTS]}
    results = [path for path, head in heads.items() if recognises(head)]
    sure = [path for path in results if each.stem in (_stem_written(heads[path]), _bare(path))]
    fitting = sure or (results if alone else [])
    return fitting[0] if len(fitting) == 1 else None


def _may_be_result(path: str) -> bool:
    return log_name(path) is None and not path.lower().endswith(_NO_RESULTS)


def _bare(path: str) -> str:
    """The file's name without its ending."""
    return name_of(path).rpartition(".")[0]


def _stem_written(head: bytes) -> str:
    """The stem of the logs that fio says it wrote; "" where it does not say."""
    match = _WRITES_LOGS.search(head)
    return match[1].decode("utf-8", "replace").rpartition("/")[2] if match else ""
