"""Files that are one result: by the names that fio, bench-fio and CBT give them."""

import json

from apps.tools.bundle_detection import OutputBundle, bundles
from apps.tools.parse_result import Output
from apps.tools.registry import tool
from tests.harness.documents import Changes

LINES = b"500, 200, 0, 0, 0\n1000, 200, 0, 0, 0\n"
TEXT = b"""fio-3.33
randread: (groupid=0, jobs=1): err= 0: pid=22055: Wed Oct 10 22:51:54 2018
   read: IOPS=22.3k, BW=87.0MiB/s (91.2MB/s)(25.5GiB/300004msec)
"""
RADOS = b"""hints = 1
Total time run:         10.0
Total writes made:      100
Write size:             4194304
Bandwidth (MB/sec):     40.0
"""


def fio(stem: str = "") -> bytes:
    options: Changes = {"rw": "randread"} | ({"write_bw_log": stem} if stem else {})
    job = {"jobname": "j", "groupid": 0, "error": 0, "job options": options}
    return json.dumps({"fio version": "fio-3.1", "jobs": [job]}, indent=2).encode()


def only(files: dict[str, bytes]) -> OutputBundle:
    (bundle,) = bundles(files)
    return bundle


def test_logs_belong_to_the_result_that_names_them() -> None:
    files = {
        "a/one.json": fio("/tmp/run/one"),
        "a/two.json": fio("/tmp/run/two"),
        **{f"a/{stem}_{kind}.1.log": LINES for stem in ("one", "two") for kind in ("bw", "lat")},
        "a/notes.txt": b"written on a Tuesday",
    }
    found = {bundle.files["stdout"]: set(bundle.files) for bundle in bundles(files)}
    assert found == {
        "a/one.json": {"stdout", "one_bw.1.log", "one_lat.1.log"},
        "a/two.json": {"stdout", "two_bw.1.log", "two_lat.1.log"},
    }


def test_logs_belong_to_the_only_result_in_their_folder() -> None:
    files = {"r/job.fio": b"[j]\nrw=read\n", "r/out": TEXT, "r/j_clat.log": LINES}
    bundle = only(files)
    assert (bundle.kind, bundle.tool) == ("fio with logs", "fio")
    assert bundle.files == {"stdout": "r/out", "j_clat.log": "r/j_clat.log"}


def test_logs_in_a_folder_that_is_called_as_the_result() -> None:
    files = {
        "erasure/randread-1M.out": TEXT,
        "erasure/randwrite-1M.out": TEXT,
        "erasure/randread-1M/randread-1M-KERNEL_bw.log": LINES,
        "erasure/randread-1M/randread-1M-KERNEL_slat.log": LINES,
    }
    assert only(files).files["stdout"] == "erasure/randread-1M.out"


def test_logs_alone() -> None:
    bundle = only({"x_bw.1.log": LINES, "x_bw.2.log": LINES, "x_iops.1.log": LINES})
    assert bundle.kind == "fio logs"
    assert "stdout" not in bundle.files
    files = {"stdout": b"", "stderr": b"", **dict.fromkeys(bundle.files, LINES)}
    (measurement,) = tool("fio").parse(Output(files)).measurements
    assert measurement.bandwidth == 2 * 200 * 1024


def test_two_results_that_could_have_written_a_log_get_none() -> None:
    files = {"a.json": fio(), "b.json": fio(), "x_bw.1.log": LINES}
    assert only(files).files == {"x_bw.1.log": "x_bw.1.log"}


def test_a_tree_of_bench_fio() -> None:
    stem = "/data/nvme0n1/4k/randread-iodepth-16-numjobs-4"
    files = {
        "data/nvme0n1/4k/randread-16-4.json": fio(stem),
        "data/nvme0n1/4k/randread-iodepth-16-numjobs-4_bw.1.log": LINES,
        "data/nvme0n1/randrw75/64k/randrw-1-1.json": fio(),
        "data/nvme0n1/4k/read-1-1.json": b"{}",
    }
    single, mixed = bundles(files)
    assert single.params == {"rw": "randread", "iodepth": 16, "numjobs": 4, "bs": 4096}
    assert single.target == "nvme0n1"
    assert len(single.files) == 2
    assert mixed.params["rwmixread"] == 75
    assert mixed.params["bs"] == 65536
    assert mixed.target == "nvme0n1"
    assert mixed.kind == "bench-fio"


def test_logs_that_several_tests_of_bench_fio_wrote_belong_to_none() -> None:
    files = {f"SSD/randread-16-{jobs}.json": fio("random-read-depth-16") for jobs in (1, 2)}
    files["SSD/random-read-depth-16_bw.1.log"] = LINES
    found = bundles(files)
    assert [bundle.kind for bundle in found] == ["fio logs", "bench-fio", "bench-fio"]
    assert found[1].target == "SSD"


def test_a_tree_of_cbt() -> None:
    folder = "results/00000001/RawFio/osd_ra-00004096/op_size-00004096/concurrent_procs-002"
    place = f"{folder}/randwrite/iodepth-006"
    files = {
        f"{place}/output.0.node1": TEXT,
        f"{place}/output.0.node2": TEXT,
        f"{place}/json_output.0.node1": b"{}",
        f"{place}/output.0_bw.1.log.node1": LINES,
        f"{place}/output.0_lat.1.log.node2": LINES,
        f"{place}/collectl.node1": b"# nothing of ours",
    }
    first, second = bundles(files)
    # Also what is no parameter of fio: two read-aheads are no repeats of each other.
    conditions = {"osd_ra": 4096, "concurrent_procs": 2}
    assert first.params == {"bs": 4096, "rw": "randwrite", "iodepth": 6} | conditions
    assert (first.host, second.host) == ("node1", "node2")
    assert first.repeat == 2
    assert first.together == second.together == place
    assert set(first.files) == {"stdout", "derived.json_output.0.node1", "output.0_bw.1.log.node1"}
    assert set(second.files) == {"stdout", "output.0_lat.1.log.node2"}


def test_rados_in_a_tree_of_cbt() -> None:
    place = "00000000/Radosbench/osd_ra-00000128/op_size-04194304/concurrent_ops-00000016/write"
    bundle = only({f"{place}/output.0.client1": RADOS, f"{place}/objecter.0.log": b"x"})
    assert bundle.tool == "rados"
    assert bundle.params == {"bs": 4194304, "threads": 16, "osd_ra": 128}
    assert bundle.together == ""


def test_what_stands_alone_is_in_no_bundle() -> None:
    assert bundles({"a.json": fio(), "b.txt": TEXT, "output.0": TEXT, "c_bw.log.gz": b""}) == ()
    assert bundles({}) == ()


def test_no_file_is_in_two_bundles() -> None:
    files = {"run.json": fio(), "run_bw.1.log": LINES, "run_lat.1.log.a": LINES, "x_bw.log": LINES}
    paths = [path for bundle in bundles(files) for path in bundle.files.values()]
    assert len(paths) == len(set(paths))


def test_logs_of_several_clients_belong_to_the_one_result() -> None:
    files = {"cs.json": fio(), "cs_lat.1.log.node1": LINES, "cs_lat.1.log.node2": LINES}
    bundle = only(files)
    assert bundle.files["stdout"] == "cs.json"
    assert len(bundle.files) == 3
    assert bundle.host == ""
