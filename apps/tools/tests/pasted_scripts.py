"""Pasted texts with several commands, and the steps that they are: scripts, notes, loops."""

from __future__ import annotations

from apps.tools.values import RawValue

from .pasted_calls import Case, G, K, Step, fio

_FUNCTION = """\
function RunFio
{
 numjobs=$1   # the number of jobs
 iodepth=$2
 bs=$3
 rw=$4
 filename=$5
 let nu=$numjobs+1
 fio --ioengine=libaio --runtime=60s --numjobs=${numjobs} --iodepth=${iodepth} --bs=${bs} \\
     --rw=${rw} --filename=${filename} --time_based=1 --direct=1 --name=test --group_reporting
}
echo 2 > /sys/block/vdb/queue/rq_affinity
sleep 5
"""
_CALLED: dict[str, RawValue] = {
    **{"ioengine": "libaio", "runtime": 60, "time_based": True, "direct": True},
    "group_reporting": True,
}
_SCRIPT = """\
#!/bin/bash
set -e
DEV=/dev/sdb
BS=${1:-4k}
yum install -y fio
echo 3 > /proc/sys/vm/drop_caches
fio --name=a --filename=$DEV --rw=randwrite --bs=$BS --direct=1
dd if=/dev/zero of=$DEV bs=1M count=100 oflag=direct
iperf3 -c 10.0.0.2 -t 5
"""
_NOTE = """\
Before tuning:

[root@centos-vm my-cluster]# rados bench -p test 10 write --no-cleanup
hints = 1
Maintaining 16 concurrent writes of 4194304 bytes to objects of size 4194304 for up to 10 seconds
[root@centos-vm my-cluster]# rados bench -p test 10 seq
[root@centos-vm elsa]# rados bench -p test 10 rand
[root@centos-vm elsa]# rados -p test cleanup
"""

