"""Getting files back: snapshots before calls that destroy work, and a trash in place of deletion.

Other packages import:

- ``snapshots``: ``before_call`` and the shapes of a snapshot's result and reason.
- ``restore``: ``Undo``, which lists, shows and applies snapshots.
- ``trash``, ``trash_rules``: the trash, and what may be moved there.
"""

# end of module
