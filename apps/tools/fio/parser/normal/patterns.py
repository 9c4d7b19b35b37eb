"""Patterns of the lines of fio's text output (fio: stat.c, show_thread_status_normal).

Spaces differ between versions and are lost on web pages, so all spaces are optional.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .units import AMOUNT, COUNT

# randread: (g=0): rw=randread, bs=(R) 4096B-4096B, ..., ioengine=libaio, iodepth=128
DESCRIPTION = re.compile(
    r"(?P<name>\S[^\n]{0,200}?): \(g=(?P<group>\d{1,6})\): rw=(?P<rw>\w+), bs=(?P<bs>.{1,200}?), "
    r"ioengine=(?P<ioengine>[\w-]+), iodepth=(?P<iodepth>\d{1,6})"
)
# A separate line after an announcement: there are several such jobs (numjobs).
SEVERAL = re.compile(r"^\s*\.\.\.\s*$")
# randread: (groupid=0, jobs=1): err= 0: pid=22055: Wed Oct 10 22:51:54 2018
JOB = re.compile(
    r"(?P<name>\S[^\n]{0,200}?): \(groupid=(?P<group>\d{1,6}), jobs=(?P<jobs>\d{1,6})\): "
    r"err= *(?P<error>\d{1,6}) *(?:\((?P<reason>[^\n]{0,300}?)\))?: pid=(?P<pid>\d{1,10})"
    r"(?:: *(?P<date>\w{3} \w{3} +\d{1,2} \d\d:\d\d:\d\d \d{4}))?"
)
# fio 3: read: IOPS=22.3k, BW=87.0MiB/s (91.2MB/s)(25.5GiB/300004msec)
NEW_DIRECTION = re.compile(
    rf"(?P<operation>read|write|trim|mixed) ?: IOPS=(?P<iops>{COUNT}), "
    rf"BW=(?P<bandwidth>{AMOUNT})(?:/s)? \((?P<other>[^)]{{0,30}})\) ?"
    rf"\((?P<transferred>{AMOUNT})/(?P<runtime>\d{{1,15}})msec\)"
)
# before: read : io=10240MB, bw=22626KB/s, iops=22 , runt=463447msec
OLD_DIRECTION = re.compile(
    rf"(?P<operation>read|write|trim|mixed) ?: io=(?P<transferred>{AMOUNT}), "
    rf"bw= ?(?P<bandwidth>{AMOUNT})/s, iops=(?P<iops>{COUNT}) ?, runt= *(?P<runtime>\d{{1,15}})msec"
)
PHASE = re.compile(
    r"(?:^|\s)(?P<phase>slat|clat|lat) ?\((?P<unit>[num]sec)\) *: *(?P<pairs>min=.*)"
)
SYNC = re.compile(r"(?:^|\s)sync ?\((?P<unit>[num]sec)\) *: *(?P<pairs>min=.*)")
PERCENTILES = re.compile(
    r"(?:^|\s)(?P<phase>slat|clat|lat|sync) percentiles \((?P<unit>[num]sec)\)"
)
PERCENTILE = re.compile(rf"(\d{{1,3}}(?:\.\d{{1,8}})?)th=\[ *({COUNT})\]")
BANDWIDTH = re.compile(r"(?:^|\s)bw \( *(?P<unit>[kKMGT]?i?(?:B|bit)) */s\) *: *(?P<pairs>min=.*)")
IOPS = re.compile(r"(?:^|\s)iops *: *(?P<pairs>min=.*)")
SHARES = re.compile(r"(?:^|\s)lat ?\((?P<unit>[num]sec)\) *: *(?P<shares>(?:>=)?\d+=\d.*)")
SHARE = re.compile(r"((?:>=)?\d{1,5})=(\d{1,3}(?:\.\d{1,6})?)%")
CPU = re.compile(r"(?:^|\s)cpu *: *(?P<pairs>usr=.*)")
DEPTHS = re.compile(r"(?:^|\s)IO depths *: *(?P<shares>.*)")
# total=10240/0/0  |  total=r=923/w=912/d=0  |  total=6683408,0,0,0
ISSUED = re.compile(
    r"issued[^:]{0,10}: *total=(?:r=)?(?P<read>\d{1,18})[/,](?:w=)?(?P<write>\d{1,18})[/,]"
    r"(?:d=)?(?P<trim>\d{1,18})(?:,(?P<sync>\d{1,18}))?(?P<rest>.*)"
)
SHORT = re.compile(r"(?:short|drop|dropped)=([rwd=/,\d]+)")
STATUS = re.compile(r"Run status group (?P<group>\d{1,6}) \(")
STATUS_LINE = re.compile(
    r"(?P<operation>READ|WRITE|TRIM|MIXED): (?:bw|io)=.{0,500}(?:run|maxt)= ?[\d-]{1,40}msec"
)
# READ: bw=312MiB/s (327MB/s), 77.9MiB/s-78.2MiB/s (...), io=9360MiB (9815MB), run=30001-30004msec
NEW_TOTAL = re.compile(
    rf": bw= ?(?P<bandwidth>{AMOUNT})/s.{{0,300}}?, ?io= ?(?P<transferred>{AMOUNT}).{{0,100}}?"
    r", ?run= ?(?:\d{1,15}-)?(?P<runtime>\d{1,15})msec"
)
# before: WRITE: io=20480MB, aggrb=349525KB/s, minb=87381KB/s, ..., mint=59580msec, maxt=60001msec
OLD_TOTAL = re.compile(
    rf": io= ?(?P<transferred>{AMOUNT}), ?aggrb= ?(?P<bandwidth>{AMOUNT})/s"
    r".{0,300}?maxt= ?(?P<runtime>\d{1,15})msec"
)
DISKS = re.compile(r"Disk stats \(read/write\):")
# sda: ios=4/65596, merge=0/5, ticks=3/30579, in_queue=58279, util=99.72%
# md0: ios=8/0, ..., util=0.00%, aggrios=4/0, ..., aggrutil=98.10%: the sums of its members
DISK = re.compile(
    r"(?P<name>[\w!./-]{1,64}): ios=(?P<reads>\d{1,18})/(?P<writes>\d{1,18}),"
    r"(?:.{0,300}?ticks=(?P<read_ticks>\d{1,18})/(?P<write_ticks>\d{1,18}),)?"
    r".{0,300}?[ ,]util= ?(?P<util>[\d.]{1,10})%"
)
VERSION = re.compile(r"^\s*fio[ -](?P<version>\d[\w.-]{0,30})\s*$")
# Starting 4 processes, Starting 1 thread and 2 processes: with its version printed in text alone
STARTING = re.compile(r"^\s*Starting \d{1,6} (?:process|thread)")
# hostname=node1, be=0, 64-bit, os=Linux, arch=x86-64, fio=fio-3.33, flags=1
CLIENT = re.compile(r"^hostname=[^,\s]{1,253}, be=\d.*?(?:, fio=fio-(?P<version>\d[\w.-]{0,30})|$)")
FROM_CLIENT = re.compile(r"^<(?P<client>[^>\s]{1,253})>(?: |$)")
# No line feed ends the progress of all clients: Jobs: 2 (f=2)<node1>
AFTER_PROGRESS = re.compile(r"^Jobs: [^<\n]{0,300}<(?P<client>[^>\s]{1,253})> ?")
# Jobs: 2 (f=2): [r(2)][50.0%][r=87.0MiB/s][eta 00m:05s]w: (groupid=0, ...
PROGRESS = re.compile(r"^Jobs: \d{1,6} \(f=\d{1,6}\)(?:: (?:\[[^\]\n]{0,100}\])+)?(?=\S)")
ALL_CLIENTS = "All clients"
# latency   : target=0, window=0, percentile=100.00%, depth=1: the last line of a job
LATENCY_TARGET = re.compile(r"(?:^|\s)latency *: target=\d")
# errors    : total=12, first_error=5/<Input/output error>
ERRORS = re.compile(r"(?:^|\s)errors *: total=(?P<number>\d{1,18}), first_error=(?P<code>\d{1,6})")
# steadystate  : attained=yes, bw=..., iops=..., iops mean dev=4.443%
STEADY = re.compile(
    r"(?:^|\s)steadystate *: attained=(?P<attained>yes|no)"
    r"(?:.{0,200}?, ?(?P<criterion>(?:bw|iops|lat) (?:mean dev|slope)) ?="
    r" ?(?P<value>-?[\d.]{1,20}%?))?"
)
# $ fio --name=x ..., [root@node1 ~]# fio job.fio
COMMAND = re.compile(
    r"^\s*(?:[^\n]{0,100}?[#$%>+]\s{0,9})?(?:sudo |time )?"
    r"fio\s{1,9}(?:-|\S{1,200}\.(?:fio|ini|job)(?:\s|$))"
)
SIGNAL = re.compile(r"^\s*fio: terminating on signal \d")
REMARK = re.compile(r"^\s*(?:fio: |note: |warning|error)", re.IGNORECASE)
# verify: bad magic header 3e89, wanted acca at file v.dat offset 12288, length 4096 ...
# crc32c: verify failed at file v.dat offset 4096, length 4096
VERIFY = re.compile(r"^\s*(?:verify: bad |[\w-]{1,20}: verify failed )")
# fio: pid=12812, err=42/file:io_u.c:2290, func=io_u_queued_complete, error=Illegal byte sequence
# fio: io_u error on file /dev/vdb: Input/output error: write offset=4096, buflen=4096
FAILED = re.compile(r"^\s*fio: (?:pid=\d{1,10}, (?:err|got signal)=|io_u error on file )")
_FIGURES = (PHASE, SYNC, PERCENTILES, PERCENTILE, BANDWIDTH, IOPS, SHARES, CPU, DEPTHS, ISSUED)
# fio: engine libaio not loadable
MESSAGE = re.compile(r"^\s*fio: (?:engine|failed|file:|unable|unrecognized|job )")
END = re.compile(r"(?:util= ?[\d.]+%|(?:run|maxt)= ?[\d-]+msec)\s*$")


def is_figure(line: str) -> bool:
    """Return True if the line belongs to a job's result."""
    return any(mark.search(line) for mark in _FIGURES)


def description(line: str) -> re.Match[str] | None:
    """Return the match of a job's announcement.

    A substring test comes first: the pattern tries every position of a line for the name, which is
    slow on foreign text.
    """
    return DESCRIPTION.search(line) if ": (g=" in line else None


def begins_text(lines: Sequence[str]) -> bool:
    """Return True if fio announces jobs whose results it prints as text."""
    begun = any(VERSION.match(line) or STARTING.match(line) for line in lines)
    return begun and any(description(line) for line in lines)


def job(line: str) -> re.Match[str] | None:
    """Return the match of the first line of a job's result."""
    return JOB.search(line) if ": (groupid=" in line else None
