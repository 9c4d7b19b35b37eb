"""Parser of fio's JSON and JSON+: documents in one file, each a result or a status report."""
