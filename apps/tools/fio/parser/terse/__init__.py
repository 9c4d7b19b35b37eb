"""fio's terse output."""
