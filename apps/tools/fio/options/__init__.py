"""fio's own list of options: what fio says of each (`facts`), which of them are parameters of a
step (`workload`), and why the others are not (`others`).
"""
