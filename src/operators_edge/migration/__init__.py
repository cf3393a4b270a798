"""Migration from versions before 4 to one state file.

Face: ``migrate`` (the phases), ``verify`` (whether it is complete), ``legacy_settings`` (settings entries of
older hooks).
"""

# end of module
