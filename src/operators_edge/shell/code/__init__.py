"""Code that a command gives to an interpreter: what it would start, delete, write and send. Nothing is run.

Others import ``programs``, ``interpreters``, ``languages``, ``client_calls``, ``linked_code`` and
``addresses``. ``python`` reads that language by its syntax tree.
"""

# end of module
