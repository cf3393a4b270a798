"""What is installed and what is guarded, as recorded outside every project, and whether it still holds.

Face: ``service`` (record, compare, tell). Does not own what a host's settings must contain: the caller passes
a function that says so.
"""

# end of module
