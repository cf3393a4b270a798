"""Executors: programs that edit the working tree for a task. Others import ``port`` and ``choose``."""

# end of module
