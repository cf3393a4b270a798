"""Configuration: the shipped rules, the person's file and the project's file, merged into what is effective.

Others import ``effective`` (load the rules), ``compiled`` (compile them again), ``stamps`` (where the files
are), ``files`` (what is in them), ``schema`` (keys and their validation), ``own_rules`` (a file's own rules
as a pack), ``trust`` (confirmed loosenings) and ``edits`` (set one value).
"""

# end of module
