"""What happened: the append-only proof log, its verification, and the archive of finished work.

Others import ``log`` (write and read), ``segments`` (positions in the log), ``verify`` and ``archive``.
"""
