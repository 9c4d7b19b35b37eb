"""fio's own list of options.

`catalog`: fio's description of each; `workload`: parameters of a step; `excluded`: the others with
the reason.
"""
