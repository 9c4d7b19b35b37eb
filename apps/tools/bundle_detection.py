"""Bundles of files that form one result.

The plugins find the bundles of their own tools; CBT's folders may contain outputs of any tool.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from apps.tools.bundles import foldernames
from apps.tools.bundles.bundle import LogSet, OutputBundle, bundle, folder_of, name_of
from apps.tools.registry import TOOLS, recognise

__all__ = ["OutputBundle", "bundles"]


def bundles(files: Mapping[str, bytes]) -> tuple[OutputBundle, ...]:
    """Return the bundles of a folder or an archive, in the order of their paths.

    `files`: path with "/" below the given folder -> its bytes or its first bytes (64 KiB are
    enough). A file without a bundle is a result of its own and is recognised by its content. Only
    heads are read, and only if the names are ambiguous. A file is in one bundle at most.
    """
    paths = sorted(files)
    logs = {plugin.name: list(plugin.logs(paths)) for plugin in TOOLS.values()}
    result = _of_cbt(files, [each for sets in logs.values() for each in sets])
    for plugin in TOOLS.values():
        taken = {path for each in result for path in each.files.values()}
        remaining_logs = [each for each in logs[plugin.name] if taken.isdisjoint(each.paths)]
        result += plugin.bundles(_RemainingFiles(files, taken), remaining_logs)
    return tuple(sorted(result, key=lambda each: min(each.files.values())))


class _RemainingFiles(Mapping[str, bytes]):
    """Files without a bundle; a head is read on access."""

    def __init__(self, files: Mapping[str, bytes], taken: Collection[str]) -> None:
        self._files, self._taken = files, taken

    def __getitem__(self, path: str) -> bytes:
        if path in self._taken:
            raise KeyError(path)
        return self._files[path]

    def __iter__(self) -> Iterator[str]:
        return (path for path in self._files if path not in self._taken)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, path: object) -> bool:
        return path in self._files and path not in self._taken


def _of_cbt(files: Mapping[str, bytes], logs: Sequence[LogSet]) -> list[OutputBundle]:
    """Return CBT's outputs, one per process and client; outputs of one folder ran together."""
    outputs = {path: output for path in files if (output := foldernames.cbt_output(path))}
    derived = defaultdict(list)
    for path, output in outputs.items():
        if output.derived:
            derived[folder_of(path), output.process, output.host].append(path)
    written = {(each.folder, each.stem, each.host): each.files for each in logs}
    sources = {path: output for path, output in outputs.items() if not output.derived}
    sizes = Counter(map(folder_of, sources))
    result = []
    for path, output in sources.items():
        plugin, folder = recognise(files[path]), folder_of(path)
        if plugin is None:
            continue
        extracts = derived[folder, output.process, output.host]
        members = {"stdout": path, **{f"derived.{name_of(each)}": each for each in extracts}}
        members |= written.get((folder, f"output.{output.process}", output.host), {})
        together = folder if sizes[folder] > 1 else ""
        result.append(
            bundle("CBT", plugin.name, members, foldernames.cbt(path, plugin.parse_path), together)
        )
    return result
