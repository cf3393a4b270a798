"""The quality gate, the score of the work, and the invariants of the state.

Face: ``service`` (run the gate, its junction, its text), ``checks`` (the twelve checks), ``score`` and
``score_service``, ``evals``, ``evals_service`` and ``evals_store``.
"""

# end of module
