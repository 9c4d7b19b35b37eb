"""fio 3.33's sentences about blocks that were changed between writing and reading them back."""

from apps.tools.fio.parser.corruption import corruption

NO_MARK = (
    b"verify: bad magic header b48b, wanted acca at file v offset 102400, length 4096 "
    b"(requested block: offset=102400, length=4096)\n"
)
OTHER = (
    b"crc32c: verify failed at file v2 offset 8192, length 4096 (requested block: offset=8192, "
    b"length=4096, flags=8)\n       Expected CRC: 047e8587\n       Received CRC: 22597e9e\n"
)


def test_a_checksum_that_differs_is_corruption() -> None:
    said = corruption(b"fio: a line of its own\n" + OTHER + NO_MARK + OTHER)
    assert said.startswith("Data corruption: 2 blocks are not what was written.")
    assert "crc32c: verify failed at file v2 offset 8192" in said


def test_blocks_without_a_mark_may_never_have_been_written() -> None:
    assert "unless these blocks were written without verification: 1 blocks" in corruption(NO_MARK)


def test_other_errors_are_none() -> None:
    assert corruption(b"") == ""
    assert corruption(b"fio: pid=1, err=5/file:io_u.c:2290, error=Input/output error\n") == ""
    assert corruption(b"verified\nverify: off\n\xff\xfe") == ""
