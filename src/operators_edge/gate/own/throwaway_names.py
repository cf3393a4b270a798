"""Names of what is there for a test alone: a database, a container or a compose project called ``shop-test``.

Owns that judgement of a name. Does not own what is done with such a thing (``gate.own.made_here``). Pure.
"""

from __future__ import annotations

from operators_edge.text.patterns import compiled

_THROWAWAY = (
    r"(?i)(?!.*(?:prod|prd|live|stag|shared))(?:[\w.:/]+[_-])*"
    r"(?:tests?|itests?|e2e|jest|vitest|mocha|pytest|rspec|playwright|cypress"
    r"|tmp|temp|scratch|throwaway|smoke|repro|try|trial|ci)(?:[_:.-][\w.]+)*"
)


def is_throwaway(name: str) -> bool:
    """Whether a name is that of something for a test alone."""
    return compiled(_THROWAWAY).fullmatch(name) is not None


# end of module
