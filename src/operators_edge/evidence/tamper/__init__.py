"""What weakened the checks: tests, assertions, configuration, hooks, options.

Face: ``service`` (log it, for a call and at a turn's end), ``model`` (a finding as text), ``test_cases`` (is
a file a test file).
"""

# end of module
