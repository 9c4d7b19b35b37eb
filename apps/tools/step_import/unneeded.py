"""Commands around a benchmark that no plan has, each with the reason."""

from __future__ import annotations

import re
from collections.abc import Mapping

from apps.tools.pasted_commands.call import Call
from apps.tools.translation import gettext_noop as _

_INSTALL = _("Not necessary: benchlab installs the tools on its hosts.")
_CACHES = _("Not necessary: benchlab drops the page cache before a test that is not direct.")
_POOL = _("Not necessary: benchlab sees to it; a pool is a target of the plan.")
_TIDY = _("Not necessary: benchlab removes what its tests write.")
_RECORDS = _("Not necessary: benchlab records the disks, CPUs and networks of its hosts itself.")
_SERVICE = _("Not done: benchlab restarts services for the options of a tuning only.")
_FILES = _("Not done: benchlab makes and mounts no file system; choose a directory on one.")
_SHOWS = _("It measures nothing and was left out.")
_WAITS = _("Not necessary: steps follow one another; a tuning has a settle time.")
_STATE = _("Not necessary: a plan prepares disks before it measures (preparation).")
_TUNING = _("It sets the host, in a way that no tuning of benchlab's has.")

_PROGRAMS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            *("yum", "dnf", "apt", "apt-get", "zypper", "apk", "pacman", "brew", "pip", "pip3"),
            *("rpm", "dpkg", "snap", "wget", "curl", "git", "make", "tar", "./configure", "unzip"),
            *("gcc", "cmake", "ldconfig", "add-apt-repository", "emerge", "pkg"),
        ),
        _INSTALL,
    ),
    **dict.fromkeys(("sync", "sleep", "wait", "usleep"), _WAITS),
    **dict.fromkeys(("rm", "unlink", "rmdir", "shred"), _TIDY),
    **dict.fromkeys(
        (
            *("iostat", "vmstat", "mpstat", "sar", "top", "htop", "dstat", "pidstat", "iotop"),
            *("nmon", "blktrace", "perf", "watch", "ifstat", "nload", "collectl", "atop"),
        ),
        _RECORDS,
    ),
    **dict.fromkeys(("systemctl", "service", "killall", "pkill", "kill"), _SERVICE),
    **dict.fromkeys(
        (
            *("mkfs", "mount", "umount", "parted", "fdisk", "pvcreate", "vgcreate", "lvcreate"),
            *("mkdir", "losetup", "mdadm", "fallocate", "truncate", "wipefs", "sgdisk", "gdisk"),
        ),
        _FILES,
    ),
    **dict.fromkeys(("blkdiscard", "nvme", "hdparm", "sg_format", "fstrim"), _STATE),
    **dict.fromkeys(("cpupower", "tuned-adm", "blockdev", "ethtool", "modprobe"), _TUNING),
    **dict.fromkeys(("ceph", "ceph-deploy", "cephadm"), _POOL),
    **dict.fromkeys(
        (
            *("echo", "printf", "cat", "ls", "ll", "cd", "pwd", "date", "uname", "hostname"),
            *("lsblk", "lscpu", "df", "du", "free", "set", "exit", "return", "true", "false"),
            *(
                "command",
                "type",
                "hash",
                ":",
                "vi",
                "vim",
                "nano",
                "chmod",
                "chown",
                "cp",
                "mv",
                "touch",
                "grep",
                "awk",
            ),
            *("sed", "sort", "head", "tail", "tee", "which", "man", "clear", "history", "test"),
            *("[", "[[", "export", "unset", "trap", "ulimit", "umask", "break", "continue"),
            *("lspci", "dmesg", "smartctl", "lsscsi", "numastat", "ping", "su", "ip", "ifconfig"),
            *("sestatus", "getenforce", "whoami", "id", "uptime", "ps", "jobs", "jq", "python3"),
            *("python", "nproc", "getconf", "source", ".", "alias", "logger", "tput", "seq"),
            *("bc", "cut", "tr", "wc", "basename", "dirname", "readlink", "realpath", "find"),
        ),
        _SHOWS,
    ),
}
_BENCHMARKS = frozenset(
    {
        *("sysbench", "bonnie++", "bonnie", "ioping", "vdbench", "elbencho", "mdtest", "ior"),
        *("filebench", "dbench", "tiobench", "iometer", "netperf", "qperf", "nuttcp", "uperf"),
        *("ib_write_bw", "ib_read_bw", "ib_send_bw", "pgbench", "cosbench", "s3bench", "warp"),
        *("diskspd", "unixbench", "stress-ng", "fs_mark", "compilebench", "smallfile_cli.py"),
    }
)
PROGRAMS = frozenset(_PROGRAMS) | _BENCHMARKS
# Programs of these that start the program they watch.
STARTS = frozenset({"perf", "watch"})
_SETTING_FILE = re.compile(r"/(?:sys|proc)/\S+\Z")


def is_benchmark(call: Call) -> bool:
    """Return True if a command is a benchmark that benchlab does not support."""
    if call.program == "hdparm":
        return any(re.fullmatch(r"-\w*[tT]\w*", word) for word in call.argv[1:])
    return call.program in _BENCHMARKS or (call.program == "ceph" and "bench" in call.argv)


def reason(call: Call) -> str:
    """Return the reason why a plan has no such command; empty for an unknown program."""
    if call.program.startswith("mkfs"):
        return _FILES
    if any("drop_caches" in word for word in (*call.argv, call.stdout, *_written(call))):
        return _CACHES
    return _PROGRAMS.get(call.program, "")


def tuning_lines(call: Call) -> list[str]:
    """Return the settings that a command makes, as `echo 2 > /sys/...` or `sysctl -w` lines."""
    if any("drop_caches" in word for word in (*call.argv, call.stdout, *_written(call))):
        return []
    if call.program == "sysctl":
        return [f"sysctl -w {word}" for word in call.argv[1:] if re.match(r"[a-z][\w./-]*=", word)]
    if call.program in ("cpupower", "blockdev"):
        return _of_program(call.argv)
    files = [name for name in (call.stdout, *_written(call)) if _SETTING_FILE.match(name)]
    words = [word for word in call.argv[1:] if word not in ("-n", "-e")]
    return [f"echo {' '.join(words)} > {name}" for name in files if call.program == "echo"]


def _of_program(argv: tuple[str, ...]) -> list[str]:
    """Return the equivalent `echo` lines of `cpupower` and `blockdev`.

    Supported: `cpupower frequency-set -g performance` and `blockdev --setra 256 /dev/sdb`.
    """
    if match := re.fullmatch(r"cpupower frequency-set (?:-g |--governor[ =])(\w+)", " ".join(argv)):
        return [f"echo {match[1]} > /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"]
    match = re.fullmatch(r"blockdev --setra (\d{1,9}) /dev/([\w!-]+)", " ".join(argv))
    # blockdev counts sectors of 512 bytes.
    if match is None or int(match[1]) % 2:
        return []
    return [f"echo {int(match[1]) // 2} > /sys/block/{match[2]}/queue/read_ahead_kb"]


def _written(call: Call) -> tuple[str, ...]:
    """Return the files that `tee` writes after the command."""
    names: list[str] = []
    for words in call.pipe:
        plain = [word for word in words if word != "sudo"]
        if plain and plain[0] == "tee":
            names += [word for word in plain[1:] if not word.startswith("-")]
    return tuple(names)
