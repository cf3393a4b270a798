"""``edge doctor``: whether the installation works, checked by trying.

Face: ``checks`` (everything that is checked), ``resident`` (the state of the resident process).
"""
