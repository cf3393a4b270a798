"""What log, state and archive say, made readable: for the terminal, the proof page and the dashboard.

Face: ``entries`` (one entry of the log as a line), ``proof_ledger`` (the verdicts on the plan's claims),
``html`` (the one door to HTML), ``service`` (reads a project for them).
"""

# end of module
