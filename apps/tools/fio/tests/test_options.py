"""fio's own list of options: each is decided once, and no value can be more than a value."""

import subprocess
from pathlib import Path

import pytest

from apps.tools.errors import ParamsError
from apps.tools.fio.command import build_procedure, options
from apps.tools.fio.fields import FIELDS
from apps.tools.fio.options import docs_page
from apps.tools.fio.options.catalog import aliases, facts, version
from apps.tools.fio.options.excluded import LEFT, REFUSED
from apps.tools.fio.options.generate import read_help
from apps.tools.fio.options.versions import range_of, ranges
from apps.tools.fio.options.workload import MORE
from apps.tools.fio.params import FioParams
from apps.tools.param_values import read_field
from apps.tools.params import workload_key
from apps.tools.targets import ToolTarget

PAGE = Path(__file__).parents[4] / "docs" / "reference" / "tools" / "fio-options.md"
DISK = ToolTarget("disk", "wwn-1", size=64 * 1024**3)
FOLDER = ToolTarget("directory", "1")
# One value of each kind that every option of that kind takes.
OF_KIND = {"flag": True, "int": 1, "size": 4096, "duration": 5}
HOSTILE = [
    "1 --filename=/dev/sda",
    "1\n--exec_prerun=reboot",
    "x;reboot",
    "$(reboot)",
    "`reboot`",
    "${HOME}",
    "/etc/passwd",
    "../../x",
    "--exec_prerun=reboot",
    "-1;",
    "4k/50:/etc/passwd",
    "zipf:1.2,/etc/passwd",
    "a\0b",
    "'1'",
]


def value_for(name: str) -> object:
    field = MORE[name]
    if field.kind == "choice":
        return field.choices[-1]
    if field.kind == "text":
        return field.example
    return max(OF_KIND[field.kind], int(field.minimum or 0))


def errors_of(**raw: object) -> dict[str, str]:
    with pytest.raises(ParamsError) as caught:
        FioParams.from_raw(raw)
    return caught.value.errors


def test_every_option_of_fios_list_is_decided_once() -> None:
    # `shared_file` stands for fio's `filename`, which names the target.
    tables = [set(FIELDS) - {"shared_file"}, set(MORE), set(LEFT), set(REFUSED)]
    assert set().union(*tables) == set(facts())
    assert sum(map(len, tables)) == len(facts())
    # Also every option of the versions that the table covers.
    assert {n for n in ranges() if "=" not in n} - {"filename"} <= set(facts())


def test_the_list_names_its_version_and_has_what_fio_says() -> None:
    assert version() == "3.33"
    assert len(facts()) > 220
    assert facts()["verify"].values[:3] == ("0", "md5", "crc64")
    assert facts()["bs"].default == "4096"
    assert facts()["hipri"].engines == ("io_uring", "pvsync2", "io_uring_cmd")
    assert aliases()["blocksize"] == "bs"


def test_help_is_read_as_fio_prints_it() -> None:
    said = read_help(
        "            zonemode: Mode for the zonesize\n"
        "                type: string (opt=bla)\n"
        "             default: none\n"
        "        valid values: none       no zoning\n"
        "                    : strided    strided mode - random I/O: a single zone\n\n"
    )
    assert said == {
        "text": "Mode for the zonesize",
        "type": "string (opt=bla)",
        "default": "none",
        "values": ["none", "strided"],
    }


def test_the_page_is_made_of_the_table() -> None:
    assert PAGE.read_text() == "\n".join(docs_page.page()) + "\n"


def as_job(name: str, written: object) -> list[str]:
    """The options of a job that has this one besides what every job needs."""
    engine = (facts()[name].engines[:1] or ("psync",))[0]
    option = f"--{name}={int(written) if isinstance(written, bool) else written}"
    return [f"--name={name}", f"--ioengine={engine}", option, "--size=1m", "--filename=/dev/null"]


def complaints(*jobs: list[str]) -> str:
    """Objections of fio's own parser to these jobs, up to the first that it does not take."""
    call = ["fio", "--parse-only", *(word for job in jobs for word in job)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode == 0) == (not done.stderr), done
    return done.stdout + done.stderr


def test_fio_itself_takes_the_example_of_each_option() -> None:
    """The values as the command writes them, in one call: a start of fio costs a tenth of a
    second of a processor.
    """
    offered = [name for name in MORE if range_of(name).covers(version())]
    assert len(offered) > 110
    jobs = [as_job(name, read_field(MORE[name], value_for(name))) for name in offered]
    assert complaints(*jobs) == ""
    assert "failed parsing thinktime=often" in complaints(*jobs, as_job("thinktime", "often"))


