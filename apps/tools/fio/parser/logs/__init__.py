"""fio's log files: every I/O or every window on a line, and histograms on a line."""
