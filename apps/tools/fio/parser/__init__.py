"""fio's output formats: one file for each."""
