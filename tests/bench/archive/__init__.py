"""An archive of many runs for benchmarks and for tests of what queries read: made up, by statements
of the database alone. Django must be set up before these modules are imported.
"""
