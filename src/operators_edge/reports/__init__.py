"""What log, state and archive say, made readable: for the terminal, the proof page and the dashboard.

Face: ``entries`` (one entry of the log as a line), ``proof_ledger`` (the verdicts on the plan's claims),
``html`` (the one door to HTML), ``service`` (reads a project for them), ``proof_page_service`` (writes the
proof page, and checks one), ``summary`` (what entries amount to), ``traceability``, ``digest``.
"""

# end of module
