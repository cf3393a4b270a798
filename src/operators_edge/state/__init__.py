"""The state file: its format, its validity, and every change of it, together with log, archive and registry.

Others import ``store`` (read), ``transaction`` (change), ``schema`` (keys, invariants, current step),
``lesson`` and ``history`` (versions).
"""

# end of module
