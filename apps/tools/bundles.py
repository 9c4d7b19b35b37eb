"""Results that are several files: which belong together, and what folders' names say."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from . import foldernames
from .base import JSON
from .registry import LogName, log_name, recognise, tool

# fio's own word for where it wrote its logs (JSON, "job options").
_WRITES_LOGS = re.compile(rb'"write_(?:bw|lat|iops|hist)_log"\s*:\s*"([^"\\\n]{1,4096})"')
MOST_RESULTS = 1000  # files looked at for one set of logs
_NO_RESULTS = (".log", ".fio", ".ini", ".sh", ".md", ".png", ".svg", ".yaml", ".yml", ".py")


@dataclass(frozen=True)
class Bundle:
    """One result of one tool: what `Tool.parse` is given at once.

    `tool`: the room's name. `files`: the name to use in `base.Output.files` -> the path it was
    given by; "stdout" is the tool's main output and may be missing where only logs are left.
    `params`: what folder and file names say, by the tool's own parameter names and in canonical
    units (bytes, seconds, counts); what an output says itself counts more. `target`, `host`: the
    names of what was tested and where, "" where nothing says. `repeat`: from 1, None where nothing
    says. `together`: the same words for outputs that several processes or hosts made at the same
    time in one test, "" for a result of its own. `kind`: "fio with logs", "fio logs", "bench-fio",
    "CBT".
    """

    kind: str
    tool: str
    files: Mapping[str, str]
    params: JSON = field(default_factory=dict)
    target: str = ""
    host: str = ""
    repeat: int | None = None
    together: str = ""


@dataclass(frozen=True)
class _Logs:
    """All logs of one fio: in one folder, with one stem, of one client."""

    folder: str
    stem: str
    host: str
    paths: tuple[str, ...]

    @property
    def files(self) -> dict[str, str]:
        """The names that the logs have in an output."""
        return {_name(path): path for path in self.paths}


def bundles(files: Mapping[str, bytes]) -> tuple[Bundle, ...]:
    """What belongs together among the files of a folder or an archive, in the order of their paths.

    `files`: path with "/" below the folder that was given -> its bytes or its first bytes (64 KiB
    tell enough). A file that is in no bundle stands alone: it is recognised by its content as ever.
    Nothing is read or decoded beyond the heads, and heads only where names leave it open; a file is
    in one bundle at most.
    """
    logs = _logs(files)
    found = [*_of_cbt(files, logs), *_of_bench_fio(files, logs)]
    taken = {path for bundle in found for path in bundle.files.values()}
    left = [each for each in logs if not taken.intersection(each.paths)]
    found += _with_logs(files, _of_all_clients(left), taken)
    return tuple(sorted(found, key=lambda bundle: min(bundle.files.values())))


def _logs(paths: Iterable[str]) -> list[_Logs]:
    """The logs among the files, by what wrote them."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for path in sorted(paths):
        name: LogName | None = log_name(path)
        if name is not None:
            found.setdefault((_folder(path), name.stem, name.host), []).append(path)
    return [_Logs(*key, tuple(each)) for key, each in found.items()]


def _of_all_clients(logs: Sequence[_Logs]) -> list[_Logs]:
    """The logs of one stem together: `fio --client` has one result for all clients."""
    stems: dict[tuple[str, str], list[_Logs]] = defaultdict(list)
    for each in logs:
        stems[each.folder, each.stem].append(each)
    return [
        _Logs(
            *place, same[0].host if len(same) == 1 else "", tuple(p for s in same for p in s.paths)
        )
        for place, same in stems.items()
    ]


def _of_cbt(files: Mapping[str, bytes], logs: Sequence[_Logs]) -> list[Bundle]:
    """CBT's outputs: one per process and client; those of a folder ran at the same time."""
    known = {path: output for path in files if (output := foldernames.cbt_output(path))}
    derived = defaultdict(list)
    for path, output in known.items():
        if output.derived:
            derived[_folder(path), output.process, output.host].append(path)
    written = {(each.folder, each.stem, each.host): each.files for each in logs}
    sources = {path: output for path, output in known.items() if not output.derived}
    sizes = Counter(map(_folder, sources))
    found = []
    for path, output in sources.items():
        room, folder = recognise(files[path]), _folder(path)
        if room is None:
            continue
        extracts = derived[folder, output.process, output.host]
        members = {"stdout": path, **{f"derived.{_name(each)}": each for each in extracts}}
        members |= written.get((folder, f"output.{output.process}", output.host), {})
        together = folder if sizes[folder] > 1 else ""
        found.append(_bundle("CBT", room.name, members, foldernames.cbt(path, room.name), together))
    return found


def _of_bench_fio(files: Mapping[str, bytes], logs: Sequence[_Logs]) -> list[Bundle]:
    """bench-fio's results. Its first versions let tests with other numbers of jobs write the same
    logs: those belong to nothing."""
    known = {path: said for path in sorted(files) if (said := foldernames.bench_fio(path))}
    heads = {path: files[path] for path in known}
    places = {
        path: (_folder(path), _stem_written(head))
        for path, head in heads.items()
        if b"fio version" in head
    }
    writers = Counter(places.values())
    written = {(each.folder, each.stem): each.files for each in logs}
    found = []
    for path, place in places.items():
        own = written.get(place, {}) if writers[place] == 1 else {}
        found.append(_bundle("bench-fio", "fio", {"stdout": path, **own}, known[path]))
    return found


def _bundle(
    kind: str, room: str, files: Mapping[str, str], said: foldernames.Said, together: str = ""
) -> Bundle:
    return Bundle(
        kind, room, files, said.params, said.target, said.host, said.repeat, together=together
    )


def _with_logs(
    files: Mapping[str, bytes], logs: Sequence[_Logs], taken: Iterable[str]
) -> Iterator[Bundle]:
    """Logs with the result that names them, or that lies beside them alone; else the logs."""
    used = set(taken)
    folders = {each.folder for each in logs}
    near = defaultdict(list)
    for path in sorted(files):
        if path not in used and _may_be_result(path):
            for folder in (_folder(path), path.rpartition(".")[0]):
                if folder in folders:
                    near[folder].append(path)
    stems = Counter(each.folder for each in logs)
    for each in logs:
        beside = [path for path in near[each.folder] if path not in used]
        result = _result_of(each, files, beside, alone=stems[each.folder] == 1)
        if result is None:
            yield Bundle("fio logs", "fio", each.files, host=each.host)
        else:
            used.add(result)
            yield Bundle("fio with logs", "fio", {"stdout": result, **each.files}, host=each.host)


def _result_of(
    each: _Logs, files: Mapping[str, bytes], beside: Sequence[str], *, alone: bool
) -> str | None:
    """fio's output that belongs to these logs; None where several could. `beside`: the files of
    their folder, and one that is called as the folder; `alone`: no other logs are there."""
    heads = {path: files[path] for path in beside[:MOST_RESULTS]}
    results = [path for path, head in heads.items() if tool("fio").recognises(head)]
    sure = [path for path in results if each.stem in (_stem_written(heads[path]), _bare(path))]
    fitting = sure or (results if alone else [])
    return fitting[0] if len(fitting) == 1 else None


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _may_be_result(path: str) -> bool:
    return log_name(path) is None and not path.lower().endswith(_NO_RESULTS)


def _bare(path: str) -> str:
    """The file's name without its ending."""
    return _name(path).rpartition(".")[0]


def _stem_written(head: bytes) -> str:
    """How the logs are called that fio says it wrote; "" where it does not say."""
    match = _WRITES_LOGS.search(head)
    return match[1].decode("utf-8", "replace").rpartition("/")[2] if match else ""
