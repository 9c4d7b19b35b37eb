"""`bin/look`: every view of the analysis in a real browser, of a benchlab that runs somewhere: wide
and narrow, light and dark, and on paper.
"""
