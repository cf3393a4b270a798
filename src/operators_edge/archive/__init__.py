"""Moving finished work out of the state: objectives that are done, and what ``edge prune`` finds.

Others import ``service`` (archive an objective, prune) and ``closing`` (between done and archived).
"""

# end of module
