"""Python code: read by its syntax tree (``code``), or followed from call to call (``trace``).

Others import ``code``, ``trace``, ``twins``, ``databases`` and ``values``.
"""

# end of module
