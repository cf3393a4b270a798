"""What a filter prints of a known text: sed, awk, jq, plain filters, and small programs of other languages.

Others import ``text_filters``, ``text_lines`` and ``data_programs``.
"""

# end of module
