"""What a command runs from disk, as the commands that it amounts to: scripts, targets, programs, tests.

Others import ``follow``, ``search``, ``surroundings``, ``named_targets``, ``client_files``, ``later``,
``git_hooks`` and ``sourced``.
"""

# end of module
