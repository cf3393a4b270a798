"""What is read from the operating system: processes, paths, folders of the person, files, sockets.

Others import ``processes``, ``subprocesses``, ``children``, ``project_root``, ``user_dirs``, ``realpaths``,
``file_cache``, ``digest`` and ``sockets``.
"""

# end of module
