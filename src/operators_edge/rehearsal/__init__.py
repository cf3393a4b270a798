"""Rehearsal: a command runs over copies of the files that it changes, and what it would have done is shown.

Others use ``service`` (run one), ``shown`` (its text and data) and ``takeover`` (write its changes).
"""

# end of module
