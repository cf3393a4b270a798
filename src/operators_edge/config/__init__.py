"""Configuration: the shipped rules, the person's file and the project's file, merged into what is effective.

Others import ``effective`` (load the rules), ``compiled`` (compile them again), ``stamps`` (where the files
are), ``files`` (what is in them), ``layers`` (keys and their validation), ``trust`` (confirmed loosenings)
and ``edits`` (set one value).
"""

# end of module
