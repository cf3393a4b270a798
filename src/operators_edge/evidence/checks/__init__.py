"""Which commands judge the work, and how they ended.

Face: ``service`` (the check of a finished call), ``rerun`` (run one again), ``run`` (types, commands that
mean the same), ``detect`` (is a command a check).
"""

# end of module
