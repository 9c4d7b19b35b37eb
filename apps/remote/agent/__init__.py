"""The program that runs on a host: one process a session, one supervisor a job; standard library
only, Python 3.6+.

`docs/development/agent.md` is the protocol. Imports are relative, so that the package works inside
the zipapp too.
"""
