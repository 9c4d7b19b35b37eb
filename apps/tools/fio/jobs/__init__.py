"""Import of fio's job files and command lines, parsed as by fio, as steps of a plan."""
