"""Parser of fio's log files: an I/O or a window per line, or a histogram per line."""
