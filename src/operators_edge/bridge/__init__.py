"""The Bridge: tasks in, judged and audited results out.

A planner leaves task files, an agent edits, the watcher verifies and writes one result for each attempt.
Others import ``task`` (the task file), ``result`` (the result file) and ``layout`` (where files are).
"""

# end of module
