"""fio's JSON and JSON+ output: documents in one file, each a result or the status of one."""
