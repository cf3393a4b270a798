"""The memory: lessons, mismatches, and how both change with what is observed.

Face: ``service`` (lessons for a call, a failure or a step), ``lessons`` (their edits), ``triggers`` (exact
conditions), ``store`` (search by words), ``similarity`` (duplicates), ``trigger_cache`` (a cheap test that is
enough for most calls), ``mismatches``, ``adapt`` (changing the plan because of one), ``outcomes`` (what the
end of a turn stores).
"""

# end of module
