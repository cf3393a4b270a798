"""Work that a command took away, brought back: snapshots, undo, the trash."""
