"""What a line, a script or a program has made itself, or for itself alone: losing it is nobody's loss.

Others import ``made_here``, ``line_words``, ``container_runs``, ``registries``, ``sql_transactions`` and
those of single programs.
"""

# end of module
