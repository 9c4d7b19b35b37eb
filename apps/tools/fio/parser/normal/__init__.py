"""fio's normal text output."""
