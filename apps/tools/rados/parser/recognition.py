"""Recognise output of rados bench, as a whole and by single lines."""

from __future__ import annotations

import re

from apps.tools.text import RECOGNITION_BYTES, as_text

from .call import command
from .json import START
from .text import ANNOUNCED, HEADING

_SUMMARY = re.compile(r"^[ \t|]*Total (?:writes|reads) made", re.MULTILINE)
_OWN_LINES = (
    *(_SUMMARY, HEADING, ANNOUNCED),
    re.compile(r"^[ \t|]*Total time run\b"),
    re.compile(r"^Object prefix: benchmark_data_"),
)
_SECTION = re.compile(r"^[ \t]*\[(?:global|osd|mon|mds|mgr|client)[^\]\n]{0,60}\]", re.MULTILINE)
_SETTING = re.compile(
    r"^[ \t]*(?:auth[ _](?:cluster|service|client)|osd|filestore|bluestore|journal|objecter|mon)"
    r"[ _][a-z_ ]{1,60}=",
    re.MULTILINE,
)


def detect(data: bytes) -> bool:
    """Return True for output of rados bench and for a ceph.conf."""
    head = as_text(data[:RECOGNITION_BYTES])
    marks = (_SUMMARY, HEADING, ANNOUNCED, START)
    return any(mark.search(head) for mark in marks) or is_ceph_conf(head)


def is_ceph_conf(head: str) -> bool:
    """Return True for a text with sections and settings of a ceph.conf."""
    return bool(_SECTION.search(head) and _SETTING.search(head))


def owns_line(line: str) -> bool:
    """Return True if only rados bench, or a script that calls it, writes this line."""
    return any(mark.search(line) for mark in _OWN_LINES) or command(line) is not None
