"""Job files and command lines of fio, read as fio reads them, as steps of a plan."""