SCRIPTS = (
    Case(
        "a loop",
        "for bs in 4k 64k; do fio --name=t-$bs --rw=read --bs=$bs; done",
        (fio(rw="read", bs=[4 * K, 64 * K]),),
    ),
    Case(
        "a loop over lines",
        'for d in 1 4 "16"\ndo\n  fio --name=t --ioengine=libaio --direct=1 --iodepth=$d\ndone\n',
        (fio(3, ioengine="libaio", direct=True, iodepth=[1, 4, 16]),),
    ),
    Case(
        "loops in each other",
        "for rw in read write; do for bs in 4k 8k; do\nfio --name=t --rw=$rw --bs=$bs\ndone; done",
        (fio(2, rw=["read", "write"], bs=[4 * K, 8 * K]),),
    ),
    Case(
        "a loop over an array",
        'SIZES=(4k 8k)\nfor bs in "${SIZES[@]}"; do\n  fio --name=t --rw=read --bs=$bs\ndone\n',
        (fio(3, rw="read", bs=[4 * K, 8 * K]),),
    ),
    Case(
        "a loop over numbers",
        "for i in $(seq 1 3); do fio --name=t --rw=read --numjobs=$i; done",
        (fio(rw="read", numjobs=[1, 2, 3]),),
    ),
    Case(
        "a loop that counts",
        "for ((i=1; i<=4; i++)); do fio --name=t --rw=read --numjobs=$i; done",
        (fio(rw="read", numjobs=[1, 2, 3, 4]),),
    ),
    Case(
        "a loop that doubles",
        "for ((d=1; d<=8; d*=2)); do fio --name=t --rw=read --numjobs=$d; done",
        (fio(rw="read", numjobs=[1, 2, 4, 8]),),
    ),
    Case(
        "a list with commas",
        "IFS=,\nL=4k,8k\nfor bs in $L; do fio --name=t --rw=read --bs=$bs; done\n",
        (fio(3, rw="read", bs=[4 * K, 8 * K]),),
    ),
    Case(
        "a job file in a here-document",
        "cat > j.fio <<EOF\n[a]\nrw=write\nbs=64k\nEOF\nfio j.fio\n",
        (fio(6, rw="write", bs=64 * K),),
    ),
    Case(
        "numbers that a shell calculates",
        "N=3\nfio --name=t --rw=read --numjobs=$((N * (2 + 1) - (7 / 2))) --bs=$[1024*4*2]\n",
        (fio(2, rw="read", numjobs=6, bs=8 * K),),
    ),
    Case("a number that no shell calculates", "fio --name=t --bs=$((2**12))", (), (1,)),
    Case(
        "pairs of values",
        'for p in "4k 2" "1m 4"; do\nset -- $p\nfio --name=t --rw=read --bs=$1 --numjobs=$2\n'
        "done\n",
        (fio(3, rw="read", bs=4 * K, numjobs=2), fio(3, rw="read", bs=K * K, numjobs=4)),
    ),
    Case(
        "pairs of values that are read",
        'for p in "4k 2"; do\nread -r b n <<< "$p"\nfio --name=t --bs=$b --numjobs=$n\ndone\n',
        (fio(3, bs=4 * K, numjobs=2),),
    ),
    Case(
        "a command with its output",
        "$ fio --name=a --rw=read\na: (g=0): rw=read, bs=(R) 4096B-4096B, (W) 4096B-4096B\n"
        "  read: IOPS=12.3k, BW=48.0MiB/s (50.4MB/s)(2882MiB/60003msec)\n",
        (fio(rw="read"),),
    ),
    Case(
        "a call whose output is a variable",
        "R=$(fio --name=t --rw=read --bs=8k --minimal | cut -d';' -f8)\n",
        (fio(rw="read", bs=8 * K),),
    ),
    Case(
        "options in an array",
        'O=(--bs=8k)\nO+=(--direct=1)\nfio --name=t --rw=read "${O[@]}"\n',
        (fio(3, rw="read", bs=8 * K, direct=True),),
    ),
    Case(
        "a command in a variable",
        'CMD="sudo fio --direct=1"\n$CMD --name=t --rw=read\n',
        (fio(2, rw="read", direct=True),),
    ),
    Case("a test behind a check", "[ -b /dev/sdb ] && fio --name=t --rw=read", (), (1,)),
    Case("another benchmark", "sysbench fileio run\nceph tell osd.0 bench\n", (), (1, 2)),
    Case(
        "a test in the background at a prompt",
        "$ fio --name=a --rw=read &\n$ fio --name=b --rw=write\n$ fio --name=c --rw=write\n",
        (fio(3, rw="write"),),
        (1, 2),
    ),
    Case(
        "a loop over repeats",
        "for i in {1..3}; do fio --name=run$i --rw=read --output=$i.json; done",
        (fio(rw="read"),),
    ),
    Case(
        "a loop over what the host lists",
        "for d in $(ls /dev/sd*); do fio --name=t --rw=read --filename=$d; done",
        (fio(rw="read"),),
    ),
    Case(
        "a value that the host knows",
        "N=$(nproc)\nfio --name=t --rw=read --numjobs=$N\n",
        (),
        (2,),
    ),
    Case("a variable that nothing sets", "fio --name=t --rw=read --bs=$BS", (), (1,)),
    Case(
        "a variable before a call",
        "BS=8k\nRW=randread\nfio --name=t --rw=$RW --bs=${BS}\n",
        (fio(3, rw="randread", bs=8 * K),),
    ),
    Case(
        "a function that is called",
        _FUNCTION + "RunFio 16 64 8k randwrite /data01/test\nRunFio 1 1 4k read /data01/test\n",
        (
            fio(14, **_CALLED, numjobs=16, iodepth=64, bs=8 * K, rw="randwrite", shared_file=True),
            fio(15, **_CALLED, numjobs=1, iodepth=1, bs=4 * K, rw="read"),
        ),
    ),
    Case(
        "a function that is called in a loop",
        _FUNCTION + "for bs in 4k 8k; do RunFio 2 4 $bs read /dev/vdb; done\n",
        (fio(14, **_CALLED, numjobs=2, iodepth=4, bs=[4 * K, 8 * K], rw="read"),),
    ),
    Case("a function that nothing calls", _FUNCTION, (), ()),
    Case(
        "a script of several tools",
        _SCRIPT,
        (
            fio(7, rw="randwrite", direct=True),
            Step("dd", {"rw": "write", "bs": 1024**2, "size": 100 * 1024**2, "direct": True}, 8),
            Step("iperf", {"program": "iperf3", "seconds": 5}, 9),
        ),
    ),
    Case(
        "a test under a condition",
        "if [ -b /dev/sdb ]; then\n  fio --name=x --rw=read\nfi\n",
        (),
        (2,),
    ),
    Case(
        "tests at the same time",
        "fio --name=a --rw=read &\nfio --name=b --rw=write &\nwait\n",
        (),
        (1, 2),
    ),
    Case(
        "rados that writes and reads",
        _NOTE,
        (Step("rados", {"operations": "write+seq+rand", "seconds": 10, "verify": True}, 3),),
    ),
    Case(
        "a command inside a sentence of Markdown",
        "Then test it:\n```bash\n$ fio --name=x --rw=read --size=1g\n```\nand look.\n",
        (fio(3, rw="read", size=G),),
    ),
    Case(
        "a command in another shell",
        'sh -c "fio --name=x --rw=read --bs=8k"',
        (fio(rw="read", bs=8 * K),),
    ),
)
