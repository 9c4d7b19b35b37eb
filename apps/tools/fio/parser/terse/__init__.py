"""Parser of fio's terse output."""
