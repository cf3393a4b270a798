"""What a patrol reads from files: the listing, the facts of each file, coverage reports.

Only ``patrol`` uses it: ``listing``, ``workers`` (the process that runs ``files``), ``coverage``.
"""

# end of module
