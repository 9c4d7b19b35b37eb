"""Pasted texts with one command each, and the steps that they are. Parameters that are not named
have what the tool itself does without the option."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.tools.values import RawValue

K, M, G = 1024, 1024**2, 1024**3
USUAL: Mapping[str, Mapping[str, RawValue]] = {
    "fio": {
        "rw": "read",
        "bs": 4 * K,
        "size": None,
        "offset": 0,
        "ioengine": "psync",
        "iodepth": 1,
        "numjobs": 1,
        "thread": False,
        "direct": False,
        "runtime": 0,
        "time_based": False,
        "ramp_time": 0,
        "rwmixread": 50,
        "refill_buffers": False,
        "norandommap": False,
        "randrepeat": True,
        "group_reporting": False,
        "invalidate": True,
        "loops": 1,
    },
    "dd": {"direct": False, "sync": False, "dsync": False, "fdatasync": False, "fsync": False},
    "rados": {"bs": 4 * M, "threads": 16, "hints": True},
    "rbd": {"pattern": "sequential", "bs": 4 * K, "threads": 16, "size": G},
    "iperf": {
        "protocol": "tcp",
        "direction": "forward",
        "seconds": 10,
        "streams": 1,
        "omit": 0,
        "congestion": "host",
        "no_delay": False,
        "zero_copy": False,
    },
    "iozone": {
        "file_size": 512 * K,
        "record_size": 4 * K,
        "threads": 1,
        "direct": False,
        "sync": False,
        "include_fsync": False,
        "include_close": False,
        "mmap": False,
        "pthreads": False,
        "lock_file": False,
        "multiple_buffers": False,
        "mixed_mmap": False,
        "msync": "none",
        "retest": True,
    },
}


@dataclass(frozen=True)
class Step:
    """A step with what its command states; `line` of the text."""

    tool: str
    given: Mapping[str, RawValue]
    line: int = 1


@dataclass(frozen=True)
class Case:
    """A text and its steps; `refused`: the lines with a refusal."""

    name: str
    text: str
    steps: tuple[Step, ...] = ()
    refused: tuple[int, ...] = ()


def fio(line: int = 1, /, **given: RawValue) -> Step:
    return Step("fio", given, line)


X: dict[str, RawValue] = {"rw": "randwrite", "bs": 4 * K}
_ISSUE: dict[str, RawValue] = {
    **{"rw": "randwrite", "bs": 4 * K, "direct": True, "iodepth": 1, "ioengine": "libaio"},
    **{"size": G, "runtime": 60, "group_reporting": True},
}
_ISSUE_TEXT = (
    "fio -filename=/dev/sdb -direct=1 -iodepth 1 -rw=randwrite -ioengine=libaio -bs=4k -size=1G "
    "-runtime=60 -group_reporting -name=x"
)

FIO = (
    Case("prompt of centos", f"[root@node1 fio]# {_ISSUE_TEXT}", (fio(**_ISSUE),)),
    Case("prompt with tilde", f"[root@n1 ~]$ {_ISSUE_TEXT}", (fio(**_ISSUE),)),
    Case("prompt of suse", f"node1:~ # {_ISSUE_TEXT}", (fio(**_ISSUE),)),
    Case("prompt without a blank", f"#{_ISSUE_TEXT}", (fio(**_ISSUE),)),
    Case("prompt of a user", f"${_ISSUE_TEXT}", (fio(**_ISSUE),)),
    Case("two dashes, words apart", "fio --name x --rw randwrite --bs 4k", (fio(**X),)),
    Case("one dash, words apart", "fio -name x -rw randwrite -bs 4k", (fio(**X),)),
    Case("dashes of a word processor", "fio –name=x –rw=randwrite —bs=4k", (fio(**X),)),
    Case("full width", "fio　－－name=x　--rw=randwrite　--bs=4ｋ", (fio(**X),)),
    Case(
        "continued lines",
        "$ fio --name=x \\\n>   --rw=randwrite \\\n>   --bs=4k",
        (fio(**X),),
    ),
    Case("time and sudo", "time sudo /usr/bin/fio --name=x --rw=randwrite --bs=4k", (fio(**X),)),
    Case(
        "nohup in the background",
        "nohup nice -n 5 fio --name=x --rw=randwrite --bs=4k > out.txt 2>&1 &",
        (fio(**X),),
    ),
    Case(
        "taskset",
        "taskset -c 0-3 fio --name=x --rw=randwrite --bs=4k",
        (fio(**X, cpus_allowed="0-3"),),
    ),
    Case("numactl", "numactl -N 0 -m 0 fio --name=x --rw=randwrite --bs=4k", (fio(**X),)),
    Case(
        "tee and a report",
        "fio --name=x --rw=randwrite --bs=4k --output-format=json --output=a.json | tee b.txt",
        (fio(**X),),
    ),
    Case(
        "two calls on a line",
        "fio --name=a --rw=randwrite --bs=4k; fio --name=b --rw=randread --bs=8k",
        (fio(**X), fio(rw="randread", bs=8 * K)),
    ),
    Case(
        "a call commented out",
        "fio --name=a --rw=randwrite --bs=4k\n#fio --name=b --rw=randread",
        (fio(**X),),
    ),
    Case(
        "a root prompt on both lines",
        "# fio --name=a --rw=randwrite --bs=4k\n#fio --name=b --rw=randread",
        (fio(**X), fio(2, rw="randread")),
    ),
    Case(
        "a depth that the engine has not",
        "fio --name=x --rw=randread --iodepth=128",
        (fio(rw="randread"),),
    ),
    Case(
        "jobs one after the other",
        "fio --bs=8k --name=a --rw=write --name=b --stonewall --rw=read",
        (fio(rw="write", bs=8 * K), fio(rw="read", bs=8 * K)),
    ),
    Case("jobs at the same time", "fio --name=a --rw=write --name=b --rw=read", (), (1, 1)),
    Case("an option that no fio has", "fio --name=x --rw=read --foo=1", (), (1,)),
    Case("a job without an option", "[job]\n", (), (1,)),
    Case("a section that is a prompt of no command", "[root@n1 ~]# some words\n", (), ()),
    Case(
        "a job file behind cat",
        "[root@n1 ~]# cat j.fio\n[global]\nbs=64k\ndirect=1\n[a]\nrw=write\nsize=1g\n",
        (fio(5, rw="write", bs=64 * K, direct=True, size=G),),
    ),
    Case(
        "a job file with blanks in a value",
        "[a]\ndescription=a test of mine\nrw=write\nbs=64k\n",
        (fio(rw="write", bs=64 * K),),
    ),
    Case(
        "a job file and its call",
        "# cat j.fio\n[a]\nrw=write\nbs=64k\n# fio j.fio --output=x.json\n",
        (fio(5, rw="write", bs=64 * K),),
    ),
    Case("a job file from elsewhere", "fio /root/j.fio", (), (1,)),
    Case("a timeout", "timeout 30 fio --name=x --rw=read", (), (1,)),
)

OTHERS = (
    Case(
        "rados write",
        "[root@centos-vm my-cluster]# rados bench -p test 10 write --no-cleanup",
        (Step("rados", {"operations": "write", "seconds": 10}),),
    ),
    Case(
        "rados of small blocks",
        "rados bench -p tank 20 write -t 32 -b 65536 --run-name a",
        (Step("rados", {"operations": "write", "seconds": 20, "threads": 32, "bs": 65536}),),
    ),
    Case(
        "rados that only reads",
        "rados -p tank bench 20 seq\nrados -p tank bench 20 rand",
        (
            Step(
                "rados",
                {
                    **{"operations": "seq+rand", "seconds": 20, "verify": True},
                    "run_name": "benchmark_last_metadata",
                },
            ),
        ),
    ),
    Case(
        "rados that reads with fewer operations in flight",
        "rados bench -p test 10 write -t 30 --no-cleanup\nrados bench -p test 10 seq",
        (
            Step(
                "rados",
                {
                    **{"operations": "write+seq", "seconds": 10, "verify": True},
                    **{"threads": 30, "read_threads": 16},
                },
            ),
        ),
    ),
    Case(
        "rbd",
        "rbd bench --io-type write --io-size 8K --io-threads 4 --io-total 2G --io-pattern rand p/i",
        (
            Step(
                "rbd",
                {"mode": "write", "bs": 8 * K, "threads": 4, "size": 2 * G, "pattern": "random"},
            ),
        ),
    ),
    Case(
        "rbd that mixes",
        "rbd bench i -p rbd --io-type=rw --rw-mix-read=70",
        (Step("rbd", {"mode": "readwrite", "reads": 70}),),
    ),
    Case(
        "dd that writes",
        "#dd if=/dev/zero of=/dev/sdd bs=4k count=300000 oflag=direct",
        (Step("dd", {"rw": "write", "bs": 4 * K, "size": 300000 * 4 * K, "direct": True}),),
    ),
    Case(
        "dd that reads",
        "root@u:~# dd if=/dev/vdb of=/dev/null bs=32M count=40 iflag=direct",
        (Step("dd", {"rw": "read", "bs": 32 * M, "size": 1280 * M, "direct": True}),),
    ),
    Case(
        "dd with a sync at the end",
        "time dd if=/dev/zero of=/dev/sdb bs=1MB count=1k conv=fsync,notrunc status=progress",
        (Step("dd", {"rw": "write", "bs": 10**6, "size": 1024 * 10**6, "fsync": True}),),
    ),
    Case("dd of two disks", "dd if=/dev/sda of=/dev/sdb bs=1M count=10", (), (1,)),
    Case("dd without an end", "dd if=/dev/zero of=/dev/sdb bs=1M", (), (1,)),
    Case("dd from a place", "dd if=/dev/sdb of=/dev/null bs=1M count=9 skip=7", (), (1,)),
    Case(
        "iozone in one mode",
        "iozone -s 10G -r 4k -i 0 -w -+n -Rb /tmp/iozone_4k_sq_w.xls",
        (Step("iozone", {"operation": "write", "file_size": 10 * G, "retest": False}),),
    ),
    Case(
        "iozone in automatic mode",
        "[root@localhost]]# /opt/iozone/bin/iozone -a -s 4g -i 0 -i 1 -f /tmp/t -y 2k -q 8m -Rb o",
        (
            Step(
                "iozone",
                {
                    "operation": ["write", "read"],
                    "file_size": 4 * G,
                    "record_size": [2 * K << power for power in range(13)],
                },
            ),
        ),
    ),
    Case(
        "iozone with several record sizes",
        "iozone -e -I -a -s 128M -r 4k -r 1024k -i 0",
        (
            Step(
                "iozone",
                {
                    **{"operation": "write", "file_size": 128 * M, "record_size": [4 * K, M]},
                    **{"direct": True, "include_fsync": True},
                },
            ),
        ),
    ),
    Case("iozone of all operations with threads", "iozone -l 2 -u 2 -r 16k -s 1g", (), (1,)),
    Case(
        "iozone with threads",
        "iozone -t 4 -i 0 -i 2 -s 1g -r 64k -I -e -c -F a b c d",
        (
            Step(
                "iozone",
                {
                    **{"operation": ["write", "random"], "threads": 4, "file_size": G},
                    **{"record_size": 64 * K, "direct": True, "include_fsync": True},
                    "include_close": True,
                },
            ),
        ),
    ),
    Case(
        "iperf 2",
        "# iperf -c node01 -p 6900",
        (Step("iperf", {"program": "iperf2", "port": 6900}),),
    ),
    Case(
        "iperf3",
        "iperf3 -c 10.0.0.2 -u -b 100M -P 4 -t 30 -l 1400 -O 3 -R -i 1 -J",
        (
            Step(
                "iperf",
                {
                    **{"program": "iperf3", "protocol": "udp", "rate": 100, "streams": 4},
                    **{"seconds": 30, "length": 1400, "omit": 3, "direction": "reverse"},
                },
            ),
        ),
    ),
    Case("iperf3's server", "iperf3 -s -D"),
    Case("iperf of bytes", "iperf3 -c n2 -n 1G", (), (1,)),
    Case("iperf of a fraction", "iperf3 -c n2 -u -b 1500k", (), (1,)),
    Case("iperf3 in two directions", "iperf3 -c n2 -R --bidir", (), (1,)),
    Case("iperf in both directions, in turn", "iperf -c n2 -r", (), (1,)),
)
