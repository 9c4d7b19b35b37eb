"""Parse small files in parallel, one process per CPU.

The processes are forked, so the caller must have no other threads.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

from apps.blobs.domain.compression import decompress, join_pieces
from apps.imports.domain.around import SentText
from apps.imports.domain.parse_result import ParseResult, read_result
from apps.imports.domain.parsed_file import ParsedFile, parsed_file_of
from apps.remote.agent.processes.start import die_with_parent
from apps.tools.messages import message
from apps.tools.split_output.splitter import split
from apps.tools.values import Parameters

log = logging.getLogger(__name__)
MIN_FORKED_RESULTS = 64  # for fewer files starting processes takes longer than it saves
MAX_SMALL_BYTES = 4 << 20  # bytes of a small file
CHUNK = 32


@dataclass(frozen=True)
class SmallFile:
    """File of its own result, to be parsed in another process.

    `content`: compressed bytes; `size`: bytes once unpacked; `path_params`: parameters named by
    folders; `job_options`: options entered by a user.
    """

    content: bytes
    size: int
    path_params: Parameters
    job_options: str


def read_small(file: SmallFile) -> ParsedFile | None:
    """Parse a file; None for a text with results of several tools, or on failure."""
    try:
        data = join_pieces(decompress([file.content], file.size))
        if split(data):
            return None
        sent = SentText(data)
        return parsed_file_of(
            read_result(
                {"stdout": data},
                path_params=file.path_params,
                job_options=file.job_options,
                sent=sent,
            )
        )
    except Exception:
        log.exception("reading an imported file failed")
        return None


def read_in_processes(files: Sequence[SmallFile]) -> list[ParsedFile | None]:
    """Parse these files; one whose process dies has failed."""
    parsed: list[ParsedFile | None] = []
    try:
        with _pool(len(os.sched_getaffinity(0))) as pool:
            for each in pool.map(read_small, files, chunksize=CHUNK):
                parsed.append(each)
    except BrokenProcessPool:
        parsed += [_read_alone(file) for file in files[len(parsed) :]]
    return parsed


def _read_alone(file: SmallFile) -> ParsedFile | None:
    """Parse a file in a separate process."""
    try:
        with _pool(1) as pool:
            return pool.submit(read_small, file).result()
    except BrokenProcessPool:
        reason = message("It could not be read: the process that read it died.")
        return parsed_file_of(ParseResult(parse_error=reason))


def _pool(processes: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("fork")
    return ProcessPoolExecutor(processes, context, initializer=die_with_parent)
