"""Git, run without side effects: status, content and history of a working tree, and the objects of snapshots.

Others import ``commands`` (run git, small queries), ``worktree`` (state of the tree), ``history`` (traces
of files) and ``objects`` (snapshots); ``status`` and ``blobs`` are used by these.
"""

# end of module
