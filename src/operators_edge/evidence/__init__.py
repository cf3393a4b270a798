"""What was really done, folded from the proof log, and what the plan's claims are worth by it.

Face: ``store`` (``EvidenceStore``), ``session_facts``, ``objective_facts`` and ``progress`` (types, keys of
steps), ``plan_events`` (objective and plan in the log), ``overrides``, ``obligations``,
``unexpected_failures``, ``tree_cache``; the packages ``checks``, ``claims``, ``tamper`` and ``metrics``.
"""

# end of module
