"""Text without any knowledge of the product: bounded lines, marked and wrapped text, words, times.

Others import ``wording``, ``markup``, ``tokens``, ``timestamps`` and ``confusables``.
"""

# end of module
