"""Files of folders that are read while Django is still being loaded, by processes that need nothing
of it: manage.py begins with them before anything else.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Future

    from apps.imports.reading.alone import TakenIn

FEWEST = 64
# Bytes of files, unpacked: as many as an import holds (apps.imports.reading.sources).
MOST = 32 << 20

_begun: dict[str, tuple[Future[list[TakenIn | None]], int]] = {}


def begun() -> Mapping[str, tuple[Future[list[TakenIn | None]], int]]:
    """Errands that are under way, and the place of each file in its answer, by the file's path."""
    return _begun


@contextmanager
def read_ahead(words: Sequence[str]) -> Iterator[None]:
    """Begin to read the folders among these words of the command `import`, and stop at the end.
    Nothing is begun where there are few files, one processor, or options of the test, which readers
    have to know.
    """
    processors = len(os.sched_getaffinity(0))
    told = any(word.startswith("--a") for word in words)
    files = {} if told or processors < 2 else _files(words)
    if len(files) < FEWEST:
        yield
        return
    from apps.imports.reading.alone import errands, take_in_paths

    context = multiprocessing.get_context("fork")
    # One processor is busy with Django meanwhile.
    with ProcessPoolExecutor(processors - 1, context, initializer=_begin) as pool:
        paths = list(files)
        for places in errands(list(files.values())):
            errand = pool.submit(take_in_paths, [paths[place] for place in places])
            for index, place in enumerate(places):
                _begun[str(paths[place])] = (errand, index)
        try:
            yield
        finally:
            _begun.clear()
            pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """In each process. What it cannot read is read again, and told of, by who asked."""
    from apps.remote.agent.jobs.processes import die_with_parent

    die_with_parent()
    logging.disable()


def _files(words: Sequence[str]) -> dict[Path, int]:
    """Regular files of these folders, in the order in which they are imported, and their bytes, up
    to MOST.
    """
    from apps.imports.reading.alone import LARGEST
    from apps.tools.workloads.order import name_key

    found: dict[Path, int] = {}
    left = MOST
    for before, word in zip(["", *words], words, strict=False):
        if before.startswith("-") and "=" not in before:
            continue  # most likely what that option says, such as --target /mnt/disk
        for folder, folders, names in os.walk(Path(word)):
            folders.sort(key=name_key)
            for name in sorted(names, key=name_key):
                size = _size(path := Path(folder, name))
                if size <= LARGEST:
                    left -= size
                    found[path] = size
                if left < 0:
                    return found
    return found


def _size(path: Path) -> int:
    """A regular file's bytes; more than any file's of what is none."""
    try:
        about = path.lstat()
    except OSError:
        return MOST
    return about.st_size if S_ISREG(about.st_mode) else MOST
