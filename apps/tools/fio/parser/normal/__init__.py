"""Parser of fio's normal text output."""
