"""One test that fio started on several hosts: jobs of all, a part for each, no noise."""

import json
from pathlib import Path

from apps.tools.fio.parser.documents.result import parse_json

SAMPLES = Path(__file__).parent / "samples"
TEN = (SAMPLES / "3.33--json-two-clients-five-jobs" / "result.json").read_bytes()


def test_two_hosts_of_five_jobs_are_ten_jobs() -> None:
    found = parse_json(TEN).measurements
    assert [each.component for each in found] == ["", "localhost", "127.0.0.1"]
    assert {(each.params["numjobs"], each.params["clients"]) for each in found} == {(10, 2)}


def test_jobs_name_their_host() -> None:
    jobs = parse_json(TEN).measurements[0].values["jobs"]
    assert [job["host"] for job in jobs] == ["localhost", "127.0.0.1"]


def test_progress_and_greetings_are_no_remarks_but_errors_are() -> None:
    noise = (
        b"hostname=node1, be=0, 64-bit, os=Linux, arch=x86-64, fio=fio-3.33, flags=1\n"
        b"Jobs: 10 (f=10): [w(10)][50.0%][w=392KiB/s][w=98 IOPS][eta 00m:01s]\r"
        b"Jobs: 10 (f=10): [w(10)][100.0%][w=400KiB/s][w=100 IOPS][eta 00m:00s]\n"
    )
    assert parse_json(noise + TEN).warnings == ()
    said = b"<node1> error: failed to setup shm segment\n"
    assert parse_json(noise + said + TEN).warnings == (said.decode().strip(),)


def test_servers_on_one_host_are_distinguished_by_port() -> None:
    same = TEN.replace(b'"hostname" : "localhost"', b'"hostname" : "127.0.0.1"')
    parts = [each.component for each in parse_json(same).measurements]
    assert parts == ["", "127.0.0.1:18912", "127.0.0.1:18911"]


def test_a_single_client_is_the_whole() -> None:
    document = json.loads(TEN[TEN.index(b"{\n") :])
    document["client_stats"] = document["client_stats"][:1]
    (found,) = parse_json(json.dumps(document).encode()).measurements
    assert (found.component, found.params["numjobs"]) == ("", 5)
    assert "clients" not in found.params


def test_result_as_text_next_to_json_gives_no_remark() -> None:
    text = (SAMPLES / "3.1--read-4k-qd1" / "output.txt").read_bytes()
    said = b"fio: this platform does not support process shared mutexes\n"
    assert parse_json(said + text + b"\n" + TEN).warnings == (said.decode().strip(),)
