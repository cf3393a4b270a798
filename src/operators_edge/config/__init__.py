"""Configuration: the shipped rules, the person's file and the project's file, merged into what is effective.

Others import ``effective`` (load the rules), ``files`` (where the files are), ``layers`` (keys and their
validation), ``trust`` (confirmed loosenings) and ``edits`` (set one value).
"""
