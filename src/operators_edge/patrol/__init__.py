"""The patrol: a scan of the project for work that is worth doing.

Face: ``service`` (the scan) and ``findings`` (a finding, its rank, and its form in the state).
"""

# end of module
