"""What completed steps claim, each with a verdict from evidence.

Face: ``service`` (``claims_of``), ``model`` (``Claim``), ``tree_facts`` (questions to the tree that are asked
once).
"""

# end of module