@pytest.mark.parametrize("value", HOSTILE)
def test_a_value_is_never_another_argument_a_shell_word_or_a_path(value: str) -> None:
    assert set(errors_of(**dict.fromkeys(MORE, value))) == set(MORE)


def test_what_is_not_offered_is_refused_as_a_parameter() -> None:
    names = [*LEFT, *REFUSED]
    assert errors_of(**dict.fromkeys(names, "1")) == dict.fromkeys(
        names, "There is no such parameter."
    )


def test_each_option_is_one_argument_of_its_own() -> None:
    asked = {"bssplit": "4k/60:64k/40", "thinktime": 100, "zonemode": "strided", "zonesize": "1M"}
    argv = options(FioParams.from_raw(asked), DISK)
    assert "--bssplit=4k/60:64k/40" in argv
    assert "--thinktime=100" in argv
    assert "--zonesize=1048576" in argv
    for target in (DISK, FOLDER):
        words = options(FioParams.from_raw(asked), target)
        assert all(word.startswith("--") for word in words)
        assert not any("filename" in w and "{target}" not in w and "format" not in w for w in words)


def test_what_nobody_set_is_no_part_of_a_workload() -> None:
    usual = workload_key("fio", FioParams.from_raw({}))
    assert workload_key("fio", FioParams.from_raw(dict.fromkeys(MORE))) == usual
    assert workload_key("fio", FioParams.from_raw({"thinktime": 5})) != usual


def test_set_options_are_in_the_label_and_read_back() -> None:
    params = FioParams.from_raw({"random_distribution": "zipf:1.2", "io_size": "2G"})
    assert params.describe().endswith("io_size 2 GiB, random_distribution zipf:1.2")
    assert FioParams.from_raw(params.canonical()) == params


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ({"bsrange": "4k-8k", "bssplit": "4k/50:8k/50"}, "bssplit"),
        ({"bssplit": "2g"}, "bssplit"),
        ({"do_verify": True}, "do_verify"),
        ({"rw": "randwrite", "verify": "crc32c"}, "verify"),
        ({"rw": "write", "verify": "crc32c", "numjobs": 2}, "verify"),
        ({"rw": "write", "verify": "crc32c", "ioengine": "null"}, "verify"),
        ({"zonesize": "1M"}, "zonesize"),
        ({"thinktime_blocks": 4}, "thinktime_blocks"),
        ({"hipri": True}, "hipri"),
        ({"ioengine": "mmap", "iodepth": 1}, "direct"),
        ({"bssplit": "1m/50:512m/50", "iodepth": 64}, "iodepth"),
        ({"zero_buffers": True}, "zero_buffers"),
    ],
)
def test_contradictions_get_a_sentence(raw: dict[str, object], name: str) -> None:
    assert errors_of(**raw)[name].endswith(".")


def test_options_of_an_engine_go_with_it() -> None:
    params = FioParams.from_raw({"ioengine": "io_uring", "sqthread_poll": True, "hipri": "no"})
    assert {"--sqthread_poll=1", "--hipri=0"} <= set(options(params, DISK))


def test_several_files_have_names_of_their_own() -> None:
    params = FioParams.from_raw({"nrfiles": 4, "ioengine": "psync", "iodepth": 1})
    assert "--filename_format=benchlab-fio.$jobnum.$filenum" in options(params, FOLDER)
    with pytest.raises(ParamsError) as caught:
        build_procedure(params, DISK)
    assert "nrfiles" in caught.value.errors


def test_a_test_without_a_run_time_lasts_as_long_as_its_work() -> None:
    raw = {"rw": "write", "bs": "1M", "size": "10G", "time_based": False, "runtime": 0}
    params = FioParams.from_raw(raw)
    work = build_procedure(params, DISK)
    assert work.seconds == pytest.approx(10 * 1024 / 100)
    assert work.bytes_written == 10 * 1024**3
    assert not any(word.startswith("--runtime") for word in work.commands[-1].argv)
    half = build_procedure(FioParams.from_raw({**raw, "io_size": "5G"}), DISK)
    assert half.bytes_written == 5 * 1024**3


def test_offsets_of_jobs_count_for_the_space() -> None:
    raw = {"size": "20G", "numjobs": 4, "offset_increment": "20G"}
    with pytest.raises(ParamsError) as caught:
        build_procedure(FioParams.from_raw(raw), DISK)
    assert "80 GiB" in caught.value.errors["size"]
