"""Research, which is answered outside the project, and brainstorms.

Face: ``research_service`` and ``brainstorm_service`` (edits of a project), ``research`` and ``brainstorm``
(edits of a state), ``brainstorm_model`` (what is stored, and the prompt).
"""

# end of module
